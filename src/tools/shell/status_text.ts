/** How a command ended, in the words the model reads. Pure. */
import type { ExitStatus } from "../../contract/workspace.ts";

/** Ended by a broken pipe: a later stage had enough, which is what `| head` is for. */
const BROKEN_PIPE = 141;

const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
  24: "SIGXCPU",
  25: "SIGXFSZ",
};

/** First line of a failed command's result; undefined for exit 0. */
export function failureLine(status: ExitStatus): string | undefined {
  if (status.signal !== undefined) return `error: ended by signal ${status.signal}`;
  if (status.code === 0) return undefined;
  const code = status.code ?? -1;
  // A shell reports the death of its last command by a signal as 128 and the signal's number.
  const signal = SIGNALS[code - 128];
  return `error: exit status ${code}${signal ? ` (${signal})` : ""}`;
}

/** Tells of stages that failed although the pipeline's own exit code does not say so. */
export function pipelineLine(status: ExitStatus): string | undefined {
  const stages = status.pipeStatus;
  const failed = stages?.slice(0, -1).some((code) => code !== 0 && code !== BROKEN_PIPE);
  return failed ? `[exit codes of the pipeline's stages: ${stages!.join(" ")}]` : undefined;
}
