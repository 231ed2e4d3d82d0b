/**
 * The terminal from start to end: puts the parts together, starts the screen, and gives the terminal back whatever
 * ends it: leaving, a signal, an error of the program. The session is closed before this settles.
 */
import { setCapabilities, type Terminal } from "@earendil-works/pi-tui";
import type { EventKind } from "../../contract/event.ts";
import type { Message } from "../../contract/message.ts";
import { type EndSignal, signalExitCode } from "../../lib/end_signals.ts";
import { createTranslate, languageOf } from "../view/mod.ts";
import { Composer } from "./composer/composer.ts";
import { Completion } from "./composer/completion.ts";
import type { Look } from "./look.ts";
import type { TuiEnd, TuiPorts } from "./ports.ts";
import { askBackground, firstMode } from "./process/background.ts";
import { writeCrashReport } from "./process/crash_report.ts";
import { gitBranch } from "./process/git_branch.ts";
import { Guard } from "./process/guard.ts";
import { callFor, callSequence } from "./process/notifications.ts";
import { copyText, editOutside, pasteImage, terminalCopy } from "./process/outside.ts";
import { CURSOR_DEFAULT, CURSOR_SHAPES, forceRestore, OwnTerminal, reflows } from "./process/terminal.ts";
import { MainScreen } from "./screen/main_screen.ts";
import { type ScreenModel, SessionScreen } from "./screen/session_screen.ts";
import { PersonShell } from "./session/person_shell.ts";
import { Session } from "./session/session.ts";
import { StatusCommand } from "./status/status_command.ts";
import { spokenCommands } from "./session/spoken_commands.ts";
import { ViewModel } from "./session/view_model.ts";
import { ACCENTS, createTheme, type ThemeMode } from "./theme.ts";

/** Milliseconds that the frames of a stream are apart, and that seconds on the screen may lag behind. */
const STREAM_FRAME = 50;
const CLOCK = 1_000;
/** Keys within this time after a question has appeared were meant for the composer. */
const APPROVAL_GRACE = 350;

/** After these the person's own status row may say something else. */
const CHANGES_STATUS: ReadonlySet<EventKind> = new Set(["turn_done", "usage", "compaction_done", "rewound"]);

const WINDOWS = Deno.build.os === "windows";

export interface TuiParts {
  /** Another terminal than the process's own, for tests. */
  readonly terminal?: Terminal;
  readonly approvalGraceMs?: number;
  /** Leaves, as the person would. */
  readonly signal?: AbortSignal;
}

export async function runScreen(ports: TuiPorts, parts: TuiParts = {}): Promise<TuiEnd> {
  const { controller, settings, env } = ports;
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const own = parts.terminal === undefined;
  const terminal = parts.terminal ?? new OwnTerminal();
  const t = createTranslate(settings.language);
  const themeOf = (mode: ThemeMode, accent = settings.accent) => createTheme(mode, accent, settings);
  let look: Look = {
    theme: themeOf(firstMode(settings.theme, env)),
    t,
    showReasoning: settings.showReasoning,
    unfoldOutput: false,
    foldDiffs: false,
    diffOutput: settings.diffOutput,
    showUsage: settings.showUsage,
  };
  const model = new ViewModel(controller);
  const commands = spokenCommands(controller.commands, () => look.t);
  let branch: string | undefined;
  let lazyFrame: ReturnType<typeof setTimeout> | undefined;
  const ended = Promise.withResolvers<Ending>();
  parts.signal?.addEventListener("abort", () => ended.resolve({ kind: "left" }), { once: true });

  const screen: SessionScreen = new SessionScreen((): ScreenModel => ({
    look,
    view: model.state,
    editing: session.editing,
    overlay: session.overlay,
    status: {
      foldAt: settings.foldAt,
      turnMs: session.turnMs,
      stopping: session.stopping,
      ownCommand: session.runsOwnCommand,
      hint: session.hint,
      ...(branch === undefined ? {} : { branch }),
      ...(ownRow?.line === undefined ? {} : { ownLine: ownRow.line }),
    },
  }), () => composer);
  const tui: MainScreen = new MainScreen(terminal, screen, { reflows: reflows(env) });
  const draw = (lazy = false) => {
    if (!lazy) return tui.requestRender();
    lazyFrame ??= setTimeout(() => {
      lazyFrame = undefined;
      tui.requestRender();
    }, STREAM_FRAME);
  };
  const composer: Composer = new Composer(tui, look.theme.editor, {
    label: (): string => composerLabel(composer.getText(), look, session.editing),
  });
  composer.setAutocompleteProvider(
    new Completion({
      commands: () => commands.list(),
      list: ports.listFolder,
      t: () => look.t,
    }),
  );

  const ownRow = settings.statusCommand === ""
    ? undefined
    : new StatusCommand({ command: settings.statusCommand, processes: ports.processes, changed: draw });
  const askOwnRow = () => {
    const { model: { ref, contextWindow }, contextTokens } = model.state;
    ownRow?.ask({ model: ref, contextUsed: contextTokens, contextWindow, cwd: ports.root });
  };

  /** Gives the terminal away for as long as `work` takes. */
  const outside = async <T>(work: () => T | Promise<T>): Promise<T> => {
    tui.eraseLive();
    tui.stop();
    try {
      return await work();
    } finally {
      tui.start();
      tui.requestRender();
    }
  };
  const suspend = () => {
    if (own && !WINDOWS) void outside(() => Deno.kill(Deno.pid, "SIGSTOP"));
  };
  const images: string[] = [];
  const session: Session = new Session({
    controller,
    commands,
    model,
    composer,
    shell: new PersonShell({ processes: ports.processes, show: (body) => model.local(body), draw }),
    look: () => look,
    setLook: (change) => void (look = { ...look, ...change }),
    draw,
    clear: () => {
      tui.eraseLive();
      terminal.write("\x1b[2J\x1b[H");
      draw();
    },
    leave: () => ended.resolve({ kind: "left" }),
    suspend,
    editDraft: async () => {
      const result = await outside(() => editOutside(composer.getExpandedText(), env));
      if (result.kind === "edited") composer.setDraft(result.text);
      else if (result.kind === "no_editor") session.notice(t("editor.none"), "warning");
      else session.notice(t("editor.failed", { editor: result.editor, code: result.code }), "warning");
    },
    pasteImage: async () => {
      const image = await pasteImage(ports.processes, ports.home);
      if (image.kind === "kept") {
        images.push(image.path);
        composer.insertTextAtCursor(`[image #${images.length}]`);
        session.notice(t("image.kept", { path: image.path }));
      } else if (image.kind === "none") session.notice(t("image.none"), "warning");
      else session.notice(t("image.unsupported", { programs: image.programs.join(", ") }), "warning");
      draw();
    },
    // The token in the draft becomes a reference to the file that is kept.
    withImages: (text) =>
      text.replace(/\[image #(\d+)\]/g, (token, number: string) => {
        const path = images[Number(number) - 1];
        return path === undefined ? token : `@"${path}"`;
      }),
    copy: async (text) => {
      const direct = env("SSH_CONNECTION") === undefined && await copyText(ports.processes, text);
      if (!direct) terminal.write(terminalCopy(text));
      session.notice(look.t(direct ? "copy.done" : "copy.terminal"));
      draw();
    },
    changeSetting: (name, value) => {
      if (name === "language") look = { ...look, t: createTranslate(languageOf(value, env("LANG"))) };
      if (name === "theme" && look.theme.mode !== "none") {
        const mode = value === "light" || value === "dark" ? value : look.theme.mode;
        look = { ...look, theme: themeOf(mode, value in ACCENTS[mode] ? value : undefined) };
      }
    },
    crash: (error) => ended.resolve({ kind: "crashed", error }),
    now: () => performance.now(),
    approvalGraceMs: parts.approvalGraceMs ?? APPROVAL_GRACE,
  });

  const readBranch = () =>
    void gitBranch(ports.root).then((name) => {
      if (name === branch) return;
      branch = name;
      draw();
    });
  const unsubscribe = controller.subscribe((event) => {
    try {
      session.onEvent(event);
    } catch (error) {
      // A screen that is behind the session would show what is not so.
      ended.resolve({ kind: "crashed", error });
    }
    if (event.kind === "turn_done") readBranch();
    if (CHANGES_STATUS.has(event.kind)) askOwnRow();
    const call = callFor(event, settings.notifications, session.turnMs);
    if (call !== undefined) terminal.write(callSequence(look.t(call), env));
  });
  const clock = setInterval(() => (model.state.turnId !== undefined || session.runsOwnCommand) && draw(), CLOCK);
  const guard = new Guard({
    crash: (error) => ended.resolve({ kind: "crashed", error }),
    signal: (name) => ended.resolve({ kind: "signal", name }),
  });
  if (own) guard.install();

  let ending: Ending;
  try {
    screen.print(greeting(ports, look));
    if (model.omittedTurns > 0) screen.print([look.theme.dim(t("session.earlier", { count: model.omittedTurns }))]);
    for (const text of saidBefore(controller.messages)) composer.addToHistory(text);
    for (const notice of controller.notices) session.notice(notice, "warning");
    session.tellPause();
    tui.setFocus({ handleInput: (data) => session.handleInput(data), render: () => [], invalidate: () => {} });
    if (own && !WINDOWS) tui.setSuspendSignalHandler(suspend);
    tui.start();
    if (own) terminal.write(CURSOR_SHAPES[settings.cursorShape]);
    readBranch();
    askOwnRow();
    if (own && look.theme.mode !== "none" && settings.theme === "auto") {
      void askBackground(tui).then((mode) => {
        if (mode === undefined || mode === look.theme.mode) return;
        look = { ...look, theme: themeOf(mode) };
        draw();
      });
    }
    if (ports.confirmYolo) void confirmYolo(session, ports, look);
    if (ports.firstCommand) void session.runCommand(ports.firstCommand);
    ending = await ended.promise;
  } catch (error) {
    ending = { kind: "crashed", error };
  }
  clearTimeout(lazyFrame);
  clearInterval(clock);
  unsubscribe();
  await ownRow?.close();
  await giveBack(tui, terminal, { own, quietly: ending.kind === "left" });
  // What comes now, a second signal or the last words to a terminal that is gone, must not cut the closing short.
  await controller.close();
  guard.remove();
  return await toEnd(ending, ports, look);
}

type Ending =
  | { readonly kind: "left" }
  | { readonly kind: "signal"; readonly name: EndSignal }
  | { readonly kind: "crashed"; readonly error: unknown };

async function giveBack(
  tui: MainScreen,
  terminal: Terminal,
  { own, quietly }: { readonly own: boolean; readonly quietly: boolean },
): Promise<void> {
  try {
    // Replies and key releases still on their way must not reach the shell.
    if (own && quietly) await terminal.drainInput(200, 30);
    // At once, so that no frame comes in between.
    tui.eraseLive();
    if (own) terminal.write(CURSOR_DEFAULT);
    tui.stop();
  } catch {
    // The error that is told is the one that ended it.
  }
  if (own && !quietly) forceRestore();
}

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

/** What the person said in this conversation, oldest first: Up brings it back. */
function saidBefore(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role, host_authored, local_only }) => role === "user" && !host_authored && !local_only)
    .slice(-100)
    .map(({ raw_content, content }) => raw_content ?? content ?? "");
}

function greeting({ version, root }: TuiPorts, { theme, t }: Look): string[] {
  return [theme.strong(t("start.welcome", { version, folder: root })), theme.dim(t("start.hint")), ""];
}

function composerLabel(text: string, { t }: Look, editing: number | undefined): string {
  if (editing !== undefined) return t("composer.queue", { number: editing });
  if (text.startsWith("!")) return t("composer.shell");
  return /^#\s/.test(text) ? t("composer.note") : "";
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
