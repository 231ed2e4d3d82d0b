/**
 * Programs that only read, as data, reviewed like prose: which options and arguments leave them harmless. What the table
 * does not name is not read-only. A program whose every option reads says `any`; one that has an option which writes,
 * runs or sends lists the good ones, so that an option added upstream tomorrow is not trusted.
 */
import { type OptionGrammar, options } from "./options.ts";

export interface Reader {
  readonly options: "any" | OptionGrammar;
  /** Most words that are no options: some programs write to the second. */
  readonly most?: number;
  /** Each word that is no option must fit. */
  readonly each?: RegExp;
  /** One of these must be there. */
  readonly needs?: readonly string[];
  /** What the value of an option must fit. */
  readonly values?: Readonly<Record<string, RegExp>>;
}

const ANY: Reader = { options: "any" };

function only(notation: string, more: Omit<Reader, "options"> = {}): Reader {
  return { options: options(notation), ...more };
}

function every(names: string, reader: Reader): [string, Reader][] {
  return names.trim().split(/\s+/).map((name) => [name, reader]);
}

const CHECKSUM = only(`
  bctwz a: --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --algorithm=
`);

/**
 * Asked for nothing but its version, a well-known program does nothing else. Not those that look into the folder first
 * for the program to run in their place: yarn (`yarnPath`), pnpm (`packageManager`), Rust's (`rust-toolchain.toml`).
 */
const VERSION = only("vV --version", { most: 0, needs: ["-v", "-V", "--version"] });

const FD = only(`
  HIusgiFaL0pq1 d: E: t: e: S: c: j: o:
  --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob --regex
  --fixed-strings --and= --absolute-path --relative-path --follow --full-path --print0 --max-depth= --min-depth=
  --exact-depth= --exclude= --prune --type= --extension= --size= --changed-within= --changed-before= --owner= --format=
  --max-results= --quiet --show-errors --base-directory= --path-separator= --search-path= --strip-cwd-prefix=?
  --one-file-system --color= --threads= --help --version
`);

export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  // Text and files.
  ...every("ls cat head tail wc stat du df grep egrep fgrep echo basename dirname readlink realpath which type", ANY),
  ...every(
    "cut tr nl tac rev paste fold expand unexpand comm join cmp od strings column hexdump tsort look numfmt",
    ANY,
  ),
  ...every("seq factor true false : test [", ANY),
  // Where and who one is.
  ...every("pwd cd pushd popd dirs whoami printenv uname nproc tty groups uptime free ps pgrep locale", ANY),
  // What moves through a script.
  ...every("exit return break continue shift", ANY),
  ["printf", only("")],
  // `-k` and its long name would turn later words into the environment of programs.
  ["set", only("eux o:", { each: /^\+[eux]+$/, values: { "-o": /^(errexit|nounset|xtrace|pipefail)$/ } })],
  ["env", only("0 --null", { most: 0 })],
  // On macOS it runs the program it is given.
  ["arch", only("", { most: 0 })],
  // Another name would be set.
  ["hostname", only("fisIAd --fqdn --short --all-ip-addresses --ip-address --domain", { most: 0 })],
  // Anything but a format sets the clock.
  [
    "date",
    only(
      "uR I? d: r: --date= --reference= --utc --universal --rfc-email --rfc-3339= --iso-8601=?",
      { each: /^\+/ },
    ),
  ],
  // `-l` starts a program.
  [
    "diff",
    only(`
    abBcdeEiNnpqrsTtuwyZ # C: F: I: L: S: U: W: x: X: D:
    --brief --report-identical-files --context=? --unified=? --ed --rcs --side-by-side --width= --left-column
    --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize=
    --suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case
    --no-ignore-file-name-case --exclude= --exclude-from= --starting-file= --from-file= --to-file= --ignore-case
    --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines
    --ignore-matching-lines= --text --strip-trailing-cr --minimal --horizon-lines= --speed-large-files --color=?
  `),
  ],
  // `-o` writes, `--compress-program` runs, `-T` writes elsewhere.
  [
    "sort",
    only(`
    bdfghiMnRrVcCmsuz k: t: S:
    --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort
    --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --check=? --merge --key=
    --field-separator= --stable --unique --zero-terminated --buffer-size= --parallel= --debug
  `),
  ],
  // The second file is written.
  [
    "uniq",
    only(
      `
    cdDiuz f: s: w: --count --repeated --all-repeated=? --ignore-case --unique --zero-terminated --skip-fields=
    --skip-chars= --check-chars= --group=?
  `,
      { most: 1 },
    ),
  ],
  ["xxd", only("abCeEipu c: g: l: s: -ps -plain -bits -autoskip -len= -cols= -seek= -groupsize=", { most: 1 })],
  // On macOS `-o` writes.
  ["base64", only("dD w: --decode --ignore-garbage --wrap=")],
  ["base32", only("d w: --decode --ignore-garbage --wrap=")],
  // `-C` compiles a database.
  [
    "file",
    only(`
    bhikLNprs0 e: F: P: --brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --raw
    --special-files --print0 --separator= --exclude= --extension
  `),
  ],
  ...every("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum", CHECKSUM),
  // `-o` writes, `-R` with `-H` writes an index into every folder.
  [
    "tree",
    only(`
    adfilxqNQpugshDFrtcUvXJACnS L: P: I:
    --gitignore --ignore-case --matchdirs --metafirst --prune --info --noreport --charset= --filelimit= --du --si
    --timefmt= --sort=? --dirsfirst --filesfirst --inodes --device --fromfile --version --help
  `),
  ],
  // `--pre` and `--hostname-bin` run programs, and so does `-z` in search of a decompressor.
  [
    "rg",
    only(`
    aciFhHIlLnNopPqsSTuUvwx0b. # A: B: C: d: E: e: f: g: j: m: M: r: t: T:
    --after-context= --before-context= --context= --auto-hybrid-regex --binary --block-buffered --byte-offset
    --case-sensitive --color= --colors= --column --context-separator= --count --count-matches --crlf --debug
    --dfa-size-limit= --encoding= --engine= --field-context-separator= --field-match-separator= --file= --files
    --files-with-matches --files-without-match --fixed-strings --follow --glob= --glob-case-insensitive --heading --help
    --hidden --iglob= --ignore-case --ignore-file= --include-zero --invert-match --json --line-buffered --line-number
    --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --multiline
    --multiline-dotall --no-config --no-context-separator --no-filename --no-heading --no-ignore --no-ignore-dot
    --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-parent --no-ignore-vcs --no-line-number
    --no-messages --no-mmap --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru
    --path-separator= --pcre2 --pretty --quiet --regex-size-limit= --regexp= --replace= --smart-case --sort= --sortr=
    --stats --stop-on-nonmatch --text --threads= --trim --type= --type-list --type-not= --unrestricted --version --vimgrep
    --with-filename --word-regexp
  `),
  ],
  ...every("fd fdfind", FD),
  // `-exec…` and `-ok…` run, `-delete` deletes, `-fls` and `-fprint…` write.
  [
    "find",
    only(`
    -H -L -P -O0 -O1 -O2 -O3 -maxdepth= -mindepth= -mount -xdev -noleaf -depth -d -follow -daystart -warn -nowarn
    -regextype= -ignore_readdir_race -noignore_readdir_race -amin= -anewer= -atime= -cmin= -cnewer= -ctime= -empty
    -executable -false -fstype= -gid= -group= -ilname= -iname= -inum= -ipath= -iregex= -iwholename= -links= -lname=
    -mmin= -mtime= -name= -newer= -newermt= -newerat= -newerct= -newermm= -nogroup -nouser -path= -perm= -readable
    -regex= -samefile= -size= -true -type= -uid= -used= -user= -wholename= -writable -xtype= -context= -print -print0
    -printf= -ls -prune -quit -not -a -and -o -or
  `),
  ],
  ...every(
    `
    node npm deno bun python python3 pip pip3 ruby gem java javac gcc clang make cmake docker
    kubectl php perl tsc bash gh terraform
  `,
    VERSION,
  ),
]);

/** Programs whose arguments are text, files or subcommands of their own: a denied name among them is no hidden call. */
export const INERT: ReadonlySet<string> = new Set(
  `git go cargo npm pnpm yarn bun deno mkdir rmdir touch cp mv rm ln chmod chown tee sleep kill pkill export set unset
   read declare local readonly shift wait apt apt-get brew dnf yum pacman pip pip3 gem man sed awk jq yq tsc curl wget
   make cmake gh code`.split(/\s+/),
);
