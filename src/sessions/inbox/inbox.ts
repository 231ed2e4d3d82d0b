/**
 * The inbox of one session: `<id>.inbox/log.jsonl` beside its transcript, whole lines, for its owner alone. Only the
 * holder of the session has it open. What a stored message carries is not in it any more, whatever the log says: so an
 * item goes out once though the program may die between the message and the line that says so.
 */
import { ReasonixError } from "../../contract/errors.ts";
import { type Inbox, INBOX_LIMITS, type InboxChange, type InboxItem } from "../../contract/inbox.ts";
import type { Message } from "../../contract/message.ts";
import { byteLength, toHex } from "../../lib/bytes.ts";
import { sidecars } from "../paths.ts";
import { InboxLog } from "./log_file.ts";
import { applyRecord, type InboxRecord } from "./record.ts";

export interface InboxOptions {
  /** The transcript; its path changes once when the conversation moves to a recovery branch. */
  readonly place: { readonly path: string; readonly messages: readonly Message[] };
  /** Unix time in milliseconds. */
  now(): number;
}

/** Nothing is written before there is something to keep. Throws `session.unreadable`. */
export function openInbox(options: InboxOptions): Inbox {
  return new SessionInbox(options);
}

class SessionInbox implements Inbox {
  readonly notices: readonly string[];
  readonly #options: InboxOptions;
  readonly #log: InboxLog;
  readonly #listeners = new Set<() => void>();
  #items: readonly InboxItem[];

  constructor(options: InboxOptions) {
    this.#options = options;
    this.#log = new InboxLog(() => sidecars(options.place.path).inbox);
    const { items, notices } = this.#log.read();
    // Nobody gives guidance to a turn of a program that is gone.
    this.#items = this.#unsent(items).map((item) => item.state === "guidance" ? { ...item, state: "waiting" } : item);
    this.notices = notices;
    this.#log.tidy(this.#items);
  }

  get items(): readonly InboxItem[] {
    return this.#items;
  }

  add(text: string, { state = "waiting", failure, to }: Omit<InboxChange, "text"> = {}): InboxItem {
    this.#checkRoom(text);
    const id = `q${toHex(crypto.getRandomValues(new Uint8Array(6)))}`;
    const at = this.#options.now();
    this.#write({ op: "put", id, text, state, ...optional({ failure, to }), at });
    return this.#items.find((item) => item.id === id)!;
  }

  change(id: string, { text, state, failure, to }: InboxChange): boolean {
    if (!this.#has(id)) return false;
    if (text !== undefined) this.#checkRoom(text, id);
    this.#write({ op: "put", id, ...optional({ text, state, failure, to }) });
    return true;
  }

  remove(id: string): boolean {
    if (!this.#has(id)) return false;
    this.#write({ op: "remove", id });
    return true;
  }

  taken(id: string): void {
    if (!this.#has(id)) return;
    try {
      this.#write({ op: "remove", id });
    } catch {
      this.#set(applyRecord(this.#items, { op: "remove", id }));
    }
  }

  reread(): void {
    const items = this.#unsent(this.#log.read().items);
    this.#log.tidy(items);
    this.#set(items);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#log.close();
  }

  #has(id: string): boolean {
    return this.#items.some((item) => item.id === id);
  }

  #checkRoom(text: string, instead?: string): void {
    const others = this.#items.filter(({ id }) => id !== instead);
    const size = byteLength(text);
    const { items, itemBytes, totalBytes } = INBOX_LIMITS;
    if (size > itemBytes) {
      throw new ReasonixError("inbox.too_large", `a queued message has at most ${mebibytes(itemBytes)}`, {
        remedy: "Put the text into a file and name it with @.",
      });
    }
    const total = others.reduce((sum, other) => sum + byteLength(other.text), size);
    if (others.length < items && total <= totalBytes) return;
    const what = others.length < items
      ? `the queue holds at most ${mebibytes(totalBytes)} of text`
      : `${items} messages wait already`;
    throw new ReasonixError("inbox.full", what, { remedy: "Let some go out first, or drop one with /queue delete." });
  }

  #write(record: InboxRecord): void {
    // What somebody else has put there meanwhile is not written over.
    const found = this.#log.foreign();
    const now = applyRecord(found ? this.#unsent(found) : this.#items, record);
    this.#log.append(record, now);
    this.#set(now);
  }

  #set(items: readonly InboxItem[]): void {
    this.#items = items;
    for (const listener of this.#listeners) listener();
  }

  #unsent(items: readonly InboxItem[]): readonly InboxItem[] {
    if (items.length === 0) return items;
    const stored = new Set(this.#options.place.messages.map((message) => message.inbox_id));
    return items.filter(({ id }) => !stored.has(id));
  }
}

function optional<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function mebibytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`;
}
