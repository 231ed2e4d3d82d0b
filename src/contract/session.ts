/** The stored conversation: append-only, one writer at a time (context.md §5). */
import type { Message } from "./message.ts";
import type { ResultStore } from "./tool.ts";

export interface Transcript {
  readonly id: string;
  /** File the messages are in. */
  readonly path: string;
  /** All messages so far, oldest first. Grows in place; entries are never replaced. */
  readonly messages: readonly Message[];
  readonly results: ResultStore;
  /**
   * Adds one whole line. The bytes are handed to the system before this returns; throws
   * `ReasonixError("session.write_failed")` when they could not be, and then the message is not part of `messages`.
   */
  append(message: Message): void;
  /** Asks the disk to keep what was appended. At most once a round. */
  sync(): Promise<void>;
  /** Gives up ownership. Idempotent. */
  close(): Promise<void>;
}

export interface SessionSummary {
  readonly id: string;
  readonly path: string;
  /** Unix time in milliseconds. */
  readonly updatedAt: number;
  /** First user message, shortened to one line. */
  readonly preview: string;
  readonly turns: number;
  readonly damaged?: string;
}

export interface SessionStore {
  /** A new, empty session. Its file appears with the first message. */
  create(options: { readonly model: string }): Promise<Transcript>;
  /**
   * Opens for writing. `session.locked` names the holder; `session.not_found`, `session.ambiguous` list what fits.
   * A torn last line is set aside in a file beside the transcript and reported in `notices`.
   */
  open(
    ref: string,
    options?: { readonly copy?: boolean },
  ): Promise<{ readonly transcript: Transcript; readonly notices: readonly string[] }>;
  /** Newest first. */
  list(): Promise<readonly SessionSummary[]>;
}
