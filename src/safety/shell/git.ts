/**
 * git, whose options name programs and files in many places. What reads is listed by subcommand and option; what can run
 * a program makes the line nested, so that not even `Bash(git *)` covers it.
 */
import type { ShellWord } from "./analysis.ts";
import { type OptionGrammar, options, readOptions } from "./options.ts";

const GLOBAL = options(
  "pPhv C: c: --exec-path=? --git-dir= --work-tree= --namespace= --super-prefix= --config-env= --attr-source= --list-cmds= --html-path --man-path --info-path --paginate --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --version --help",
);

/** Global options that leave a reader a reader. `-C` is one: the spec accepts reading elsewhere. */
const HARMLESS_GLOBAL = new Set([
  "-C",
  "-P",
  "--no-pager",
  "--no-replace-objects",
  "--no-optional-locks",
  "--no-lazy-fetch",
  "--no-advice",
  "--literal-pathspecs",
  "--glob-pathspecs",
  "--noglob-pathspecs",
  "--icase-pathspecs",
]);

/** Settings for `-c` that change how things look or who signs, and nothing that git would start. */
const HARMLESS_CONFIG =
  /^(user\.(name|email|signingkey)|author\.(name|email)|committer\.(name|email)|color\.[\w.]+|column\.[\w.]+|advice\.[\w.]+|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|core\.(quotepath|abbrev|autocrlf|eol|safecrlf|filemode|ignorecase|precomposeunicode|longpaths|preloadindex|untrackedcache)|diff\.(renames|renamelimit|mnemonicprefix|noprefix|algorithm|context|wserrorhighlight|colormoved)|log\.(date|decorate|abbrevcommit|follow|showsignature)|merge\.(renames|renamelimit|conflictstyle|ff)|pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|fetch\.(prune|parallel)|rebase\.(autostash|autosquash|updaterefs)|status\.[\w.]+|grep\.[\w.]+|http\.(postbuffer|version|lowspeedlimit|lowspeedtime)|protocol\.version|rerere\.enabled|pack\.[\w.]+|gc\.auto|safe\.directory)(=|$)/i;
const HARMLESS_PAGER = /^(core\.pager|pager\.\w+)=(cat|less|false|true|)$/i;

const DIFF =
  "pusabzRWwBMCDlSGO U? # -p --patch --no-patch --unified= --raw --patch-with-raw --patch-with-stat --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --anchored= --diff-algorithm= --stat=? --stat-width= --stat-count= --stat-name-width= --compact-summary --numstat --shortstat --dirstat=? --cumulative --summary --name-only --name-status --submodule=? --color=? --no-color --color-moved=? --color-moved-ws= --word-diff=? --word-diff-regex= --color-words=? --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev=? --break-rewrites=? --find-renames=? --find-copies=? --find-copies-harder --irreversible-delete --diff-filter= --pickaxe-all --pickaxe-regex --find-object= --relative=? --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --inter-hunk-context= --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules=? --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index --merge-base --cached --staged --no-index";
const LOG =
  `${DIFF} n: L: i E F g c m t r h -cc --cc --remerge-diff --diff-merges= --no-diff-merges --combined-all-paths --follow --no-decorate --decorate=? --decorate-refs= --decorate-refs-exclude= --source --mailmap --no-mailmap --use-mailmap --log-size --max-count= --skip= --since= --after= --until= --before= --since-as-filter= --author= --committer= --grep= --grep-reflog= --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents= --max-parents= --first-parent --not --all --branches=? --tags=? --remotes=? --glob= --exclude= --exclude-hidden= --reflog --alternate-refs --single-worktree --ignore-missing --cherry-mark --cherry-pick --left-only --right-only --cherry --walk-reflogs --merge --boundary --simplify-by-decoration --full-history --dense --sparse --simplify-merges --ancestry-path=? --show-pulls --date-order --author-date-order --topo-order --reverse --no-walk=? --do-walk --pretty=? --format= --abbrev-commit --no-abbrev-commit --no-abbrev --oneline --encoding= --expand-tabs=? --no-expand-tabs --notes=? --no-notes --show-notes=? --show-signature --relative-date --date= --parents --children --left-right --graph --no-graph --show-linear-break=? --count --show-objects --objects --bisect --clear-decorations --end-of-options`;

/** Subcommand to the options that keep it reading. */
const READING: ReadonlyMap<string, OptionGrammar> = new Map([
  [
    "status",
    options(
      "sbvz u? M? --short --branch --show-stash --porcelain=? --long --verbose --untracked-files=? --ignore-submodules=? --ignored=? --column=? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames=?",
    ),
  ],
  ["log", options(LOG)],
  ["show", options(LOG)],
  ["diff", options(DIFF)],
  ["shortlog", options(`${LOG} s e w? --summary --email --numbered --group=`)],
  [
    "blame",
    options(
      "bcetfnswplMC L: S: # --root --incremental --show-stats --porcelain --line-porcelain --show-name --show-number --show-email --date= --reverse --first-parent --contents= --score-debug --color-lines --color-by-age --abbrev= --ignore-rev= --ignore-revs-file= --since= --progress --no-progress",
    ),
  ],
  [
    "ls-files",
    options(
      "cdmokstvuzf x: X: --cached --deleted --others --modified --ignored --stage --directory --no-empty-directory --unmerged --killed --exclude= --exclude-from= --exclude-per-directory= --exclude-standard --error-unmatch --full-name --recurse-submodules --abbrev=? --debug --eol --deduplicate --format= --sparse --resolve-undo",
    ),
  ],
  [
    "ls-tree",
    options("drtlz --long --name-only --name-status --object-only --abbrev=? --full-name --full-tree --format="),
  ],
  [
    "rev-parse",
    options(
      "q --verify --quiet --short=? --abbrev-ref=? --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --git-path= --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-superproject-working-tree --show-object-format=? --all --branches=? --tags=? --remotes=? --default= --not --revs-only --no-revs --flags --no-flags --path-format= --end-of-options",
    ),
  ],
  ["rev-list", options(`${LOG} --disk-usage=? --objects-edge --use-bitmap-index --header --timestamp --missing=`)],
  [
    "describe",
    options(
      "--all --tags --contains --abbrev=? --candidates= --exact-match --debug --long --match= --exclude= --always --first-parent --dirty=? --broken=?",
    ),
  ],
  ["merge-base", options("a --all --octopus --independent --is-ancestor --fork-point")],
  ["name-rev", options("--tags --refs= --exclude= --all --name-only --no-undefined --always")],
  ["cat-file", options("tesp --batch-all-objects --unordered --allow-unknown-type --use-mailmap")],
  ["show-ref", options("dsq --head --heads --branches --tags --dereference --hash=? --verify --abbrev=? --quiet")],
  [
    "for-each-ref",
    options(
      "--count= --sort= --format= --color=? --points-at= --merged=? --no-merged=? --contains=? --no-contains=? --ignore-case --exclude=",
    ),
  ],
  ["count-objects", options("vH --verbose --human-readable")],
  ["check-ignore", options("qvnz --quiet --verbose --stdin --non-matching --no-index")],
  ["check-attr", options("az --all --cached --stdin --source=")],
  ["diff-tree", options(`${LOG} -r -t --root --stdin --no-commit-id`)],
  ["diff-index", options(`${DIFF} -m --cached`)],
  ["diff-files", options(`${DIFF} q 0 1 2 3`)],
  [
    "grep",
    options(
      "aIiwvhHErGPFnlLcoqpWzr A: B: C: e: f: m: # --cached --untracked --no-exclude-standard --exclude-standard --recurse-submodules --text --ignore-case --word-regexp --invert-match --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color=? --no-color --break --heading --show-function --function-context --context= --after-context= --before-context= --max-count= --max-depth= --threads= --and --or --not --all-match --quiet --full-name --recursive --no-recursive",
    ),
  ],
  ["version", options("--build-options")],
]);

export interface GitVerdict {
  readonly readOnly: boolean;
  /** Phrase for people; set when git would start a program the line names. */
  readonly runs?: string;
  readonly subcommand?: string;
}

export function judgeGit(words: readonly ShellWord[]): GitVerdict {
  const global = readOptions(words, 1, GLOBAL);
  if (global.unknown !== undefined) return { readOnly: false };
  let readOnly = true;
  for (const option of global.found) {
    if (option.name === "-c" || option.name === "--config-env") {
      const setting = option.text ?? "";
      if (option.name === "-c" && HARMLESS_PAGER.test(setting)) continue;
      if (option.name === "-c" && HARMLESS_CONFIG.test(setting)) {
        readOnly = readOnly && !/^safe\./i.test(setting);
        continue;
      }
      return { readOnly: false, runs: "a git setting on the command line can start a program" };
    }
    if (option.name === "--exec-path" && option.text !== undefined) {
      return { readOnly: false, runs: "`--exec-path` says where git finds its programs" };
    }
    if (!HARMLESS_GLOBAL.has(option.name) || option.value?.computed === "yes") readOnly = false;
  }
  const name = words[global.rest];
  if (name === undefined) {
    const asked = global.found.some((option) => option.name === "--version" || option.name === "-v");
    return { readOnly: readOnly || (asked && global.found.length === 1) };
  }
  const subcommand = name.value;
  const args = words.slice(global.rest + 1);
  const runs = startsProgram(subcommand, args);
  if (runs !== undefined) return { readOnly: false, runs, subcommand };
  const grammar = name.computed === "no" ? READING.get(subcommand) : undefined;
  if (!grammar) return { readOnly: false, subcommand };
  return { readOnly: readOnly && optionsRead(args, grammar), subcommand };
}

/** Options may stand between other words, up to `--`. */
function optionsRead(args: readonly ShellWord[], grammar: OptionGrammar): boolean {
  let at = 0;
  while (at < args.length) {
    const read = readOptions(args, at, grammar);
    if (read.unknown !== undefined) return false;
    if (args[read.rest - 1]?.value === "--" && read.rest > at) return true;
    at = read.rest + 1;
  }
  return true;
}

const URL_COMMANDS = new Set([
  "clone",
  "fetch",
  "pull",
  "push",
  "ls-remote",
  "remote",
  "submodule",
  "archive",
  "fetch-pack",
]);
/** Options whose value git hands to a shell or starts. */
const STARTING: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  grep: ["-O", "--open-files-in-pager"],
  clone: ["-u", "-c", "--upload-pack", "--config", "--template"],
  fetch: ["--upload-pack"],
  pull: ["--upload-pack"],
  "ls-remote": ["--upload-pack", "--exec"],
  push: ["--receive-pack", "--exec"],
  archive: ["--exec"],
  rebase: ["-x", "--exec"],
  bisect: ["run"],
  submodule: ["foreach"],
  "filter-branch": [
    "--tree-filter",
    "--index-filter",
    "--msg-filter",
    "--env-filter",
    "--parent-filter",
    "--commit-filter",
    "--tag-name-filter",
    "--setup",
  ],
  "for-each-repo": [""],
  difftool: ["-x", "--extcmd"],
  mergetool: ["-t"],
  init: ["--template"],
  "send-email": ["--smtp-server", "--to-cmd", "--cc-cmd", "--sendmail-cmd"],
  help: ["-w", "--web"],
  instaweb: [""],
  daemon: [""],
}));

function startsProgram(subcommand: string, args: readonly ShellWord[]): string | undefined {
  for (const prefix of STARTING.get(subcommand) ?? []) {
    const hit = args.find(({ value }) =>
      prefix.startsWith("--")
        ? abbreviates(value, prefix)
        : prefix.startsWith("-")
        ? new RegExp(`^-[a-zA-Z]*${prefix[1]}`).test(value)
        : value === prefix || prefix === ""
    );
    if (hit) return `\`git ${subcommand} ${hit.text}\` starts another program`;
  }
  if (URL_COMMANDS.has(subcommand)) {
    const helper = args.find(({ value }) => /^(--[\w-]+=)?[\w+.-]+::/.test(value));
    if (helper) return `\`${helper.text}\` makes git start a helper program`;
  }
  return undefined;
}

/** git takes any unambiguous beginning of a long option. */
function abbreviates(word: string, option: string): boolean {
  const name = word.split("=", 1)[0] ?? "";
  return name.length > 3 && name.startsWith("--") && option.startsWith(name);
}
