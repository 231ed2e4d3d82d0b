/**
 * The messages that wait for the running turn: which goes out next, and whether any does by itself. After a stop, a
 * failure or a limit none does, nor when a conversation is opened in which some waited: the person says when.
 */
import { ReasonixError } from "../contract/errors.ts";
import type { EventBody } from "../contract/event.ts";
import type { Inbox, InboxEntry, InboxItem, InboxOrder, InboxPause, InboxView } from "../contract/inbox.ts";
import type { TurnSummary } from "../agent/mod.ts";
import { byteLength } from "../lib/bytes.ts";
import { toLine } from "../lib/terminal_text.ts";

type Told = Extract<EventBody, { kind: "inbox_changed" }>;

/** Of a message that never went out. */
const NOT_SENT: TurnSummary = { outcome: "cancelled", answer: "", rounds: 0 };

export class FollowUps {
  readonly #inbox: Inbox;
  readonly #tell: (body: Told) => void;
  readonly #unsubscribe: () => void;
  readonly #entries = new WeakMap<InboxItem, InboxEntry>();
  /** Who waits for the turn of an item, by its id. */
  readonly #turns = new Map<string, PromiseWithResolvers<TurnSummary>>();
  #paused: InboxPause | undefined;
  /** The item the person is changing. */
  #held: string | undefined;

  constructor(inbox: Inbox, tell: (body: Told) => void) {
    this.#inbox = inbox;
    this.#tell = tell;
    if (inbox.items.length > 0) this.#paused = "opened";
    this.#unsubscribe = inbox.subscribe(() => this.#changed());
  }

  get view(): InboxView {
    return { items: this.#inbox.items, ...(this.#paused ? { paused: this.#paused } : {}) };
  }

  /** `turn`: also settles when the message is dropped. Throws as `Inbox.add` does. */
  add(text: string): { readonly id: string; readonly turn: Promise<TurnSummary> } {
    const { id } = this.#inbox.add(text);
    const turn = Promise.withResolvers<TurnSummary>();
    this.#turns.set(id, turn);
    return { id, turn: turn.promise };
  }

  /** Before everything else that waits. Throws as `Inbox.add` does. */
  guide(text: string): InboxItem {
    const { items } = this.#inbox;
    return this.#inbox.add(text, { state: "guidance", to: items.filter(({ state }) => state === "guidance").length });
  }

  /** What goes out now, if anything does. */
  next(): InboxItem | undefined {
    if (this.#paused) return undefined;
    const next = this.#inbox.items.find(({ state }) => state === "waiting");
    return next?.id === this.#held ? undefined : next;
  }

  /** Answers why it could not be done. Throws as `Inbox.add` does. */
  follow(order: InboxOrder): string | undefined {
    const item = "id" in order ? this.#inbox.items.find(({ id }) => id === order.id) : undefined;
    if ("id" in order && item === undefined) return "this message is not in the queue any more";
    switch (order.do) {
      case "edit":
        this.#inbox.change(order.id, { text: order.text, ...(item!.state === "failed" ? { state: "waiting" } : {}) });
        this.#release(order.id);
        break;
      case "delete":
        this.#inbox.remove(order.id);
        this.#release(order.id);
        this.#settle(order.id, NOT_SENT);
        break;
      case "move":
        this.#inbox.change(order.id, { to: order.to });
        break;
      case "retry":
        if (item!.state !== "failed") return "the turn of this message has not failed";
        this.#inbox.change(order.id, { state: "waiting", to: 0 });
        if (this.#paused === "failed") this.#pause(undefined);
        break;
      case "pause":
        this.#pause("person");
        break;
      case "resume":
        this.#pause(undefined);
        break;
      case "refresh":
        this.#inbox.reread();
        break;
      case "hold":
        if (item!.state === "guidance") this.#inbox.change(order.id, { state: "waiting" });
        this.#held = order.id;
        break;
      case "release":
        this.#held = undefined;
        break;
    }
    return undefined;
  }

  /** Who stops wants to think again. */
  stopped(): void {
    if (this.#inbox.items.length > 0) this.#pause("stopped");
  }

  /** A turn has ended; `item` is what it began with. Never throws. */
  ended(summary: TurnSummary, item?: InboxItem): void {
    const { outcome, failure } = summary;
    if (item) this.#settle(item.id, summary);
    try {
      // No turn takes guidance any more: it is a message like the others.
      for (const { id, state } of this.#inbox.items) {
        if (state === "guidance") this.#inbox.change(id, { state: "waiting" });
      }
      if (outcome === "failed" && item) this.#failed(item, toLine(failure?.message ?? "its turn failed", 300));
    } catch (error) {
      // What could not be written down waits as it is.
      if (!(error instanceof ReasonixError)) throw error;
    }
    if (outcome === "completed") {
      if (item) this.#inbox.taken(item.id);
    } else if (this.#inbox.items.length > 0) this.#pause(PAUSE_AFTER[outcome]);
  }

  close(): void {
    this.#unsubscribe();
    for (const id of this.#turns.keys()) this.#settle(id, NOT_SENT);
  }

  /** Tells all of it. */
  tell(): void {
    const items = this.#inbox.items.map((item) => this.#entryOf(item));
    this.#tell({ kind: "inbox_changed", items, ...(this.#paused ? { paused: this.#paused } : {}) });
  }

  /** One whose message is stored comes back as another, so that it is not taken for one that is still to be removed. */
  #failed({ id, text }: InboxItem, failure: string): void {
    if (this.#inbox.change(id, { state: "failed", failure })) return;
    this.#inbox.add(text, { state: "failed", failure, to: 0 });
  }

  #settle(id: string, summary: TurnSummary): void {
    this.#turns.get(id)?.resolve(summary);
    this.#turns.delete(id);
  }

  #entryOf(item: InboxItem): InboxEntry {
    const known = this.#entries.get(item);
    if (known) return known;
    const entry = toInboxEntry(item);
    this.#entries.set(item, entry);
    return entry;
  }

  #release(id: string): void {
    if (this.#held === id) this.#held = undefined;
  }

  #pause(why: InboxPause | undefined): void {
    if (this.#paused === why) return;
    this.#paused = why;
    this.tell();
  }

  #changed(): void {
    // Nothing waits that could go out by mistake.
    if (this.#inbox.items.length === 0 && this.#paused !== "person") this.#paused = undefined;
    this.tell();
  }
}

const PAUSE_AFTER = { cancelled: "stopped", failed: "failed", paused: "limit" } as const;

export function toInboxEntry({ id, text, state, failure }: InboxItem): InboxEntry {
  return {
    id,
    preview: toLine(text.slice(0, 2_000)),
    bytes: byteLength(text),
    state,
    ...(failure === undefined ? {} : { failure }),
  };
}
