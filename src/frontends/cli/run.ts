/**
 * `reasonix run` and `-p`: one task, headless. Stdout holds the answer or, in the JSON forms, nothing but JSON; stderr
 * holds what needs action. SIGINT, SIGTERM and SIGHUP save and leave within five seconds.
 */
import { assemble, type Assembly } from "../../assembly/mod.ts";
import { ReasonixError } from "../../contract/errors.ts";
import type { EventListener } from "../../contract/event.ts";
import { EndSignals } from "../../lib/end_signals.ts";
import { errorText } from "../../lib/error_text.ts";
import { toLine, toTerminal } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { UsageError } from "./flags.ts";
import { DebugLines } from "./output/debug_lines.ts";
import type { Streams } from "./output/output.ts";
import type { RunPrinter } from "./output/machine_printers.ts";
import type { OutputFiles } from "./output/output_files.ts";
import type { RunEnd } from "./output/run_report.ts";
import { RunTotals } from "./output/run_totals.ts";
import { TextPrinter } from "./output/text_printer.ts";
import { type RunOptions, toRunOptions } from "./run_options.ts";

export async function run(context: CommandContext): Promise<number> {
  const { streams, parsed } = context;
  streams.queue();
  const options = toRunOptions(parsed);
  const prompt = await readPrompt(parsed.words);
  for (const warning of options.warnings) streams.err.line(`! ${warning}`);
  const started = performance.now();
  const files = await openFiles(options);
  using signals = new EndSignals();
  let assembly: Assembly | undefined;
  try {
    assembly = await signals.unlessStopped(assemble({
      directory: options.dir,
      model: options.model,
      effort: options.effort,
      maxSteps: options.maxSteps,
      addDirs: options.addDirs,
      allowedTools: options.allowedTools,
      preset: options.preset,
      posture: options.posture,
      resume: options.resume,
      copy: options.copy,
      takeover: options.takeover,
      interactive: false,
    }));
    if (signals.first !== undefined) {
      await assembly?.controller.close();
      throw new ReasonixError("turn.cancelled", `${signals.first} came before the turn began`);
    }
  } catch (error) {
    files?.close();
    return await failedStart(error, options, streams);
  }
  return await runTask(prompt, {
    assembly: assembly!,
    options,
    streams,
    ...(files ? { files } : {}),
    signals,
    started,
  });
}

/** Loaded where there is something to write. */
async function openFiles({ metrics, trajectory }: RunOptions): Promise<OutputFiles | undefined> {
  if (metrics === undefined && trajectory === undefined) return undefined;
  const { OutputFiles } = await import("./output/output_files.ts");
  return new OutputFiles({ metrics, trajectory });
}

export interface Task {
  readonly assembly: Assembly;
  readonly options: RunOptions;
  readonly streams: Streams;
  /** Closed at the end of the task. */
  readonly files?: OutputFiles;
  readonly signals: EndSignals;
  /** `performance.now()` at the start. */
  readonly started: number;
}

/** How long a reader may still take what is written once a signal has come. Milliseconds. */
const OUTPUT_GRACE = 500;

/** Runs the prompt to its end and answers the exit code. */
export async function runTask(prompt: string, task: Task): Promise<number> {
  const { assembly, options, streams, files, signals } = task;
  const { controller } = assembly;
  const totals = new RunTotals(task.started);
  const printer = await openPrinter(task);
  for (const notice of controller.notices) streams.err.line(`! ${toLine(notice, 500)}`);
  controller.subscribe((event) => totals.add(event, performance.now()));
  for (const print of printer.listeners) controller.subscribe(print);
  windDown(task);
  try {
    const receipt = controller.send({ kind: "prompt", text: prompt });
    const summary = receipt.accepted ? await receipt.turn : undefined;
    if (summary === undefined) throw new ReasonixError("internal.bug", "the session did not take the prompt");
    const end: RunEnd = {
      outcome: summary.outcome,
      answer: summary.answer,
      ...(summary.failure ? { failure: summary.failure } : {}),
      sessionId: controller.sessionId,
      posture: controller.posture,
      durationMs: performance.now() - task.started,
      servers: controller.servers?.list() ?? [],
      exitCode: summary.failure ? EXIT.failure : exitCodeOf(totals, options),
    };
    printer.end(end, totals);
    tellProblems(end, totals, options, streams);
    const unwritten = files?.finish(end, totals) ?? [];
    for (const line of unwritten) streams.err.line(`error: ${toLine(line, 500)}`);
    await streams.flush(signals.heardFor(OUTPUT_GRACE));
    return streams.out.isBroken || unwritten.length > 0 ? EXIT.failure : end.exitCode;
  } finally {
    await controller.close();
    files?.close();
    await streams.flush(signals.heardFor(OUTPUT_GRACE));
  }
}

/** Of a turn that ended by itself. */
function exitCodeOf(totals: RunTotals, { failOnUnverified }: RunOptions): number {
  if (failOnUnverified && (totals.openUntrusted > 0 || totals.unchecked)) return EXIT.unverified;
  return totals.openRefusals > 0 ? EXIT.refused : EXIT.success;
}

async function openPrinter({ assembly, options, streams, files, started }: Task): Promise<RunPrinter> {
  const listeners: EventListener[] = [];
  let end: RunPrinter["end"] = () => {};
  const { out } = streams;
  if (options.format === "text") {
    const { showTurnUsage } = assembly.project.loaded.config.ui;
    listeners.push(new TextPrinter(streams, { showThinking: options.showThinking, receipts: showTurnUsage }).print);
  } else if (options.format === "print") {
    end = (result) => result.answer !== "" && out.line(toTerminal(result.answer).trimEnd());
  } else {
    const { openMachinePrinter } = await import("./output/machine_printers.ts");
    const printer = openMachinePrinter(options.format, out);
    listeners.push(...printer.listeners);
    end = printer.end;
  }
  if (options.debug) {
    const debug = new DebugLines(streams.err, { started });
    const { controller, project } = assembly;
    debug.fact("folder", `${project.root}${project.trusted ? "" : ", not trusted"}`);
    debug.fact("session", controller.sessionPath);
    debug.fact("model", JSON.stringify(controller.model));
    debug.fact("posture", controller.posture);
    listeners.push(debug.print);
  }
  if (files?.trajectory) listeners.push(files.trajectory.print);
  return { listeners, end };
}

/** In the human forms, what went wrong stands on stderr: the failure, and each refused call. */
function tellProblems(end: RunEnd, totals: RunTotals, options: RunOptions, { err }: Streams): void {
  if (options.format !== "text" && options.format !== "print") return;
  if (end.failure) {
    err.line(`error: ${toTerminal(end.failure.message)}`);
    if (end.failure.remedy) err.line(`  ${toTerminal(end.failure.remedy)}`);
  }
  const undone = end.exitCode === EXIT.refused || end.exitCode === EXIT.unverified;
  if (totals.denials.length === 0 || (options.format === "text" && !undone)) return;
  err.line(undone ? "error: the work was not done: needed calls were refused" : "! calls were refused:");
  const lines = totals.denials.map((denial) =>
    `  ${denial.tool_name}: ${denial.code}${denial.remedy ? ` (${toLine(denial.remedy, 500)})` : ""}`
  );
  for (const line of new Set(lines)) {
    const times = lines.filter((other) => other === line).length;
    err.line(times > 1 ? `${line} ×${times}` : line);
  }
}

async function failedStart(error: unknown, options: RunOptions, streams: Streams): Promise<number> {
  if (options.format === "text" || options.format === "print") throw error;
  const known = error instanceof ReasonixError ? error : undefined;
  const end: RunEnd = {
    outcome: "failed",
    answer: "",
    failure: {
      code: known?.code ?? "internal.bug",
      message: errorText(error),
      ...(known?.remedy ? { remedy: known.remedy } : {}),
    },
    sessionId: "",
    posture: options.posture ?? "ask",
    durationMs: 0,
    exitCode: EXIT.failure,
  };
  const { printFailedStart } = await import("./output/machine_printers.ts");
  printFailedStart(end, options.format, streams.out);
  return known?.code === "cli.usage" || known?.code === "workspace.unusable" ? EXIT.usage : EXIT.failure;
}

/** Signals and a closed stdout stop the turn; the run then ends by its ordinary path, session saved. */
function windDown({ assembly: { controller }, signals, streams }: Task): void {
  const stop = () => void controller.send({ kind: "cancel" });
  signals.tell(stop);
  void streams.out.closed.then((error) => {
    if (error !== undefined) {
      streams.err.line(`error: cannot write the output: ${errorText(error)}`);
    }
    stop();
  });
}

/** Joined words, else standard input when it is not a terminal. */
async function readPrompt(words: readonly string[]): Promise<string> {
  const typed = words.join(" ");
  if (typed.trim() !== "") return typed;
  if (!Deno.stdin.isTerminal()) {
    const piped = await new Response(Deno.stdin.readable).text();
    if (piped.trim() !== "") return piped;
  }
  throw new UsageError("usage: reasonix -p [--model NAME] <task>");
}
