/**
 * What the person has said and the conversation has not taken yet: messages that wait for the running turn, and guidance
 * for it. Kept beside the transcript, so that it outlives the program that took it in. An item leaves when a stored
 * message carries its id (`Message.inbox_id`), and so goes out once whatever dies in between.
 */

export interface InboxItem {
  readonly id: string;
  readonly text: string;
  /**
   * `guidance`: for the running turn; one that ends without taking it leaves an ordinary message. `failed`: its turn
   * failed, and it goes out again only when the person says so.
   */
  readonly state: "waiting" | "guidance" | "failed";
  /** Why its turn failed: one line. */
  readonly failure?: string;
  /** When it was said. Unix time in milliseconds. */
  readonly at: number;
}

export interface InboxChange {
  readonly text?: string;
  readonly state?: InboxItem["state"];
  readonly failure?: string;
  /** Its place among the others from now on, from 0. */
  readonly to?: number;
}

/**
 * Why nothing goes out by itself: the person said so; a turn was stopped, failed or met a limit with messages waiting
 * behind it; or they waited in a conversation that was opened.
 */
export type InboxPause = "person" | "stopped" | "failed" | "limit" | "opened";

/** What a screen shows of an item. */
export interface InboxEntry {
  readonly id: string;
  /** The start of the text, as one line. */
  readonly preview: string;
  /** Of UTF-8. */
  readonly bytes: number;
  readonly state: InboxItem["state"];
  readonly failure?: string;
}

export interface InboxView {
  readonly items: readonly InboxItem[];
  /** Absent: they go out one after the other. */
  readonly paused?: InboxPause;
}

/** What the person does with what waits; `id` names an item. */
export type InboxOrder =
  /** One whose turn failed waits again. */
  | { readonly do: "edit"; readonly id: string; readonly text: string }
  | { readonly do: "delete"; readonly id: string }
  /** `to`: from 0. */
  | { readonly do: "move"; readonly id: string; readonly to: number }
  /** One whose turn failed goes out first, and a pause that came of a failure ends. */
  | { readonly do: "retry"; readonly id: string }
  | { readonly do: "pause" }
  | { readonly do: "resume" }
  /** Looks at the disk again. */
  | { readonly do: "refresh" }
  /** It is being changed, and does not go out before it was edited, deleted or let go. Guidance becomes a message. */
  | { readonly do: "hold"; readonly id: string }
  | { readonly do: "release" };

export const INBOX_LIMITS = {
  items: 64,
  /** Bytes of UTF-8 of one message, and of all together. */
  itemBytes: 4 * 1024 * 1024,
  totalBytes: 64 * 1024 * 1024,
} as const;

export interface Inbox {
  /** In the order they go out. Whoever keeps the list sees no change in it. */
  readonly items: readonly InboxItem[];
  /** What the person should know of how it was opened; one line each. */
  readonly notices: readonly string[];
  /**
   * On the disk when this returns. Throws `inbox.full` or `inbox.too_large` for what is past a limit and
   * `session.write_failed`; then nothing has changed.
   */
  add(
    text: string,
    options?: { readonly state?: InboxItem["state"]; readonly failure?: string; readonly to?: number },
  ): InboxItem;
  /** On the disk when this returns. False: there is no such item. Throws as `add` does. */
  change(id: string, change: InboxChange): boolean;
  /** False: there is no such item. */
  remove(id: string): boolean;
  /** The message this was is stored. Never throws: what could not be written is made good by the stored message. */
  taken(id: string): void;
  /** Looks at the disk again. Throws `session.unreadable`. */
  reread(): void;
  /** Called after each change. */
  subscribe(listener: () => void): () => void;
  /** Idempotent. */
  close(): void;
}

/** What the loop takes of it. */
export type GuidanceSource = Pick<Inbox, "items" | "taken">;
