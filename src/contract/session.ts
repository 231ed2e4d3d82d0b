/** The stored conversation: append-only, one writer at a time. */
import type { InterruptedTurn, Message } from "./message.ts";
import type { ResultStore } from "./tool.ts";

export interface Transcript {
  /** Changes once when the file was altered from outside and the conversation moved to a recovery branch. */
  readonly id: string;
  /** File the messages are in. */
  readonly path: string;
  /**
   * The conversation so far, oldest first. Grows in place, and becomes shorter by `rewind` alone; entries are never
   * replaced. The full text of a bounded tool result is not part of its entry: `results` reads it back. Long texts of
   * old entries may be read from the disk when they are looked at; should that fail, looking throws
   * `ReasonixError("session.unreadable")`.
   */
  readonly messages: readonly Message[];
  readonly results: ResultStore;
  /** What was left of the last turn when the program that ran it died. Set on open, gone once a turn begins. */
  readonly interrupted?: InterruptedTurn;
  /**
   * Adds one whole line. The bytes are handed to the system before this returns; throws
   * `ReasonixError("session.write_failed")` when they could not be, and then the message is not part of `messages`.
   */
  append(message: Message): void;
  /** Before the first message of a turn: from here to `endTurn` a death of the program is an interrupted turn. */
  beginTurn(turn: { readonly id: string }): void;
  /** The turn has ended in an orderly way, whatever its outcome. */
  endTurn(): void;
  /**
   * Between turns: the conversation goes on from its first `keep` messages. What follows them stays stored, and a mark
   * tells of it. `id` is the caller's. Throws as `append` does, and for `keep` behind the end.
   */
  rewind(keep: number, options: { readonly id: string }): void;
  /** Takes the last `rewind` back, with a mark of its own. False when anything was said since. */
  undoRewind(options: { readonly id: string }): boolean;
  /** Id of the mark that stands last, if nothing was said since. */
  readonly lastRewind: string | undefined;
  /** A session of its own that begins with the first `keep` messages. This one stays as it is. */
  branch(keep: number, options: { readonly title?: string }): Promise<{ readonly id: string; readonly path: string }>;
  /** Name given by the person. */
  readonly title: string | undefined;
  rename(title: string): void;
  /** Closes the session and removes what is stored of it. */
  discard(): Promise<void>;
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
  /** Name the user gave it. */
  readonly title?: string;
  /** User turns; absent where only reading the whole file would tell. */
  readonly turns?: number;
  /** Why it does not open, or opens with a loss. */
  readonly damaged?: string;
}

export interface SessionStore {
  /** A new, empty session. Its file appears with the first message. */
  create(options: { readonly model: string }): Promise<Transcript>;
  /**
   * Opens for writing what `ref` names: an id, a path, a machine session id, or a part of exactly one title or preview.
   * `session.locked` names the holder; `session.not_found`, `session.ambiguous` list what fits; `session.unreadable`.
   * A torn last line is set aside in a file beside the transcript and reported in `notices`. `copy` continues in a
   * duplicate with an id of its own and leaves the original, held or not, as it is. `takeover` asks a holder that is
   * willing to hand the session over.
   */
  open(
    ref: string,
    options?: { readonly copy?: boolean; readonly takeover?: boolean },
  ): Promise<{ readonly transcript: Transcript; readonly notices: readonly string[] }>;
  /** Newest first. Empty where there is no folder yet; `session.unreadable` where it cannot be read. */
  list(): Promise<readonly SessionSummary[]>;
  /** The newest session that holds a message and can be read. */
  latest(): Promise<SessionSummary | undefined>;
}
