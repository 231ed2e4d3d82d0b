/**
 * The one door for frontends: intents in, events out. Owns the order of turns and which conversation is open; knows
 * nothing of screens. Whatever hangs, `cancel` and `close` give control back within five seconds.
 */
import type { TurnSummary } from "../agent/mod.ts";
import type { CollaborationMode, Posture, WorkPreset } from "../contract/decision.ts";
import { type ErrorCode, ReasonixError } from "../contract/errors.ts";
import type { EventListener } from "../contract/event.ts";
import type { InboxItem, InboxOrder, InboxView } from "../contract/inbox.ts";
import type { Intent } from "../contract/intent.ts";
import type { Message } from "../contract/message.ts";
import type { Servers } from "../contract/servers.ts";
import { settledWithin } from "../lib/waiting.ts";
import type { Commands } from "./command.ts";
import type { CommandContext } from "./commands/built_in.ts";
import { SessionTotals } from "./commands/session_totals.ts";
import type { EventLog } from "./event_log.ts";
import { FollowUps } from "./follow_ups.ts";
import type { Questions } from "./questions.ts";
import { findTurn, rewind, type RewindReport, turnsOf, undoRewind } from "./rewind.ts";
import type { Conversation, ConversationOptions, ModelView, ModelWish, OpenRuntime, Runtime } from "./runtime.ts";

export type Receipt =
  /** `turn`: the turn that a prompt starts; never rejects but for a defect. `done`: a change has taken effect, or why not. */
  | {
    readonly accepted: true;
    readonly turn?: Promise<TurnSummary>;
    readonly done?: Promise<void>;
    /** The prompt waits in the inbox under this id; `turn` is then the one it brings later. */
    readonly queued?: string;
  }
  | { readonly accepted: false; readonly reason: string; readonly code?: ErrorCode };

export interface Controller {
  readonly sessionId: string;
  /** Where the conversation is stored. */
  readonly sessionPath: string;
  /** The stored conversation, for a screen that opens in the middle of it. */
  readonly messages: readonly Message[];
  readonly model: ModelView;
  readonly posture: Posture;
  readonly mode: CollaborationMode;
  readonly preset: WorkPreset;
  /** What the person should know before the first turn; one line each. */
  readonly notices: readonly string[];
  /** MCP servers; absent when none is configured. */
  readonly servers?: Servers;
  /** Slash commands; absent where nobody types: headless runs take every line as it is. */
  readonly commands?: Commands;
  /** A turn runs or waits. */
  readonly busy: boolean;
  /** What waits for the running turn. */
  readonly inbox: InboxView;
  subscribe(listener: EventListener): () => void;
  send(intent: Intent): Receipt;
  /** Stops what runs, ends what was started, gives the session back. Idempotent; settles within five seconds. */
  close(): Promise<void>;
}

export interface ControllerPorts {
  /** Absent: no slash commands. */
  readonly commands?: (engine: Omit<CommandContext, "host">) => Commands;
  readonly log: EventLog;
  readonly questions: Questions;
  readonly open: OpenRuntime;
  /** Keeps a key of a provider. Throws `config.*`. Absent: keys are not taken. */
  saveKey?(name: string, value: string): Promise<void>;
  /** Ends what was begun for the session and belongs to no conversation. */
  close?(): Promise<void>;
}

/** How long `close` waits for a turn, and then for the rest. Milliseconds. */
const TURN_GRACE = 3_000;
const CLOSE_GRACE = 1_500;

/** Opens the conversation to begin with. Throws what stands in its way. */
export async function createController(
  ports: ControllerPorts,
  start: { readonly conversation: Conversation } & ConversationOptions,
): Promise<Controller> {
  return new Door(ports, await ports.open(start.conversation, start));
}

class Door implements Controller {
  readonly #ports: ControllerPorts;
  readonly commands?: Commands;
  #runtime: Runtime;
  /** Turns and changes, one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #stop: AbortController | undefined;
  /** The stop of the running turn takes its message back too. */
  #unsends = false;
  /** A reading of the settings that waits for what runs. */
  #reloading: Promise<void> | undefined;
  /** Absent where nobody can say anything while a turn runs. */
  #followUps: FollowUps | undefined;
  #closed: Promise<void> | undefined;

  constructor(ports: ControllerPorts, runtime: Runtime) {
    this.#ports = ports;
    this.#runtime = runtime;
    this.#followUps = this.#createFollowUps(runtime);
    if (ports.commands) this.commands = this.#createCommands(ports.commands);
  }

  #createCommands(create: NonNullable<ControllerPorts["commands"]>): Commands {
    const totals = new SessionTotals(this.#runtime.model.ref);
    this.#ports.log.subscribe((event) => totals.add(event));
    const commands = create({ controller: this, runtime: () => this.#runtime, totals });
    const { log } = this.#ports;
    return { list: () => log.redact(commands.list()), run: async (line) => log.redact(await commands.run(line)) };
  }

  #createFollowUps({ inbox }: Runtime): FollowUps | undefined {
    return inbox && new FollowUps(inbox, this.#ports.log.emit);
  }

  get sessionId(): string {
    return this.#runtime.transcript.id;
  }

  get sessionPath(): string {
    return this.#runtime.transcript.path;
  }

  get messages(): readonly Message[] {
    return this.#runtime.transcript.messages;
  }

  get model(): ModelView {
    return this.#runtime.model;
  }

  get posture(): Posture {
    return this.#runtime.permissions.posture;
  }

  get mode(): CollaborationMode {
    return this.#runtime.plan.mode;
  }

  get preset(): WorkPreset {
    return this.#runtime.preset.preset;
  }

  get notices(): readonly string[] {
    return this.#ports.log.redact(this.#runtime.notices);
  }

  get servers(): Servers | undefined {
    return this.#runtime.servers;
  }

  get busy(): boolean {
    return this.#waiting > 0;
  }

  get inbox(): InboxView {
    return this.#ports.log.redact(this.#followUps?.view ?? { items: [] });
  }

  subscribe(listener: EventListener): () => void {
    return this.#ports.log.subscribe(listener);
  }

  send(intent: Intent): Receipt {
    if (this.#closed) return { accepted: false, reason: "the session is closed" };
    switch (intent.kind) {
      case "prompt":
        return this.#prompt(intent.text);
      case "steer":
        return this.#steer(intent.text);
      case "inbox":
        return this.#order(intent.order);
      case "cancel":
        if (!this.#stop) return { accepted: false, reason: "no turn is running" };
        this.#unsends = intent.unsend === true;
        this.#stop.abort();
        this.#followUps?.stopped();
        return { accepted: true };
      case "compact":
        return { accepted: true, done: this.#enqueue(() => this.#compact(intent)) };
      case "rewind":
        return this.#change(async () => this.#went(await rewind(this.#runtime, intent)));
      case "undo_rewind":
        return this.#change(async () => this.#went(await undoRewind(this.#runtime)));
      case "branch":
        return this.#change(() => this.#branch(intent));
      case "discard_session":
        return this.#change(() => this.#discard());
      case "approve":
        return toReceipt(this.#ports.questions.settle(intent.id, intent.answer));
      case "answer":
        return toReceipt(this.#ports.questions.settleAsk(intent.id, intent.answer));
      case "decide_plan":
        return toReceipt(this.#ports.questions.settlePlan(intent.id, intent.decision));
      case "set_mode":
        this.#runtime.plan.set(intent.mode);
        return { accepted: true };
      case "set_posture":
        this.#runtime.permissions.setPosture(intent.posture);
        this.#ports.log.emit({ kind: "posture_changed", posture: intent.posture });
        return { accepted: true };
      case "set_preset":
        if (this.busy) return BUSY;
        this.#runtime.preset.set(intent.preset);
        this.#ports.log.emit({ kind: "preset_changed", preset: intent.preset });
        return { accepted: true };
      case "set_model":
        return this.#change(() => this.#changeModel(intent));
      case "reload":
        if (this.#reloading) return { accepted: false, reason: "a reload is waiting already" };
        return { accepted: true, done: this.#reloading = this.#enqueue(() => this.#reload()) };
      case "save_key":
        return this.#saveKey(intent);
      case "open_session":
        return this.#change(() => this.#openSession(intent));
    }
  }

  /** At once, or from the inbox when what runs has ended. */
  #prompt(text: string): Receipt {
    const followUps = this.busy ? this.#followUps : undefined;
    if (followUps === undefined) return { accepted: true, turn: this.#enqueueTurn(text) };
    return refusable(() => {
      const { id, turn } = followUps.add(text);
      return { accepted: true, queued: id, turn };
    });
  }

  #steer(text: string): Receipt {
    const { agent } = this.#runtime;
    if (this.#followUps === undefined || !agent.takesGuidance) return this.#prompt(text);
    return refusable(() => {
      this.#followUps!.guide(text);
      return { accepted: true };
    });
  }

  #order(order: InboxOrder): Receipt {
    const followUps = this.#followUps;
    if (followUps === undefined) return { accepted: false, reason: "nothing is queued in this session" };
    return refusable(() => {
      const reason = followUps.follow(order);
      if (reason !== undefined) return { accepted: false, reason };
      this.#sendNext();
      return { accepted: true };
    });
  }

  /** The next message that waits, when nothing runs. */
  #sendNext(): void {
    if (this.busy || this.#closed) return;
    const item = this.#followUps?.next();
    if (item) this.#enqueueTurn(item.text, item).catch(() => {});
  }

  /** What is done between turns alone. */
  #change(work: () => Promise<void>): Receipt {
    if (this.busy) return BUSY;
    return { accepted: true, done: this.#enqueue(work) };
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  async #shutDown(): Promise<void> {
    this.#stop?.abort();
    await settledWithin(this.#last, TURN_GRACE);
    this.#followUps?.close();
    await settledWithin(Promise.all([this.#runtime.close(), this.#ports.close?.()]), CLOSE_GRACE);
  }

  /** `item`: what the text is in the inbox. */
  #enqueueTurn(text: string, item?: InboxItem): Promise<TurnSummary> {
    const { log } = this.#ports;
    const origin = item === undefined ? {} : { inboxId: item.id };
    return this.#enqueue(async () => {
      log.nextTurn();
      log.emit({ kind: "turn_status", status: "queued" });
      let summary: TurnSummary = BROKEN;
      this.#unsends = false;
      const begin = this.#runtime.transcript.messages.length;
      try {
        summary = log.redact(await this.#stoppable((signal) => this.#runtime.agent.runTurn(text, signal, origin)));
        if (this.#unsends) await this.#takeBack(begin);
      } finally {
        this.#followUps?.ended(summary, item);
      }
      return summary;
    });
  }

  /** The message of the turn that was stopped leaves the conversation, unless something has answered it. */
  async #takeBack(begin: number): Promise<void> {
    const { messages } = this.#runtime.transcript;
    if (messages.slice(begin).some(({ role, local_only }) => role === "assistant" && !local_only)) return;
    const turn = turnsOf(messages).find(({ message }) => message >= begin);
    if (turn === undefined) return;
    const report = await rewind(this.#runtime, { turn: turn.number, scope: "conversation" });
    await this.#went({ ...report, text: "Taken back: the message is no part of the conversation." });
  }

  /** What `cancel` and `close` stop while it runs. */
  async #stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#stop = new AbortController();
    if (this.#closed) this.#stop.abort();
    try {
      return await work(this.#stop.signal);
    } finally {
      this.#stop = undefined;
    }
  }

  async #compact({ focus, part }: Extract<Intent, { kind: "compact" }>): Promise<void> {
    const wish = part === undefined
      ? { kind: "most" } as const
      : { kind: part.direction, anchor: findTurn(this.#runtime, part.turn).message };
    const order = { trigger: "manual", wish, ...(focus === undefined ? {} : { focus }) } as const;
    const { outcome, text } = await this.#stoppable((signal) => this.#runtime.agent.fold(order, signal));
    // What a model was asked for tells of itself.
    if (outcome === "noop") this.#ports.log.emit({ kind: "notice", level: "info", text });
  }

  /** One that waits is enough: it reads what is written when its time comes. */
  async #reload(): Promise<void> {
    this.#reloading = undefined;
    const { log } = this.#ports;
    const known = this.#runtime.notices;
    this.#runtime = await this.#runtime.reload();
    log.emit({ kind: "model_changed", ...modelFacts(this.#runtime.model) });
    for (const text of this.#runtime.notices) {
      if (!known.includes(text)) log.emit({ kind: "notice", level: "warning", text });
    }
  }

  #saveKey({ name, value }: Extract<Intent, { kind: "save_key" }>): Receipt {
    const { saveKey } = this.#ports;
    if (saveKey === undefined) return { accepted: false, reason: "keys are not taken here" };
    return {
      accepted: true,
      done: (async () => {
        await saveKey(name, value);
        await (this.#reloading ??= this.#enqueue(() => this.#reload()));
      })(),
    };
  }

  async #changeModel(wish: ModelWish): Promise<void> {
    this.#runtime = await this.#runtime.withModel(wish);
    this.#ports.log.emit({ kind: "model_changed", ...modelFacts(this.#runtime.model) });
  }

  /** Tells of a going back, and lets everything that goes by the conversation read it anew. */
  async #went(report: RewindReport): Promise<void> {
    if (report.scope === "code") return this.#ports.log.emit({ kind: "rewound", ...report });
    this.#runtime = await this.#runtime.reread();
    const { agent, todos } = this.#runtime;
    // Measures what is left of the conversation.
    await agent.composition();
    this.#ports.log.emit({ kind: "rewound", ...report, todos: todos.items, contextTokens: agent.context.used });
  }

  async #branch({ turn, title }: Extract<Intent, { kind: "branch" }>): Promise<void> {
    const { transcript, checkpoints } = this.#runtime;
    const keep = turn === undefined ? transcript.messages.length : findTurn(this.#runtime, turn).message;
    const { id, path } = await transcript.branch(keep, title === undefined ? {} : { title });
    await checkpoints.copyTo(path);
    await this.#openSession({ session: { ref: id } });
  }

  async #discard(): Promise<void> {
    const { transcript } = this.#runtime;
    await this.#openSession({ session: "new" }, { discards: true });
    await transcript.discard();
  }

  /** `discards`: the one before is about to be removed. */
  async #openSession(
    { session, copy }: Omit<Extract<Intent, { kind: "open_session" }>, "kind">,
    { discards = false } = {},
  ): Promise<void> {
    const conversation: Conversation = typeof session === "string"
      ? { kind: session }
      : { kind: "stored", ref: session.ref };
    const { posture, preset } = this;
    // The old conversation stays open until the new one is: a failure leaves the person where they were.
    const next = await this.#ports.open(conversation, { copy: copy ?? false });
    const left = this.inbox.items.length;
    const from = this.sessionId;
    this.#followUps?.close();
    await settledWithin(this.#runtime.close(), CLOSE_GRACE);
    next.permissions.setPosture(posture);
    next.preset.set(preset);
    this.#runtime = next;
    this.#followUps = this.#createFollowUps(next);
    const { log } = this.#ports;
    log.emit({ kind: "session_opened", resumed: this.messages.length > 0, ...modelFacts(next.model), posture });
    for (const text of next.notices) log.emit({ kind: "notice", level: "warning", text });
    if (left > 0 && !discards) {
      const what = left === 1 ? "1 queued message stays" : `${left} queued messages stay`;
      log.emit({ kind: "notice", level: "info", text: `${what} with session ${from}.` });
    }
    if (this.inbox.items.length > 0) this.#followUps?.tell();
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const done = this.#last.then(work).finally(() => {
      this.#waiting--;
      this.#sendNext();
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

function toReceipt(settled: boolean): Receipt {
  return settled ? { accepted: true } : { accepted: false, reason: "this question was answered already" };
}

/** Of a turn that ended in a defect: nothing goes out behind it. */
const BROKEN: TurnSummary = { outcome: "failed", answer: "", rounds: 0 };

/** A limit or a disk that says no is an answer. */
function refusable(work: () => Receipt): Receipt {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ReasonixError)) throw error;
    const { code, message, remedy } = error;
    return { accepted: false, reason: remedy ? `${message}. ${remedy}` : message, code };
  }
}

const BUSY: Receipt = { accepted: false, reason: "a turn is running; stop it or wait for its end" };

function modelFacts({ ref, contextWindow, effort }: ModelView) {
  return { model: ref, contextWindow, ...(effort === undefined ? {} : { effort }) };
}
