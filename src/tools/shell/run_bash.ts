/**
 * The command behind `bash`. The call ends with the direct child, at the limit, or when the turn is
 * stopped; what outlives its shell becomes a listed job, what was stopped leaves nothing behind.
 */
import { Refusal, ToolError } from "../../contract/errors.ts";
import type { Jobs, JobView } from "../../contract/jobs.ts";
import type { ToolExecution } from "../../contract/message.ts";
import type { ToolContext, ToolOutput, ToolPorts } from "../../contract/tool.ts";
import type { ExitStatus, Processes, RunningCommand } from "../../contract/workspace.ts";
import { toBytes } from "../../lib/bytes.ts";
import { toLine } from "../../lib/terminal_text.ts";
import { LONGEST_DELAY, settledWithin } from "../../lib/waiting.ts";
import { BoundedOutput } from "./bounded_output.ts";
import { createProgress } from "./progress.ts";
import { failureLine, pipelineLine } from "./status_text.ts";

/** A stop that the system does not carry out in this time does not hold the turn any longer. Milliseconds. */
const STOP_MS = 900;

interface Arguments {
  readonly command: string;
  readonly run_in_background?: boolean;
  readonly preserve_background_processes?: boolean;
  readonly timeout_seconds?: number;
  readonly verifies?: string;
}

export async function runBash(
  { workspace: { processes }, settings, jobs }: ToolPorts,
  args: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolOutput> {
  const call = args as unknown as Arguments;
  if (call.command.trim() === "") throw new ToolError("command is required");
  if (call.command.includes("\0")) throw new ToolError("a command cannot hold a NUL character");
  if (call.verifies !== undefined) await checkForm(call.command);
  const env = settings.shellEnv;
  if (call.run_in_background) return await runInBackground(call, { processes, jobs, env });
  const limits = [settings.bashTimeoutSeconds || Infinity, call.timeout_seconds ?? Infinity];
  return await runInForeground(call, { processes, jobs, env, context, seconds: Math.min(...limits) });
}

async function checkForm(command: string): Promise<void> {
  const { isVerificationForm } = await import("./verification_form.ts");
  if (await isVerificationForm(command)) return;
  throw new ToolError(
    "with `verifies` the command must be a single command or an `&&` chain, so that its exit code tells; not executed",
  );
}

interface Surroundings {
  readonly processes: Processes;
  readonly jobs: Jobs;
  readonly env: Readonly<Record<string, string>>;
}

async function runInBackground(call: Arguments, { processes, jobs, env }: Surroundings): Promise<ToolOutput> {
  const sink = createSink();
  const running = await processes.start({ command: { shell: call.command }, env, onOutput: sink.write });
  const job = addJob(jobs, { running, command: call.command, sink, first: true });
  const text = `Started background job "${job.id}". Read it with bash_output, wait for it with wait, ` +
    `stop it with kill_shell.`;
  return { text, execution: { state: "background" } };
}

interface Foreground extends Surroundings {
  readonly context: ToolContext;
  /** `Infinity` for none. */
  readonly seconds: number;
}

type Ending = { readonly how: "ended"; readonly status: Awaited<RunningCommand["ended"]> } | {
  readonly how: "timeout" | "stopped";
};

async function runInForeground(call: Arguments, options: Foreground): Promise<ToolOutput> {
  const { processes, jobs, env, context, seconds } = options;
  context.signal.throwIfAborted();
  const output = new BoundedOutput();
  const progress = createProgress((text) => context.progress(text));
  const sink = createSink();
  sink.to((bytes) => progress.add(output.write(bytes)));
  const startedAt = performance.now();
  const running = await processes.start({ command: { shell: call.command }, env, onOutput: sink.write });
  const ending = await endOf(running, {
    signal: context.signal,
    seconds,
    onLate: () =>
      progress.note(`[${Math.round(seconds * 0.8)} s of ${seconds} s used: run_in_background has no limit]`),
  });
  if (ending.how !== "ended") await settledWithin(running.kill().then(() => running.ended), STOP_MS);
  output.end();
  progress.end();
  const duration = Math.round(performance.now() - startedAt);
  if (ending.how !== "ended") return interrupted(ending.how, { output, call, seconds, duration });

  const { status } = ending;
  if (status.wallFailure !== undefined) {
    throw new Refusal("sandbox.unavailable", `the sandbox did not let the command start: ${status.wallFailure}`);
  }
  const notes = [pipelineLine(status)];
  for (const hint of status.wallHints ?? []) notes.push(`[${hint.code ? `${hint.code}: ` : ""}${hint.text}]`);
  if (status.survivors.length > 0) {
    notes.push(survivorsLine({ jobs, running, sink, call }));
  }
  const failure = failureLine(status);
  return {
    text: joined([failure, output.text(), ...notes]),
    ...(failure && { failed: true }),
    ...(failure && status.wallHints && { walls: status.wallHints }),
    execution: execution(failure ? "failed" : "completed", { status, duration, call }),
  };
}

/** Hands what still runs to the job table; stops it when the table is full. */
function survivorsLine(
  { jobs, running, sink, call }: { jobs: Jobs; running: RunningCommand; sink: Sink; call: Arguments },
): string {
  try {
    const job = addJob(jobs, { running, command: call.command, sink, first: false });
    const advice = call.preserve_background_processes ? "" : " Stop it with kill_shell if it was not meant to stay.";
    return `[what the command left running is background job "${job.id}".${advice}]`;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    void running.kill();
    return `[a process the command left running was stopped: ${error.message}]`;
  }
}

function interrupted(
  how: "timeout" | "stopped",
  { output, call, seconds, duration }: { output: BoundedOutput; call: Arguments; seconds: number; duration: number },
): ToolOutput {
  const line = how === "timeout"
    ? `error: command timed out (> ${seconds} s); everything it started was stopped. ` +
      `Use run_in_background for what takes longer.`
    : "error: stopped by the person; everything it started was stopped";
  return {
    text: joined([line, output.text()]),
    failed: true,
    execution: execution(how === "timeout" ? "timed_out" : "cancelled", { duration, call }),
  };
}

function execution(
  state: ToolExecution["state"],
  facts: { readonly status?: ExitStatus; readonly duration: number; readonly call: Arguments },
): ToolExecution {
  const { status, duration, call } = facts;
  return {
    state,
    ...(status?.code === undefined ? {} : { exit_code: status.code }),
    ...(status?.pipeStatus && { pipe_status: status.pipeStatus }),
    ...(status?.signal === undefined ? {} : { signal: status.signal }),
    duration_ms: duration,
    ...(call.verifies === undefined ? {} : { verifies: call.verifies }),
  };
}

function joined(parts: readonly (string | undefined)[]): string {
  let text = "";
  for (const part of parts) {
    if (!part) continue;
    if (text !== "" && !text.endsWith("\n")) text += "\n";
    text += part;
  }
  return text;
}

async function endOf(
  running: RunningCommand,
  { signal, seconds, onLate }: { signal: AbortSignal; seconds: number; onLate(): void },
): Promise<Ending> {
  const cut = Promise.withResolvers<Ending>();
  const stop = () => cut.resolve({ how: "stopped" });
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const timers = seconds === Infinity ? [] : [
    setTimeout(onLate, Math.min(seconds * 800, LONGEST_DELAY)),
    setTimeout(() => cut.resolve({ how: "timeout" }), Math.min(seconds * 1000, LONGEST_DELAY)),
  ];
  try {
    return await Promise.race([cut.promise, running.ended.then((status) => ({ how: "ended", status }) as const)]);
  } finally {
    timers.forEach(clearTimeout);
    signal.removeEventListener("abort", stop);
  }
}

/** Output whose receiver changes: the call's own, then a job's. What comes while there is none waits. */
interface Sink {
  readonly write: (bytes: Uint8Array) => void;
  to(receiver: (bytes: Uint8Array) => void): void;
}

function createSink(): Sink {
  let receive: ((bytes: Uint8Array) => void) | undefined;
  const early: Uint8Array[] = [];
  return {
    write: (bytes) => receive ? receive(bytes) : void early.push(bytes),
    to(receiver) {
      receive = receiver;
      for (const bytes of early.splice(0)) receiver(bytes);
    },
  };
}

interface NewJob {
  readonly running: RunningCommand;
  readonly command: string;
  readonly sink: Sink;
  /** True for a command started in the background, false for what a command left behind. */
  readonly first: boolean;
}

function addJob(jobs: Jobs, { running, command, sink, first }: NewJob): JobView {
  return jobs.add({
    kind: "bash",
    label: toLine(command, 60),
    async run(output) {
      sink.to((bytes) => output.write(bytes));
      const status = await running.ended;
      const failure = status.wallFailure === undefined
        ? failureLine(status)
        : `error: the sandbox did not let the command start: ${status.wallFailure}`;
      if (first && failure !== undefined) output.write(toBytes(`${failure}\n`));
      await running.gone();
      return first && failure !== undefined ? "failed" : "done";
    },
    stop: () => running.kill(),
  });
}
