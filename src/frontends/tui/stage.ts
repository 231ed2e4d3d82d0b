/**
 * The screen put together: composer, session, overlays, status and what lies outside of them, over one terminal. Knows
 * nothing of how the program ends.
 */
import { setCapabilities, type Terminal } from "@earendil-works/pi-tui";
import type { Event, EventKind } from "../../contract/event.ts";
import type { Message } from "../../contract/message.ts";
import { createTranslate, languageOf } from "../view/mod.ts";
import { Completion } from "./composer/completion.ts";
import { Composer } from "./composer/composer.ts";
import type { Look } from "./look.ts";
import type { TuiPorts } from "./ports.ts";
import { askBackground, firstMode } from "./process/background.ts";
import { gitBranch } from "./process/git_branch.ts";
import { callFor, callSequence } from "./process/notifications.ts";
import { copyText, editOutside, pasteImage, terminalCopy } from "./process/person_programs.ts";
import { PastedImages } from "./process/pasted_images.ts";
import { CURSOR_DEFAULT, CURSOR_SHAPES, OwnTerminal, reflows } from "./process/terminal.ts";
import { MainScreen } from "./screen/main_screen.ts";
import { type ScreenModel, SessionScreen } from "./screen/session_screen.ts";
import { PersonShell } from "./session/person_shell.ts";
import { Session } from "./session/session.ts";
import { spokenCommands } from "./session/spoken_commands.ts";
import { ViewModel } from "./session/view_model.ts";
import { StatusCommand } from "./status/status_command.ts";
import { ACCENTS, createTheme, type Theme, type ThemeMode } from "./theme.ts";

/** Milliseconds that the frames of a stream are apart. */
const STREAM_FRAME = 50;

/** After these the person's own status row may say something else. */
const CHANGES_STATUS: ReadonlySet<EventKind> = new Set(["turn_done", "usage", "compaction_done", "rewound"]);

const WINDOWS = Deno.build.os === "windows";

export interface StageOptions {
  /** Another terminal than the process's own, for tests. */
  readonly terminal?: Terminal;
  /** See `QUESTION_GRACE_MS`. */
  readonly questionGraceMs?: number;
  leave(): void;
  /** After a defect: report and end. */
  crash(error: unknown): void;
}

export class Stage {
  readonly session: Session;
  readonly #ports: TuiPorts;
  readonly #own: boolean;
  readonly #terminal: Terminal;
  readonly #tui: MainScreen;
  readonly #screen: SessionScreen;
  readonly #composer: Composer;
  readonly #model: ViewModel;
  readonly #ownRow: StatusCommand | undefined;
  readonly #images = new PastedImages();
  #look: Look;
  #branch: string | undefined;
  #lazyFrame: ReturnType<typeof setTimeout> | undefined;

  constructor(ports: TuiPorts, options: StageOptions) {
    const { controller, settings, env, processes } = ports;
    setCapabilities({ images: null, trueColor: false, hyperlinks: false });
    this.#ports = ports;
    this.#own = options.terminal === undefined;
    this.#terminal = options.terminal ?? new OwnTerminal();
    this.#look = {
      theme: this.#themeOf(firstMode(settings.theme, env)),
      t: createTranslate(settings.language),
      showReasoning: settings.showReasoning,
      unfoldOutput: false,
      foldDiffs: false,
      diffOutput: settings.diffOutput,
      showUsage: settings.showUsage,
    };
    this.#model = new ViewModel(controller);
    const commands = spokenCommands(controller.commands, () => this.#look.t);
    this.#screen = new SessionScreen(() => this.#screenModel, () => this.#composer);
    this.#tui = new MainScreen(this.#terminal, this.#screen, { reflows: reflows(env) });
    const now = ports.now ?? (() => performance.now());
    this.#composer = new Composer(this.#tui, this.#look.theme.editor, { label: () => this.#composerLabel, now });
    this.#composer.setAutocompleteProvider(
      new Completion({
        commands: () => commands.list(),
        list: ports.listFolder,
        resources: () => controller.servers?.resources() ?? [],
        t: () => this.#look.t,
      }),
    );
    this.#ownRow = settings.statusCommand === ""
      ? undefined
      : new StatusCommand({ command: settings.statusCommand, processes, changed: this.#draw });
    this.session = new Session({
      controller,
      commands,
      model: this.#model,
      composer: this.#composer,
      shell: new PersonShell({ processes, show: (body) => this.#model.local(body), draw: this.#draw }),
      look: () => this.#look,
      setLook: (change) => void (this.#look = { ...this.#look, ...change }),
      draw: this.#draw,
      clear: () => {
        this.#tui.eraseLive();
        this.#terminal.write("\x1b[2J\x1b[H");
        this.#draw();
      },
      leave: options.leave,
      suspend: this.#suspend,
      editDraft: () => this.#editDraft(),
      pasteImage: () => this.#pasteImage(),
      withImages: (text) => this.#images.withReferences(text),
      copy: (text) => this.#copy(text),
      changeSetting: (name, value) => this.#changeSetting(name, value),
      crash: options.crash,
      now,
      questionGraceMs: options.questionGraceMs,
    });
  }

  get look(): Look {
    return this.#look;
  }

  /** The greeting, what was said before, and the first frame. */
  start(): void {
    const { controller, settings, version, root } = this.#ports;
    const { theme, t } = this.#look;
    const { session } = this;
    const { omittedTurns } = this.#model;
    this.#screen.print([theme.strong(t("start.welcome", { version, folder: root })), theme.dim(t("start.hint")), ""]);
    if (omittedTurns > 0) this.#screen.print([theme.dim(t("session.earlier", { count: omittedTurns }))]);
    for (const text of saidBefore(controller.messages)) this.#composer.addToHistory(text);
    for (const notice of controller.notices) session.notice(notice, "warning");
    session.tellPause();
    this.#tui.setFocus({ handleInput: (data) => session.handleInput(data), render: () => [], invalidate: () => {} });
    if (this.#own && !WINDOWS) this.#tui.setSuspendSignalHandler(this.#suspend);
    this.#tui.start();
    if (this.#own) this.#terminal.write(CURSOR_SHAPES[settings.cursorShape]);
    this.#readBranch();
    this.#askOwnRow();
    if (this.#own && theme.mode !== "none" && settings.theme === "auto") void this.#followBackground();
  }

  onEvent(event: Event): void {
    const { settings, env } = this.#ports;
    this.session.onEvent(event);
    if (event.kind === "turn_done") this.#readBranch();
    if (CHANGES_STATUS.has(event.kind)) this.#askOwnRow();
    const call = callFor(event, settings.notifications, this.session.turnMs);
    if (call !== undefined) this.#terminal.write(callSequence(this.#look.t(call), env));
  }

  /** Seconds on the screen move on while something runs. */
  tick(): void {
    if (this.#model.state.turnId !== undefined || this.session.runsOwnCommand) this.#draw();
  }

  /** Gives the terminal back. `quietly`: the person has left, and nothing is wrong with it. */
  async close({ quietly }: { readonly quietly: boolean }): Promise<void> {
    clearTimeout(this.#lazyFrame);
    await this.#ownRow?.close();
    // Replies and key releases still on their way must not reach the shell.
    if (this.#own && quietly) await this.#terminal.drainInput(200, 30);
    // At once, so that no frame comes in between.
    this.#tui.eraseLive();
    if (this.#own) this.#terminal.write(CURSOR_DEFAULT);
    this.#tui.stop();
  }

  get #screenModel(): ScreenModel {
    const { session } = this;
    const ownLine = this.#ownRow?.line;
    return {
      look: this.#look,
      view: this.#model.state,
      editing: session.editing,
      overlay: session.overlay,
      status: {
        foldAt: this.#ports.settings.foldAt,
        turnMs: session.turnMs,
        stopping: session.stopping,
        ownCommand: session.runsOwnCommand,
        hint: session.hint,
        ...(this.#branch === undefined ? {} : { branch: this.#branch }),
        ...(ownLine === undefined ? {} : { ownLine }),
      },
    };
  }

  get #composerLabel(): string {
    const text = this.#composer.getText();
    const { t } = this.#look;
    if (this.session.editing !== undefined) return t("composer.queue", { number: this.session.editing });
    if (text.startsWith("!")) return t("composer.shell");
    return /^#\s/.test(text) ? t("composer.note") : "";
  }

  readonly #draw = (lazy = false): void => {
    if (!lazy) return this.#tui.requestRender();
    this.#lazyFrame ??= setTimeout(() => {
      this.#lazyFrame = undefined;
      this.#tui.requestRender();
    }, STREAM_FRAME);
  };

  #themeOf(mode: ThemeMode, accent = this.#ports.settings.accent): Theme {
    return createTheme(mode, accent, this.#ports.settings);
  }

  #readBranch(): void {
    void gitBranch(this.#ports.root).then((name) => {
      if (name === this.#branch) return;
      this.#branch = name;
      this.#draw();
    });
  }

  #askOwnRow(): void {
    const { model: { ref, contextWindow }, contextTokens } = this.#model.state;
    this.#ownRow?.ask({ model: ref, contextUsed: contextTokens, contextWindow, cwd: this.#ports.root });
  }

  async #followBackground(): Promise<void> {
    const mode = await askBackground(this.#tui);
    if (mode === undefined || mode === this.#look.theme.mode) return;
    this.#look = { ...this.#look, theme: this.#themeOf(mode) };
    this.#draw();
  }

  /** Gives the terminal away for as long as `work` takes. */
  async #outside<T>(work: () => T | Promise<T>): Promise<T> {
    this.#tui.eraseLive();
    this.#tui.stop();
    try {
      return await work();
    } finally {
      this.#tui.start();
      this.#tui.requestRender();
    }
  }

  readonly #suspend = (): void => {
    if (this.#own && !WINDOWS) void this.#outside(() => Deno.kill(Deno.pid, "SIGSTOP"));
  };

  async #editDraft(): Promise<void> {
    const { t } = this.#look;
    const result = await this.#outside(() => editOutside(this.#composer.getExpandedText(), this.#ports.env));
    if (result.kind === "edited") this.#composer.setDraft(result.text);
    else if (result.kind === "no_editor") this.session.notice(t("editor.none"), "warning");
    else this.session.notice(t("editor.failed", { editor: result.editor, code: result.code }), "warning");
  }

  async #pasteImage(): Promise<void> {
    const { t } = this.#look;
    const image = await pasteImage(this.#ports.processes, this.#ports.home);
    if (image.kind === "kept") {
      this.#composer.insertTextAtCursor(this.#images.add(image.path));
      this.session.notice(t("image.kept", { path: image.path }));
    } else if (image.kind === "none") this.session.notice(t("image.none"), "warning");
    else this.session.notice(t("image.unsupported", { programs: image.programs.join(", ") }), "warning");
    this.#draw();
  }

  async #copy(text: string): Promise<void> {
    const { env, processes } = this.#ports;
    const direct = env("SSH_CONNECTION") === undefined && await copyText(processes, text);
    if (!direct) this.#terminal.write(terminalCopy(text));
    this.session.notice(this.#look.t(direct ? "copy.done" : "copy.terminal"));
    this.#draw();
  }

  #changeSetting(name: string, value: string): void {
    const { env } = this.#ports;
    const { mode } = this.#look.theme;
    if (name === "language") this.#look = { ...this.#look, t: createTranslate(languageOf(value, env("LANG"))) };
    if (name === "theme" && mode !== "none") {
      const next = value === "light" || value === "dark" ? value : mode;
      this.#look = {
        ...this.#look,
        theme: this.#themeOf(next, Object.hasOwn(ACCENTS[next], value) ? value : undefined),
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
