/**
 * What the person does, turned into intents, and what the session tells, turned into frames. Owns the keys outside of
 * overlays, the queue, and the order in which Stop is tried.
 */
import { matchesKey } from "@earendil-works/pi-tui";
import type { Posture } from "../../../contract/decision.ts";
import type { Event } from "../../../contract/event.ts";
import { INBOX_LIMITS } from "../../../contract/inbox.ts";
import type { Commands, Controller, Receipt } from "../../../controller/mod.ts";
import type { TextKey, ViewState } from "../../view/mod.ts";
import type { Composer } from "../composer/composer.ts";
import { actionOf, type KeyAction } from "../keys.ts";
import type { Look } from "../look.ts";
import { Confirm } from "../overlays/confirm.ts";
import type { Overlay } from "../overlays/overlay.ts";
import { CommandRunner } from "./command_runner.ts";
import { type Card, cardFor } from "./question_cards.ts";
import { JustSent } from "./just_sent.ts";
import { QueueEditor } from "./queue_editor.ts";
import { PersonShell } from "./person_shell.ts";
import type { ViewModel } from "./view_model.ts";

export interface SessionPorts {
  readonly controller: Controller;
  readonly commands: Commands;
  readonly model: ViewModel;
  readonly composer: Composer;
  readonly shell: PersonShell;
  look(): Look;
  setLook(change: Partial<Look>): void;
  /** A frame soon; `lazy` waits for more of a stream. */
  draw(lazy?: boolean): void;
  /** Shows the screen from its top, without what was said. */
  clear(): void;
  leave(): void;
  suspend(): void;
  editDraft(): Promise<void>;
  pasteImage(): Promise<void>;
  /** Puts references in the place of image tokens. */
  withImages(text: string): string;
  copy(text: string): Promise<void>;
  changeSetting(name: string, value: string): void;
  /** After a defect: report and end. */
  crash(error: unknown): void;
  readonly now: () => number;
  /** See `QUESTION_GRACE_MS`. */
  readonly questionGraceMs?: number;
}

/** Two presses of Ctrl+C, or of Escape, belong together within this time. Milliseconds. */
const TWICE = 2_000;
const TWICE_ESCAPE = 600;
/** After so long a stop counts as stuck, and leaving is offered. */
const STUCK = 5_000;
const MEBIBYTE = 1024 * 1024;

export class Session {
  readonly #ports: SessionPorts;
  readonly #commands: CommandRunner;
  readonly #sent = new JustSent();
  readonly #queue: QueueEditor;
  #panel: Overlay | undefined;
  #question: { readonly id: string; readonly card: Card } | undefined;
  /** The draft that was set aside while an answer is typed. */
  #setAside: string | undefined;
  #turnBegan = 0;
  #stoppedAt: number | undefined;
  #quitAsked = -Infinity;
  #escaped = -Infinity;
  /** Posture that Ctrl+Y goes back to. */
  #beforeYolo: Posture = "ask";
  /** The stop that Shift+Tab made last, while nothing else has been done since. */
  #lastStop: "auto" | "plan" | undefined;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    const { controller, composer } = ports;
    this.#queue = new QueueEditor({
      controller,
      composer,
      inbox: () => this.#view.inbox,
      refused: (receipt) => this.#refused(receipt),
    });
    this.#commands = new CommandRunner({
      ...ports,
      open: (panel) => void (this.#panel = panel && { owner: "panel", panel }),
      send: (text) => this.#send(text),
      steer: (text) => this.#steer(text),
      notice: (text, level) => this.notice(text, level),
      setDraft: (text) => ports.composer.setDraft(text),
      type: (data) => {
        this.#panel = undefined;
        composer.handleInput(data);
      },
      saveKey: (name, value) => this.#saveKey(name, value),
      inbox: () => this.#view.inbox,
      editQueued: (id) => this.#queue.take(id),
    });
    ports.composer.onSubmit = (text) => this.#submit(text);
  }

  get overlay(): Overlay | undefined {
    return this.#question?.card.overlay ?? this.#panel;
  }

  get turnMs(): number {
    return this.#ports.now() - this.#turnBegan;
  }

  get runsOwnCommand(): boolean {
    return this.#ports.shell.running;
  }

  get stopping(): boolean {
    return this.#stoppedAt !== undefined;
  }

  /** Which waiting message is in the composer, from 1. */
  get editing(): number | undefined {
    return this.#queue.number;
  }

  get hint(): TextKey | undefined {
    const { now } = this.#ports;
    if (this.editing !== undefined) return "hint.editing";
    if (this.#stoppedAt !== undefined) return now() - this.#stoppedAt > STUCK ? "hint.stuck" : undefined;
    if (now() - this.#quitAsked < TWICE) return "hint.quit";
    if (this.runsOwnCommand) return "hint.stop";
    if (this.#view.turnId === undefined) return this.overlay?.owner === "panel" ? undefined : "hint.idle";
    // Under a question Esc answers it.
    if (this.#question !== undefined) {
      return this.#view.questions[0]?.kind === "approval" ? "hint.deny" : "hint.interrupt";
    }
    return this.#canUnsend ? "hint.unsend" : "hint.stop";
  }

  onEvent(event: Event): void {
    const { model, draw, controller } = this.#ports;
    const before = this.#view.inbox.paused;
    model.apply(event);
    const own = event.parentCallId === undefined;
    if (event.kind === "turn_status" && own) {
      this.#turnBegan = this.#ports.now();
      this.#lastStop = undefined;
    }
    if (event.kind === "session_opened" && event.resumed) model.open(controller.messages);
    if (event.kind === "inbox_changed") {
      this.#queue.settle();
      if (event.paused !== before) this.tellPause();
    }
    if (this.#view.turnVisible) this.#sent.settled();
    this.#showQuestion();
    if (event.kind === "turn_done" && own) {
      this.#stoppedAt = undefined;
      this.#sent.settled();
    }
    draw(event.kind === "text" || event.kind === "reasoning" || event.kind === "tool_progress");
  }

  handleInput(data: string): void {
    const { overlay } = this;
    if (overlay?.owner === "panel") overlay.panel.key(data);
    else if (!overlay?.panel.key(data)) this.#composerKey(data);
    this.#lendComposer();
    this.#ports.draw();
  }

  /** A command line, as if it had been typed. */
  async runCommand(line: string): Promise<void> {
    await this.#commands.run(line);
  }

  confirm(
    question: { readonly title: string; readonly text: string; readonly yes: string; readonly no: string },
  ): Promise<boolean> {
    const { look, draw } = this.#ports;
    return new Promise((settle) => {
      const answer = (yes: boolean) => {
        this.#panel = undefined;
        settle(yes);
        draw();
      };
      this.#panel = { owner: "panel", panel: new Confirm({ ...question, look, answer }) };
      draw();
    });
  }

  notice(text: string, level: "info" | "warning" | "error" = "info"): void {
    this.#ports.model.local({ kind: "notice", level, text });
  }

  /** Says that messages wait for a word of the person, where that did not come of a word of theirs. */
  tellPause(): void {
    const { items, paused } = this.#view.inbox;
    if (paused === undefined || paused === "person") return;
    this.notice(this.#t("queue.paused", { count: items.length, why: this.#t(`queue.why_${paused}`) }), "warning");
  }

  get #view(): ViewState {
    return this.#ports.model.state;
  }

  get #canUnsend(): boolean {
    return this.#sent.isThere && !this.#view.turnVisible;
  }

  #composerKey(data: string): void {
    const { composer } = this.#ports;
    if (composer.isShowingAutocomplete() && !matchesKey(data, "ctrl+c")) return composer.handleInput(data);
    const empty = composer.getText() === "";
    const action = actionOf(data);
    if (action !== undefined && this.#act(action, empty)) return;
    if (this.#view.turnId !== undefined || this.editing !== undefined) {
      if (matchesKey(data, "up") && this.#queue.browse(-1)) return;
      if (matchesKey(data, "down") && this.#queue.browse(1)) return;
    }
    if (empty && data === "?") return void this.runCommand("/help");
    composer.handleInput(data);
  }

  /** False leaves the key to the composer. */
  #act(action: KeyAction, empty: boolean): boolean {
    const ports = this.#ports;
    const look = ports.look();
    switch (action) {
      case "escape":
        this.#escape(empty);
        return true;
      case "interrupt":
        this.#interrupt(empty);
        return true;
      case "leave":
        if (!empty) return false;
        this.#leave();
        return true;
      case "steer":
        this.#steer();
        return true;
      case "cycle_posture":
        this.#cycleMode();
        return true;
      case "toggle_yolo":
        this.#setPosture(this.#view.posture === "yolo" ? this.#beforeYolo : "yolo");
        return true;
      case "toggle_reasoning":
        ports.setLook({ showReasoning: !look.showReasoning });
        return true;
      case "toggle_output":
        ports.setLook({ unfoldOutput: !look.unfoldOutput });
        return true;
      case "redraw":
        ports.clear();
        return true;
      case "paste_image":
        void ports.pasteImage().catch(ports.crash);
        return true;
      case "edit_outside":
        void ports.editDraft().catch(ports.crash);
        return true;
      case "suspend":
        ports.suspend();
        return true;
    }
  }

  #escape(empty: boolean): void {
    const { composer, now, shell } = this.#ports;
    if (shell.running) return shell.stop();
    if (this.#queue.leave()) return;
    if (this.#view.turnId !== undefined) {
      const text = this.#canUnsend ? this.#sent.take() : undefined;
      this.#stop(text !== undefined ? { unsend: true } : {});
      if (text !== undefined) composer.setDraft(empty ? text : `${text}\n\n${composer.getExpandedText()}`);
      return;
    }
    if (!empty) {
      composer.addToHistory(composer.getExpandedText());
      return composer.setDraft("");
    }
    if (now() - this.#escaped < TWICE_ESCAPE) void this.runCommand("/rewind");
    this.#escaped = now();
  }

  #interrupt(empty: boolean): void {
    const { composer, now, leave, shell } = this.#ports;
    if (shell.running) return shell.stop();
    const running = this.#view.turnId !== undefined;
    if (running && this.#stoppedAt === undefined) return this.#stop();
    if (this.#queue.leave()) return;
    if (!running && !empty) {
      composer.addToHistory(composer.getExpandedText());
      return composer.setDraft("");
    }
    if (now() - this.#quitAsked < TWICE) return leave();
    if (this.#view.jobs.length > 0) return this.#leave();
    this.#quitAsked = now();
  }

  /** Work in the background ends with the program, so one key alone does not end it. */
  #leave(): void {
    const { leave, now } = this.#ports;
    const { jobs } = this.#view;
    if (jobs.length === 0 || now() - this.#quitAsked < TWICE) return leave();
    this.#quitAsked = now();
    this.notice(this.#t("quit.jobs", { jobs: jobs.map(({ id }) => id).join(", ") }), "warning");
  }

  #stop(how: { readonly unsend?: true } = {}): void {
    const { controller, now } = this.#ports;
    if (controller.send({ kind: "cancel", ...how }).accepted) this.#stoppedAt ??= now();
  }

  #submit(text: string): void {
    const { composer, leave, draw, shell } = this.#ports;
    const { overlay } = this;
    if (overlay?.owner !== "composer" && this.#queue.submit(this.#ports.withImages(text))) return draw();
    if (text.trim() === "") return;
    if (overlay?.owner === "composer") return overlay.panel.submit(text);
    composer.addToHistory(text);
    if (text.trim() === "exit" || text.trim() === "quit") return leave();
    if (/^\/[\p{L}_][\p{L}\p{N}:_.-]*(?:\s|$)/u.test(text)) return void this.runCommand(text);
    if (text.startsWith("!") && text.slice(1).trim() !== "") {
      if (this.#view.turnId !== undefined || this.runsOwnCommand) {
        this.notice(this.#t(this.runsOwnCommand ? "command.one" : "command.busy"), "warning");
        composer.setDraft(text);
      } else void shell.run(text.slice(1).trim());
    } else if (/^#\s+\S/.test(text)) void this.runCommand(`/remember ${text.replace(/^#\s+/, "")}`);
    else this.#send(text);
    draw();
  }

  #send(draft: string): void {
    const { controller, composer, crash, withImages } = this.#ports;
    const text = withImages(draft);
    const receipt = controller.send({ kind: "prompt", text });
    if (!receipt.accepted) {
      if (composer.getText() === "") composer.setDraft(draft);
      return this.#refused(receipt);
    }
    this.#lastStop = undefined;
    if (receipt.queued === undefined) this.#sent.note(text);
    receipt.turn?.catch(crash);
  }

  #steer(given?: string): void {
    const { composer, controller, crash, withImages } = this.#ports;
    const text = withImages(given ?? composer.getExpandedText().trim());
    if (text === "") return;
    const receipt = controller.send({ kind: "steer", text });
    if (!receipt.accepted) return this.#refused(receipt);
    receipt.turn?.catch(crash);
    if (given !== undefined) return;
    composer.addToHistory(text);
    composer.setDraft("");
    // A waiting message that goes to the running turn does not go out again behind it.
    this.#queue.submit("");
  }

  #refused({ reason, code }: Extract<Receipt, { accepted: false }>): void {
    const { items, itemBytes, totalBytes } = INBOX_LIMITS;
    const limits = { items, item: itemBytes / MEBIBYTE, total: totalBytes / MEBIBYTE };
    const known = code === "inbox.full" || code === "inbox.too_large";
    this.notice(known ? this.#t(`queue.${code}`, limits) : reason, "error");
  }

  /**
   * Ask, Auto, Plan, and again. Plan lies over the posture and leaves it as it was: an Auto that was only
   * passed on the way to Plan was not chosen and is taken back, one that was chosen is there again when Plan is left.
   */
  #cycleMode(): void {
    const { controller } = this.#ports;
    const { mode, posture } = this.#view;
    const last = this.#lastStop;
    this.#lastStop = undefined;
    if (mode === "plan") {
      controller.send({ kind: "set_mode", mode: "normal" });
      this.#lastStop = "plan";
    } else if (posture === "ask") {
      this.#setPosture("auto");
      this.#lastStop = "auto";
    } else if (posture === "auto" && last !== "plan") {
      if (last === "auto") this.#setPosture("ask");
      controller.send({ kind: "set_mode", mode: "plan" });
    } else this.#setPosture("ask");
  }

  #setPosture(posture: Posture): void {
    const current = this.#view.posture;
    if (current !== "yolo") this.#beforeYolo = current;
    this.#lastStop = undefined;
    this.#ports.controller.send({ kind: "set_posture", posture });
  }

  /** The oldest open question owns the keys; one that was answered elsewhere goes. */
  #showQuestion(): void {
    const [question] = this.#view.questions;
    const id = question?.request.id;
    if (id !== this.#question?.id) {
      this.#question = question && {
        id: question.request.id,
        card: cardFor(question, {
          look: this.#ports.look,
          graceMs: this.#ports.questionGraceMs,
          now: this.#ports.now,
          waiting: () => this.#view.questions.length - 1,
          stop: () => this.#stop(),
          answer: (intent) => {
            const receipt = this.#ports.controller.send(intent);
            if (!receipt.accepted) this.notice(this.#t("approval.late"), "warning");
          },
        }),
      };
    }
    this.#lendComposer();
  }

  /** An answer is typed where messages are; the draft comes back when it is given. */
  #lendComposer(): void {
    const { composer } = this.#ports;
    const lent = this.overlay?.owner === "composer";
    if (lent === (this.#setAside !== undefined)) return;
    const draft = this.#setAside ?? "";
    this.#setAside = lent ? composer.getExpandedText() : undefined;
    composer.setDraft(lent ? "" : draft);
  }

  #saveKey(name: string, value: string): void {
    const { controller, draw } = this.#ports;
    const receipt = controller.send({ kind: "save_key", name, value });
    if (!receipt.accepted) return this.notice(receipt.reason, "warning");
    const told = (text: string, level: "info" | "error") => {
      this.notice(text, level);
      draw();
    };
    receipt.done?.then(
      () => told(this.#t("key.saved", { name }), "info"),
      (error) => told(this.#t("key.failed", { name, reason: error.message }), "error"),
    );
  }

  #t(key: TextKey, values?: Readonly<Record<string, string | number>>): string {
    return this.#ports.look().t(key, values);
  }
}
