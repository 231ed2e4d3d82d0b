/** git's options as data, reviewed like prose: which of them leave a reader a reader, and which start programs. */
import { type OptionGrammar, options } from "./options.ts";

/** In front of the subcommand. */
export const GIT_GLOBAL = options(`
  pPhv C: c: --exec-path=? --git-dir= --work-tree= --namespace= --super-prefix= --config-env= --attr-source= --list-cmds=
  --html-path --man-path --info-path --paginate --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks
  --no-advice --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --version --help
`);

/** Those that leave a reader a reader. `-C` is one: reading elsewhere is reading. */
export const HARMLESS_GIT_GLOBAL: ReadonlySet<string> = new Set(
  `-C -P --no-pager --no-replace-objects --no-optional-locks --no-lazy-fetch --no-advice --literal-pathspecs
   --glob-pathspecs --noglob-pathspecs --icase-pathspecs`.split(/\s+/),
);

/** Settings for `-c` that change how things look or are merged, whatever their value. */
const ANY_VALUE = [
  "(?:user|author|committer)\\.(?:name|email)",
  "user\\.useconfigonly",
  "(?:color|column|advice|status)\\.[\\w.]+",
  "init\\.defaultbranch",
  "core\\.(?:quotepath|abbrev|autocrlf|eol|safecrlf|filemode|ignorecase|precomposeunicode|longpaths|symlinks)",
  "diff\\.(?:renames|renamelimit|mnemonicprefix|noprefix|algorithm|context|wserrorhighlight|colormoved|submodule)",
  "log\\.(?:date|decorate|abbrevcommit|follow)",
  "merge\\.(?:renames|renamelimit|conflictstyle|ff)",
  "(?:pull|fetch)\\.(?:rebase|ff|prune|parallel)",
  "push\\.(?:default|autosetupremote|followtags)",
  "rebase\\.(?:autostash|autosquash|updaterefs)",
  "http\\.(?:postbuffer|version|lowspeedlimit|lowspeedtime)",
  "protocol\\.version",
].join("|");

/** Settings that start something, put to a value that starts nothing. */
const WITH_VALUE = [
  "(?:commit|tag|push)\\.gpgsign=(?:false|0|no|off)?",
  "core\\.(?:fsmonitor|untrackedcache|preloadindex)=(?:false|0|no|off)?",
  "core\\.pager=(?:cat|less|more)?",
  "pager\\.\\w+=(?:false|0|no|off|cat)?",
].join("|");

export const HARMLESS_GIT_SETTING = new RegExp(`^(?:(?:${ANY_VALUE})(?:=.*)?|${WITH_VALUE})$`, "is");

const DIFF = `
  pusabzRWwDt U: S: G: l: O: B? M? C? X? #
  --patch --no-patch --unified= --raw --patch-with-raw --patch-with-stat --indent-heuristic --no-indent-heuristic
  --minimal --patience --histogram --anchored= --diff-algorithm= --stat=? --stat-width= --stat-count= --stat-name-width=
  --compact-summary --numstat --shortstat --dirstat=? --cumulative --summary --name-only --name-status --submodule=?
  --color=? --no-color --color-moved=? --color-moved-ws= --word-diff=? --word-diff-regex= --color-words=? --no-renames
  --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev=? --break-rewrites=?
  --find-renames=? --find-copies=? --find-copies-harder --irreversible-delete --diff-filter= --pickaxe-all
  --pickaxe-regex --find-object= --relative=? --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol
  --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --inter-hunk-context=
  --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules=? --src-prefix= --dst-prefix=
  --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index --merge-base --cached --staged --no-index
`;

/** Without `--remerge-diff` and what means it: merges made anew are made by the drivers of the repository's settings. */
const LOG = `
  ${DIFF} n: L: iEFgcmrh
  --cc --no-diff-merges --combined-all-paths --follow --no-decorate --decorate=?
  --decorate-refs= --decorate-refs-exclude= --source --mailmap --no-mailmap --use-mailmap --log-size --max-count= --skip=
  --since= --after= --until= --before= --since-as-filter= --author= --committer= --grep= --grep-reflog= --all-match
  --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges
  --min-parents= --max-parents= --first-parent --not --all --branches=? --tags=? --remotes=? --glob= --exclude=
  --exclude-hidden= --reflog --alternate-refs --single-worktree --ignore-missing --cherry-mark --cherry-pick --left-only
  --right-only --cherry --walk-reflogs --merge --boundary --simplify-by-decoration --full-history --dense --sparse
  --simplify-merges --ancestry-path=? --show-pulls --date-order --author-date-order --topo-order --reverse --no-walk=?
  --do-walk --pretty=? --format= --abbrev-commit --no-abbrev-commit --no-abbrev --oneline --encoding= --expand-tabs=?
  --no-expand-tabs --notes=? --no-notes --show-notes=? --relative-date --date= --parents --children --left-right --graph
  --no-graph --show-linear-break=? --count --objects --bisect --clear-decorations --end-of-options
`;

/** Subcommand to the options that keep it reading. */
export const GIT_READING: ReadonlyMap<string, OptionGrammar> = new Map(
  Object.entries<string>({
    status: `sbvz u? M? --short --branch --show-stash --porcelain=? --long --verbose --untracked-files=?
      --ignore-submodules=? --ignored=? --column=? --no-column --ahead-behind --no-ahead-behind --renames --no-renames
      --find-renames=?`,
    log: LOG,
    show: LOG,
    diff: DIFF,
    shortlog: `${LOG} se w? --summary --email --numbered --group=`,
    blame: `bcetfnswpl M? C? L: S: # --root --incremental --show-stats --porcelain --line-porcelain --show-name
      --show-number --show-email --date= --reverse --first-parent --contents= --score-debug --color-lines --color-by-age
      --abbrev= --ignore-rev= --ignore-revs-file= --since= --progress --no-progress`,
    "ls-files": `cdmokstvuzf x: X: --cached --deleted --others --modified --ignored --stage --directory
      --no-empty-directory --unmerged --killed --exclude= --exclude-from= --exclude-per-directory= --exclude-standard
      --error-unmatch --full-name --recurse-submodules --abbrev=? --debug --eol --deduplicate --format= --sparse
      --resolve-undo`,
    "ls-tree": "drtlz --long --name-only --name-status --object-only --abbrev=? --full-name --full-tree --format=",
    "rev-parse": `q --verify --quiet --short=? --abbrev-ref=? --symbolic --symbolic-full-name --show-toplevel
      --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --git-path= --is-inside-git-dir
      --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-superproject-working-tree
      --show-object-format=? --all --branches=? --tags=? --remotes=? --default= --not --revs-only --no-revs --flags
      --no-flags --path-format= --end-of-options`,
    "rev-list": `${LOG} --disk-usage=? --objects-edge --use-bitmap-index --header --timestamp --missing=`,
    describe:
      `--all --tags --contains --abbrev=? --candidates= --exact-match --debug --long --match= --exclude= --always
      --first-parent --dirty=? --broken=?`,
    "merge-base": "a --all --octopus --independent --is-ancestor --fork-point",
    "name-rev": "--tags --refs= --exclude= --all --name-only --no-undefined --always",
    "cat-file": "tesp --allow-unknown-type --use-mailmap",
    "show-ref": "ds --head --heads --branches --tags --dereference --hash=? --verify --abbrev=? --quiet",
    "for-each-ref": `--count= --sort= --format= --color=? --points-at= --merged=? --no-merged=? --contains=?
      --no-contains=? --ignore-case --exclude=`,
    "count-objects": "vH --verbose --human-readable",
    "check-ignore": "qvnz --quiet --verbose --stdin --non-matching --no-index",
    "check-attr": "az --all --cached --stdin --source=",
    "diff-tree": `${LOG} --root --stdin --no-commit-id`,
    "diff-index": `${DIFF} m`,
    "diff-files": `${DIFF} q`,
    grep: `aIiwvhHErGPFnlLcoqpWz A: B: C: e: f: m: # --cached --untracked --no-exclude-standard --exclude-standard
      --recurse-submodules --text --ignore-case --word-regexp --invert-match --extended-regexp --basic-regexp
      --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null
      --only-matching --count --color=? --no-color --break --heading --show-function --function-context --context=
      --after-context= --before-context= --max-count= --max-depth= --threads= --and --or --not --all-match --quiet
      --full-name --recursive --no-recursive`,
    version: "--build-options",
  }).map(([name, text]) => [name, options(text)]),
);

/** What makes a subcommand start a program: an option, a word, or the subcommand itself (an empty text). */
export const STARTING_GIT_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries<readonly string[]>({
  grep: ["-O", "--open-files-in-pager"],
  diff: ["--ext-diff"],
  log: ["--ext-diff"],
  show: ["--ext-diff"],
  clone: ["-u", "-c", "--upload-pack", "--config", "--template"],
  init: ["--template"],
  fetch: ["--upload-pack"],
  pull: ["--upload-pack"],
  "ls-remote": ["--upload-pack", "--exec"],
  push: ["--receive-pack", "--exec"],
  archive: ["--exec"],
  rebase: ["-x", "--exec"],
  bisect: ["run"],
  submodule: ["foreach"],
  "filter-branch": [""],
  "for-each-repo": [""],
  difftool: ["-x", "--extcmd"],
  "send-email": ["--smtp-server", "--to-cmd", "--cc-cmd", "--sendmail-cmd"],
  instaweb: [""],
  daemon: [""],
  "upload-pack": [""],
  "receive-pack": [""],
  shell: [""],
}));
