/**
 * How a command line becomes an argument list on POSIX systems, and what comes back beside its output. A small `sh`
 * joins stdout and stderr before it becomes the command, so the two are interleaved by the kernel; the pipe that was
 * its stderr is left over as a control channel with one fact a line:
 *
 *     up              the launcher runs, so what stands before it (a sandbox) has let it start
 *     pipe 1 0        exit codes of the stages of the last pipeline
 *     exit 3          the command has ended, while the launcher waits for what it left behind
 *
 * The command text is handed to the shell untouched. Pure.
 */
import type { Wall } from "../contract/workspace.ts";
import { shellQuote } from "../lib/shell_quote.ts";

export interface Launch {
  readonly argv: readonly string[];
  /** Over the environment of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** True when the control channel says anything. */
  readonly control: boolean;
}

export interface LaunchRequest {
  readonly command: { readonly shell: string } | { readonly argv: readonly string[] };
  readonly shell: { readonly name: string; readonly path: string };
  readonly within?: Wall;
  /** `BASH_ENV` of the command's environment. */
  readonly bashEnv?: string;
}

/** Far above what scripts use themselves: 9 and 200 are common for locks. */
const REPORT_FD = 247;

/** One argument may hold 128 KiB on Linux. */
const LARGEST_ARGUMENT = 120_000;

export function launch(request: LaunchRequest): Launch {
  const { within } = request;
  const { argv, reporter } = plainCommand(request);
  const reports = reporter !== "";
  const supervised = within?.ownsTree === true;
  const script = launcher({ reports, supervised, announces: within !== undefined });
  return {
    argv: [...(within?.argv ?? []), "/bin/sh", "-c", script, "sh", reporter, ...argv],
    env: reports ? { BASH_ENV: "/dev/fd/8" } : {},
    control: reports || within !== undefined,
  };
}

export interface PlainCommand {
  readonly argv: readonly string[];
  /** What bash is to source before the command so that it reports a pipeline's stages; empty for nothing. */
  readonly reporter: string;
}

/** The command without anything around it. */
export function plainCommand({ command, shell, bashEnv }: Omit<LaunchRequest, "within">): PlainCommand {
  if ("argv" in command) return { argv: command.argv, reporter: "" };
  const reports = shell.name === "bash" && hasPipeline(command.shell);
  return {
    argv: [shell.path, ...shellArguments(command.shell)],
    reporter: reports ? pipeReporter(bashEnv) : "",
  };
}

/** True when a `|` that is not half of `||` stands anywhere: cheap, and too often true rather than too seldom. */
export function hasPipeline(text: string): boolean {
  return /(?:^|[^|])\|(?!\|)/.test(text);
}

function shellArguments(text: string): string[] {
  if (text.length < LARGEST_ARGUMENT / 3) return ["-c", text];
  const pieces: string[] = [];
  // In UTF-8 a UTF-16 unit takes at most three bytes. A pair is never cut: both halves would be lost.
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + Math.floor(LARGEST_ARGUMENT / 3));
    if (/[\ud800-\udbff]/.test(text[end - 1]!)) end--;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return ["-c", `IFS=; REASONIX_TEXT="$*"; unset IFS; set --; eval "$REASONIX_TEXT"`, "bash", ...pieces];
}

/** Its variables have names no environment has: one that came in would reach the command changed. */
function launcher(how: { reports: boolean; supervised: boolean; announces: boolean }): string {
  const redirects = how.reports ? `9>&2 2>&1 8<<E\n$reasonix_report\nE` : `2>&1`;
  const up = how.announces ? "echo up >&2\n" : "";
  if (!how.supervised) return `${up}reasonix_report=$1; shift\nexec "$@" ${redirects}`;
  // The wall's first process binds itself to our life only after it has started this shell, and then sleeps: a command
  // that began before that could outlive us. The namespace dies with this shell, so it stays while anything the command
  // left behind is alive. The brackets keep what it says about a killed command out of the output.
  return `reasonix_n=0
while [ $((reasonix_n += 1)) -lt 20000 ] && read -r _ _ reasonix_state _ </proc/1/stat && [ "$reasonix_state" != S ]
do :; done
${up}reasonix_count() { reasonix_n=$#; }; reasonix_count /proc/[0-9]*; reasonix_base=$reasonix_n
reasonix_report=$1; shift
( exec "$@" ${redirects}
)
reasonix_status=$?
reasonix_count /proc/[0-9]*
[ $reasonix_n -le $reasonix_base ] && exit $reasonix_status
echo "exit $reasonix_status" >&2
while [ $reasonix_n -gt $reasonix_base ]; do sleep 0.3; reasonix_count /proc/[0-9]*; done
exit $reasonix_status`;
}

/**
 * Sourced by bash before the command, through `BASH_ENV`: reports on exit unless the command sets an exit trap of its
 * own. The descriptors the launcher used are free again and `BASH_ENV` is what it was, its file sourced.
 */
function pipeReporter(bashEnv: string | undefined): string {
  const restore = bashEnv === undefined
    ? "unset BASH_ENV"
    : `BASH_ENV=${shellQuote(bashEnv)}; eval "[ -r \\"$BASH_ENV\\" ] && . \\"$BASH_ENV\\""`;
  const trap = `{ builtin printf "%s " pipe "\${PIPESTATUS[@]}"; builtin echo; } >&${REPORT_FD} 2>/dev/null`;
  return `exec ${REPORT_FD}>&9 8<&- 9>&-
${restore}
trap '${trap}' EXIT`;
}

export interface ControlFacts {
  readonly up: boolean;
  readonly pipeStatus?: readonly number[];
  /** Exit code of a command whose launcher still waits. */
  readonly exit?: number;
  /** What was printed before `up`: the words of a wall that did not let the command start. */
  readonly before: string;
}

/** Reads what the control channel said so far. Words that are not facts are not an error: a shell may grumble there. */
export function parseControl(text: string): ControlFacts {
  const lines = text.split("\n");
  const at = lines.indexOf("up");
  let pipeStatus: readonly number[] | undefined;
  let exit: number | undefined;
  for (const line of lines.slice(at + 1, -1)) {
    const fact = /^(pipe|exit)((?: \d{1,3})+) ?$/.exec(line);
    if (!fact) continue;
    const codes = fact[2]!.trim().split(" ").map(Number);
    if (fact[1] === "exit") exit ??= codes[0];
    else pipeStatus = codes.length > 1 ? codes : undefined;
  }
  return {
    up: at >= 0,
    before: (at < 0 ? lines : lines.slice(0, at)).join("\n").trim(),
    ...(pipeStatus && { pipeStatus }),
    ...(exit !== undefined && { exit }),
  };
}
