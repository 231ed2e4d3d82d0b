/**
 * Programs and builtins that run text as code, or other programs by an option: shells, interpreters, evaluators. Data,
 * reviewed like prose. A line that reaches one of them this way is nested: what it does is not what it says.
 */
import { options } from "./options.ts";

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Shells read a script file, a line after `-c`, or standard input. */
export const SHELLS = names(
  "sh bash dash ash zsh ksh ksh93 mksh lksh rbash fish csh tcsh yash posh oksh elvish nu xonsh",
);

/** What may stand in front of the line or the script. */
export const SHELL_OPTIONS = options(`
  abefhiklmnprstuvxBCDEHPTcN o: O:
  --login --norc --noprofile --posix --verbose --restricted --noediting --debugger --rcfile= --init-file=
  --version --help
`);

export const POWERSHELLS = names("pwsh pwsh-preview powershell");

export interface Interpreter {
  /** Options whose value, or whose presence, is a program. */
  readonly inline: readonly string[];
  /** Subcommands that take a program. */
  readonly verbs?: readonly string[];
  /** Options with a separate value that is no program. */
  readonly valued?: readonly string[];
  /** Options that name an installed module; what follows are its arguments. */
  readonly module?: readonly string[];
  /** Options may follow file names. */
  readonly anywhere?: boolean;
  /** Runs what it reads when no file is named. */
  readonly readsInput?: boolean;
}

const list = (text: string): readonly string[] => text.split(" ");

const PYTHON: Interpreter = { inline: ["-c"], valued: ["-W", "-X"], module: ["-m"], readsInput: true };
const NODE: Interpreter = {
  inline: list("-e -p -pe --eval --print"),
  valued: list("-r -C --require --import --loader --experimental-loader --conditions --env-file"),
  readsInput: true,
};
const EDITOR: Interpreter = { inline: list("-c -S --cmd + -s"), anywhere: true };

const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map(Object.entries<Interpreter>({
  python: PYTHON,
  pypy: PYTHON,
  ipython: PYTHON,
  node: NODE,
  nodejs: NODE,
  tsx: NODE,
  "ts-node": NODE,
  bun: { inline: list("-e -p --eval --print") },
  deno: { inline: [], verbs: ["eval", "repl"] },
  ruby: { inline: ["-e"], valued: list("-r -I -C -E -W"), readsInput: true },
  irb: { inline: [], readsInput: true },
  perl: { inline: ["-e", "-E"], valued: ["-I"], readsInput: true },
  php: { inline: list("-r -R -B -E --run"), valued: list("-c -d -z"), readsInput: true },
  lua: { inline: ["-e"], valued: ["-l"], readsInput: true },
  luajit: { inline: ["-e"], valued: ["-l"], readsInput: true },
  Rscript: { inline: ["-e"] },
  R: { inline: ["-e"], readsInput: true },
  julia: { inline: list("-e -E --eval --print"), valued: list("-t -p -J -L"), readsInput: true },
  elixir: { inline: list("-e --eval --rpc-eval"), readsInput: true },
  erl: { inline: list("-eval"), anywhere: true },
  ghc: { inline: ["-e"], anywhere: true },
  runghc: { inline: [], readsInput: true },
  swift: { inline: ["-e"], readsInput: true },
  groovy: { inline: ["-e"] },
  scala: { inline: ["-e"] },
  clojure: { inline: list("-e --eval"), readsInput: true },
  guile: { inline: ["-c"], readsInput: true },
  racket: { inline: list("-e --eval"), readsInput: true },
  sbcl: { inline: list("--eval"), anywhere: true, readsInput: true },
  osascript: { inline: ["-e"], valued: list("-l -s"), readsInput: true },
  tclsh: { inline: [], readsInput: true },
  wish: { inline: [], readsInput: true },
  expect: { inline: ["-c"], readsInput: true },
  gdb: { inline: list("-ex -iex --eval-command --init-eval-command --command -x --batch-silent"), anywhere: true },
  lldb: { inline: list("-o -O --one-line --one-line-before-file -s"), anywhere: true },
  vim: EDITOR,
  nvim: EDITOR,
  vi: EDITOR,
  view: EDITOR,
  ex: EDITOR,
  ed: { inline: [], readsInput: true, anywhere: true },
  emacs: { inline: list("--eval -eval --execute -f --funcall -l --load"), anywhere: true },
  make: { inline: list("--eval -E"), anywhere: true },
  gmake: { inline: list("--eval -E"), anywhere: true },
  dc: { inline: ["-e"], readsInput: true },
  bc: { inline: [], readsInput: false },
  sqlite3: { inline: ["-cmd"], anywhere: true },
}));

/** Also by versioned name: `python3.12`. */
export function interpreterNamed(name: string): Interpreter | undefined {
  return INTERPRETERS.get(name) ?? INTERPRETERS.get(name.replace(/[\d.]+$/, ""));
}

/** Builtins and cmdlets that run text or change what later words mean: always, or with one of these options. */
export const EVALUATORS: ReadonlyMap<string, "always" | readonly string[]> = new Map<string, "always" | string[]>([
  ["eval", "always"],
  ["source", "always"],
  [".", "always"],
  ["trap", "always"],
  ["fc", "always"],
  ["bind", "always"],
  ["alias", "always"],
  ["enable", ["-f"]],
  ["hash", ["-p"]],
  ["mapfile", ["-C"]],
  ["readarray", ["-C"]],
  ["complete", ["-C", "-F", "-W"]],
  ["compgen", ["-C", "-F", "-W"]],
]);

/** Builtins that set variables, or the shell itself, by their arguments: later words may then mean something else. */
export const SETTERS = names(
  "read mapfile readarray getopts export declare typeset local readonly unset let set shopt",
);

/** Builtins that take arguments for arithmetic or for a variable's name, where `a[$(…)]` runs. */
export const EVALUATE_ARGUMENTS = names(
  "let declare typeset local export readonly unset read printf test [ wait getopts mapfile readarray",
);

/** Options by which ordinary programs run others; `*` at the end: whatever is attached. `=value` may always follow. */
export const RUNNING_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<string>({
    find: "-exec -execdir -ok -okdir",
    fd: "-x* -X* --exec --exec-batch",
    fdfind: "-x* -X* --exec --exec-batch",
    rg: "--pre --hostname-bin",
    sort: "--comp*",
    ag: "--pager",
    tar: "-F* --to-command --checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command",
    zip: "-TT* --unzip-command",
    rsync: "--rsync-path",
    scp: "-S*",
    sftp: "-S* -D*",
    man: "-P* -H* --pager --html",
    tcpdump: "-z*",
    wget: "--use-askpass",
    chrome: "--gpu-launcher --renderer-cmd-prefix --utility-cmd-prefix",
    chromium: "--gpu-launcher --renderer-cmd-prefix --utility-cmd-prefix",
    "google-chrome": "--gpu-launcher --renderer-cmd-prefix --utility-cmd-prefix",
    go: "-exec --exec -toolexec --toolexec -vettool --vettool",
  }).map(([name, text]) => [name, text.split(" ")]),
);

const SSH = /^(-o)?\s*(proxy|local|knownhosts)command\b/i;

/** Arguments by which programs with a language of their own run others. */
export const RUNNING_TEXT: ReadonlyMap<string, RegExp> = new Map([
  ["ssh", SSH],
  ["scp", SSH],
  ["sftp", SSH],
]);
