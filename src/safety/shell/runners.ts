/**
 * Programs and builtins that run text as code, as data: shells, interpreters with inline programs, evaluators. A line that
 * reaches one of them this way is nested: what it does is not what it says.
 */
import { type OptionGrammar, options } from "./options.ts";

/** Shells read a script file, or a line after `-c`, or standard input. */
export const SHELLS: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "dash",
  "ash",
  "zsh",
  "ksh",
  "mksh",
  "rbash",
  "fish",
  "csh",
  "tcsh",
  "yash",
  "posh",
]);

/** Before `-c` and after: `-lc`, `-o pipefail`, `--norc`. */
export const SHELL_OPTIONS: OptionGrammar = options(
  "abefhiklmnprstuvxBCDEHPTcN o: O: A: --login --norc --noprofile --posix --verbose --restricted --noediting --debugger --rcfile= --init-file= --init-command= --command= --private --no-config",
);

export const POWERSHELLS: ReadonlySet<string> = new Set(["pwsh", "powershell", "pwsh-preview"]);

export interface Interpreter {
  /** Options whose value, or whose presence, is a program. */
  readonly inline: readonly string[];
  /** Subcommands that take a program. */
  readonly verbs?: readonly string[];
  /** Options with a separate value that is no program; needed to find the script file. */
  readonly valued?: string;
  /** Reads its program from standard input when no file is named. */
  readonly readsInput: boolean;
}

const PYTHON: Interpreter = { inline: ["-c"], valued: "W X m", readsInput: true };
const NODE: Interpreter = {
  inline: ["-e", "-p", "-pe", "--eval", "--print"],
  valued: "r C --require --import --loader --experimental-loader --conditions --env-file",
  readsInput: true,
};

export const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map(Object.entries<Interpreter>({
  python: PYTHON,
  python2: PYTHON,
  python3: PYTHON,
  pypy: PYTHON,
  pypy3: PYTHON,
  ipython: PYTHON,
  node: NODE,
  nodejs: NODE,
  bun: { inline: ["-e", "-p", "--eval", "--print"], readsInput: false },
  deno: { inline: ["-e"], verbs: ["eval"], readsInput: false },
  tsx: { inline: ["-e", "-p", "--eval", "--print"], readsInput: false },
  "ts-node": { inline: ["-e", "-p", "--eval", "--print"], readsInput: true },
  ruby: { inline: ["-e"], valued: "r I C E W", readsInput: true },
  irb: { inline: [], readsInput: true },
  perl: { inline: ["-e", "-E"], valued: "", readsInput: true },
  php: { inline: ["-r", "-R", "-B", "-E", "--run"], valued: "c d z", readsInput: true },
  lua: { inline: ["-e"], valued: "l", readsInput: true },
  luajit: { inline: ["-e"], valued: "l", readsInput: true },
  Rscript: { inline: ["-e"], readsInput: false },
  R: { inline: ["-e"], readsInput: true },
  julia: { inline: ["-e", "-E", "--eval", "--print"], valued: "t p J", readsInput: true },
  elixir: { inline: ["-e", "--eval"], readsInput: true },
  erl: { inline: ["-eval"], readsInput: false },
  ghc: { inline: ["-e"], readsInput: false },
  runghc: { inline: [], readsInput: true },
  swift: { inline: ["-e"], readsInput: true },
  groovy: { inline: ["-e"], readsInput: false },
  scala: { inline: ["-e"], readsInput: false },
  osascript: { inline: ["-e"], valued: "l s", readsInput: true },
  tclsh: { inline: [], readsInput: true },
  expect: { inline: ["-c"], readsInput: true },
  gdb: { inline: ["-ex", "-iex", "--eval-command", "--init-eval-command"], readsInput: false },
  vim: { inline: ["-c", "--cmd"], readsInput: false },
  nvim: { inline: ["-c", "--cmd"], readsInput: false },
  vi: { inline: ["-c"], readsInput: false },
  ex: { inline: ["-c"], readsInput: true },
  ed: { inline: [], readsInput: true },
  emacs: { inline: ["--eval", "-eval"], readsInput: false },
  make: { inline: ["--eval"], readsInput: false },
  mshta: { inline: [], readsInput: false },
}));

/** Builtins that run text, or change what later words mean. The value says when. */
export const EVALUATORS: ReadonlyMap<string, "always" | readonly string[]> = new Map(
  Object.entries<"always" | readonly string[]>({
    eval: "always",
    source: "always",
    ".": "always",
    trap: "always",
    fc: "always",
    bind: "always",
    alias: "always",
    enable: ["-f"],
    hash: ["-p"],
    mapfile: ["-C"],
    readarray: ["-C"],
    complete: ["-C", "-F", "-W"],
    compgen: ["-C", "-F", "-W"],
    iex: "always",
    "invoke-expression": "always",
  }),
);

/** Builtins that give their arguments to arithmetic or to a variable's name, where `a[$(…)]` runs. */
export const ARITHMETIC_BUILTINS: ReadonlySet<string> = new Set([
  "let",
  "declare",
  "typeset",
  "local",
  "export",
  "readonly",
  "unset",
  "read",
  "printf",
  "test",
  "[",
  "wait",
]);

/** Options by which ordinary programs run others. Names the program, tells the option. */
export const RUNNING_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  find: ["-exec", "-execdir", "-ok", "-okdir"],
  fd: ["-x", "-X", "--exec", "--exec-batch"],
  fdfind: ["-x", "-X", "--exec", "--exec-batch"],
  rg: ["--pre", "--hostname-bin"],
  sort: ["--compress-program"],
  tar: [
    "-I",
    "-F",
    "--use-compress-program",
    "--to-command",
    "--checkpoint-action",
    "--info-script",
    "--new-volume-script",
    "--rsh-command",
    "--rmt-command",
  ],
  ssh: ["-o", "-F", "-J"],
  scp: ["-S", "-o", "-F"],
  sftp: ["-S", "-o", "-F"],
  rsync: ["-e", "--rsh", "--rsync-path"],
  man: ["-P", "-H", "--pager", "--html"],
  zip: ["-TT", "--unzip-command"],
  tcpdump: ["-z"],
  ag: ["--pager"],
  awk: ["-f", "--file", "-l", "--load", "-i", "--include", "-E", "--exec"],
  gawk: ["-f", "--file", "-l", "--load", "-i", "--include", "-E", "--exec"],
  psql: ["-o"],
  chrome: ["--gpu-launcher", "--renderer-cmd-prefix", "--utility-cmd-prefix"],
  chromium: ["--gpu-launcher", "--renderer-cmd-prefix", "--utility-cmd-prefix"],
  go: ["-exec", "-toolexec", "-vettool"],
  cargo: ["--config"],
}));
