/** An inbox that lives in memory: for tests that are not about storage. */
import type { Inbox, InboxChange, InboxItem } from "../../src/contract/inbox.ts";

export class MemoryInbox implements Inbox {
  readonly notices: readonly string[] = [];
  readonly #listeners = new Set<() => void>();
  #items: readonly InboxItem[] = [];
  #made = 0;
  /** Thrown by the next `add`. */
  refusal: Error | undefined;

  get items(): readonly InboxItem[] {
    return this.#items;
  }

  add(text: string, { state = "waiting", failure, to }: Omit<InboxChange, "text"> = {}): InboxItem {
    if (this.refusal) throw this.refusal;
    const item: InboxItem = { id: `q${++this.#made}`, text, state, ...(failure ? { failure } : {}), at: 0 };
    this.#set(this.#items.toSpliced(to ?? this.#items.length, 0, item));
    return item;
  }

  change(id: string, { text, state, failure, to }: InboxChange): boolean {
    const at = this.#items.findIndex((item) => item.id === id);
    if (at < 0) return false;
    const { failure: _, ...old } = this.#items[at]!;
    const item: InboxItem = {
      ...old,
      ...(text === undefined ? {} : { text }),
      ...(state === undefined ? {} : { state }),
      ...(failure === undefined ? {} : { failure }),
    };
    this.#set(this.#items.toSpliced(at, 1).toSpliced(to ?? at, 0, item));
    return true;
  }

  remove(id: string): boolean {
    if (!this.#items.some((item) => item.id === id)) return false;
    this.#set(this.#items.filter((item) => item.id !== id));
    return true;
  }

  taken(id: string): void {
    this.remove(id);
  }

  reread(): void {
    this.#set(this.#items);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {}

  #set(items: readonly InboxItem[]): void {
    this.#items = items;
    for (const listener of this.#listeners) listener();
  }
}
