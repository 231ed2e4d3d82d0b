/** What waits for the running turn of a conversation. One that cannot be read costs its messages' being kept, not the session. */
import { ReasonixError } from "../contract/errors.ts";
import type { Inbox } from "../contract/inbox.ts";
import type { Transcript } from "../contract/session.ts";

export interface BuiltInbox {
  /** Absent: what is said while a turn runs lives as long as the program. */
  readonly inbox?: Inbox;
  readonly notices: readonly string[];
}

/** Loaded where somebody can say something while a turn runs, and nowhere else. */
export async function buildInbox(transcript: Transcript): Promise<BuiltInbox> {
  const { openInbox } = await import("../sessions/inbox/inbox.ts");
  try {
    const inbox = openInbox({ place: transcript, now: Date.now });
    return { inbox, notices: inbox.notices };
  } catch (error) {
    if (!(error instanceof ReasonixError)) throw error;
    return { notices: [`${error.message}; messages that are queued now are not kept`] };
  }
}
