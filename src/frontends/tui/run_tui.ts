/**
 * The terminal from start to end: puts the parts together, starts the screen, and gives the terminal back whatever
 * ends it: leaving, a signal, an error of the program. The session is closed before this settles.
 */
import type { Terminal } from "@earendil-works/pi-tui";
import { type EndSignal, signalExitCode } from "../../lib/end_signals.ts";
import type { Look } from "./look.ts";
import type { TuiEnd, TuiPorts } from "./ports.ts";
import { writeCrashReport } from "./process/crash_report.ts";
import { Guard } from "./process/guard.ts";
import { forceRestore } from "./process/terminal.ts";
import type { Session } from "./session/session.ts";
import { Stage } from "./stage.ts";

/** Milliseconds that seconds on the screen may lag behind. */
const CLOCK = 1_000;

export interface TuiParts {
  /** Another terminal than the process's own, for tests. */
  readonly terminal?: Terminal;
  /** See `QUESTION_GRACE_MS`. */
  readonly questionGraceMs?: number;
  /** Leaves, as the person would. */
  readonly signal?: AbortSignal;
}

export async function runScreen(ports: TuiPorts, parts: TuiParts = {}): Promise<TuiEnd> {
  const { controller } = ports;
  const own = parts.terminal === undefined;
  const ended = Promise.withResolvers<Ending>();
  const leave = () => ended.resolve({ kind: "left" });
  const crash = (error: unknown) => ended.resolve({ kind: "crashed", error });
  parts.signal?.addEventListener("abort", leave, { once: true });
  const stage = new Stage(ports, {
    terminal: parts.terminal,
    questionGraceMs: parts.questionGraceMs,
    leave,
    crash,
  });
  const unsubscribe = controller.subscribe((event) => {
    try {
      stage.onEvent(event);
    } catch (error) {
      // A screen that is behind the session would show what is not so.
      crash(error);
    }
  });
  const clock = setInterval(() => stage.tick(), CLOCK);
  const guard = new Guard({ crash, signal: (name) => ended.resolve({ kind: "signal", name }) });
  if (own) guard.install();

  let ending: Ending;
  try {
    stage.start();
    if (ports.confirmYolo) void confirmYolo(stage.session, ports, stage.look);
    if (ports.firstCommand) void stage.session.runCommand(ports.firstCommand);
    ending = await ended.promise;
  } catch (error) {
    ending = { kind: "crashed", error };
  }
  clearInterval(clock);
  unsubscribe();
  const quietly = ending.kind === "left";
  // The error that is told is the one that ended it.
  await stage.close({ quietly }).catch(() => {});
  if (own && !quietly) forceRestore();
  // What comes now, a second signal or the last words to a terminal that is gone, must not cut the closing short.
  await controller.close();
  guard.remove();
  return await toEnd(ending, ports, stage.look);
}

type Ending =
  | { readonly kind: "left" }
  | { readonly kind: "signal"; readonly name: EndSignal }
  | { readonly kind: "crashed"; readonly error: unknown };

async function toEnd(ending: Ending, ports: TuiPorts, { t }: Look): Promise<TuiEnd> {
  const { controller, home, version } = ports;
  const used = controller.messages.length > 0;
  const resume = used ? [t("leave.resume", { command: ports.resumeCommand(controller.sessionId) })] : [];
  switch (ending.kind) {
    case "left":
      return { exitCode: 0, lines: resume };
    case "signal":
      return { exitCode: signalExitCode(ending.name), lines: ending.name === "SIGHUP" ? [] : resume };
    case "crashed": {
      const { error } = ending;
      const sessionId = controller.sessionId;
      const path = await writeCrashReport(home, { at: new Date(), version, sessionId, error, redact: ports.redact });
      const text = ports.redact(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
      return {
        exitCode: 1,
        lines: [t("crash.title"), `  ${text}`, ...(path ? [t("crash.report", { path })] : []), ...resume],
      };
    }
  }
}

async function confirmYolo(
  session: Session,
  { controller, confirmYolo: accept }: TuiPorts,
  { t }: Look,
): Promise<void> {
  const yes = await session.confirm({
    title: t("yolo.title"),
    text: t("yolo.text"),
    yes: t("yolo.yes"),
    no: t("yolo.no"),
  });
  if (yes) await accept?.();
  else controller.send({ kind: "set_posture", posture: "ask" });
}
