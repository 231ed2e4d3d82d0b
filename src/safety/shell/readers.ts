/**
 * Programs that only read, as data, reviewed like prose: which options and arguments leave them harmless. What the table
 * does not name is not read-only. A program whose every option reads says `any`; one that has an option which writes,
 * runs or sends lists the good ones, so that an option added upstream tomorrow is not trusted.
 */
import { type OptionGrammar, options } from "./options.ts";

export interface Reader {
  readonly options: "any" | OptionGrammar;
  /** Most words that are no options; some programs write to the second. */
  readonly most?: number;
  /** Each word that is no option must fit. */
  readonly each?: RegExp;
  /** `find` and `go` style: options are whole words after one dash and may follow arguments. */
  readonly style?: "words";
  /** Options that must be present. */
  readonly needs?: readonly string[];
}

const ANY: Reader = { options: "any" };
const only = (notation: string, more: Omit<Reader, "options"> = {}): Reader => ({
  options: options(notation),
  ...more,
});
const VERSION = only("vV --version", { most: 0, needs: ["-v", "-V", "--version"] });

const every = (reader: Reader, names: string): [string, Reader][] => names.split(" ").map((name) => [name, reader]);

const SUMS = only(
  "bctwz --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn a: --algorithm=",
);

export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...every(ANY, "ls cat head tail wc stat du df grep egrep fgrep echo pwd cd whoami printenv basename dirname"),
  ...every(
    ANY,
    "cut tr nl tac rev paste fold expand unexpand comm join cmp od strings readlink realpath which true false",
  ),
  ...every(
    ANY,
    ": uname nproc arch tty groups uptime free ps pgrep locale seq factor numfmt look column hexdump tsort",
  ),
  ["[", ANY],
  ["test", ANY],
  ["type", ANY],
  ["printf", only("")],
  [
    "diff",
    only(
      "abBcdeEiNnpqrsTtuwyZ # C: F: I: L: S: U: W: x: X: D: --brief --report-identical-files --context=? --unified=? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from= --starting-file= --from-file= --to-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --minimal --horizon-lines= --speed-large-files --color=? --palette=",
    ),
  ],
  [
    "sort",
    only(
      "bdfghiMnRrVcCmsuz k: t: S: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --check=? --merge --key= --field-separator= --stable --unique --zero-terminated --buffer-size= --parallel= --debug",
    ),
  ],
  // The second file is written.
  [
    "uniq",
    only(
      "cdDiuz f: s: w: --count --repeated --all-repeated=? --ignore-case --unique --zero-terminated --skip-fields= --skip-chars= --check-chars= --group=?",
      { most: 1 },
    ),
  ],
  [
    "xxd",
    only("abCeEipu c: g: l: s: o: n: R: -ps -plain -bits -autoskip -len -cols -seek -groupsize -include -uppercase", {
      most: 1,
    }),
  ],
  ["base64", only("dDi w: --decode --ignore-garbage --wrap= --break=")],
  ["base32", only("di w: --decode --ignore-garbage --wrap=")],
  [
    "date",
    only("uRI? d: r: --date= --reference= --utc --universal --rfc-email --rfc-3339= --iso-8601=?", { each: /^\+/ }),
  ],
  [
    "file",
    only(
      "bhiklLNprs0 e: F: m: P: f: --brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --raw --special-files --print0 --separator= --exclude= --files-from= --extension",
    ),
  ],
  ...every(SUMS, "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum"),
  [
    "tree",
    only(
      "adfilxqNQpugshDFrtcUvXJACnS L: P: I: --gitignore --gitfile= --ignore-case --matchdirs --metafirst --prune --info --infofile= --noreport --charset= --filelimit= --du --si --timefmt= --sort=? --dirsfirst --filesfirst --inodes --device --fromfile --fromtabfile --hintro= --version --help",
    ),
  ],
  [
    "rg",
    only(
      "aciFhHIlLnNopPqsSTuUvwx0b. A: B: C: d: E: e: f: g: j: m: M: r: t: T: --after-context= --before-context= --context= --auto-hybrid-regex --binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context-separator= --count --count-matches --crlf --debug --dfa-size-limit= --encoding= --engine= --field-context-separator= --field-match-separator= --file= --files --files-with-matches --files-without-match --fixed-strings --follow --glob= --glob-case-insensitive --heading --help --hidden --iglob= --ignore-case --ignore-file= --ignore-file-case-insensitive --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --multiline --multiline-dotall --no-config --no-context-separator --no-filename --no-heading --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-mmap --no-pcre2-unicode --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --pcre2-version --pretty --quiet --regex-size-limit= --regexp= --replace= --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trim --type= --type-list --type-not= --unrestricted --version --vimgrep --with-filename --word-regexp --hyperlink-format=",
    ),
  ],
  ...every(
    only(
      "HIusgiFaL0pq1 d: E: t: e: S: c: j: o: --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --and= --absolute-path --relative-path --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --prune --type= --extension= --size= --changed-within= --changed-before= --owner= --format= --max-results= --quiet --show-errors --base-directory= --path-separator= --search-path= --strip-cwd-prefix=? --one-file-system --color= --threads= --help --version",
    ),
    "fd fdfind",
  ),
  [
    "find",
    only(
      "-H -L -P -O=? -maxdepth= -mindepth= -mount -xdev -noleaf -depth -d -follow -daystart -warn -nowarn -regextype= -ignore_readdir_race -noignore_readdir_race -files0-from= -amin= -anewer= -atime= -cmin= -cnewer= -ctime= -empty -executable -false -fstype= -gid= -group= -ilname= -iname= -inum= -ipath= -iregex= -iwholename= -links= -lname= -mmin= -mtime= -name= -newer= -newerXY= -newermt= -newerat= -newerct= -newermm= -nogroup -nouser -path= -perm= -readable -regex= -samefile= -size= -true -type= -uid= -used= -user= -wholename= -writable -xtype= -context= -print -print0 -printf= -ls -prune -quit -not -a -and -o -or",
      { style: "words" },
    ),
  ],
  ["env", only("0 --null", { most: 0 })],
  ["hostname", only("fisIAd --fqdn --short --all-ip-addresses --ip-address --domain", { most: 0 })],
  ...every(
    VERSION,
    "node npm pnpm yarn deno bun python python3 pip pip3 ruby gem cargo rustc java javac gcc clang make cmake docker kubectl rg php perl tsc bash",
  ),
]);
