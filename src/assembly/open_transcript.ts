/** The stored conversation a run goes on with, or a new one. */
import { ReasonixError } from "../contract/errors.ts";
import type { SessionStore, Transcript } from "../contract/session.ts";
import type { Conversation, ConversationOptions } from "../controller/mod.ts";

export interface OpenedTranscript {
  readonly transcript: Transcript;
  readonly notices: readonly string[];
}

/** Going on without any session starts a new one and says so; resuming something unknown is an error. */
export async function openTranscript(
  sessions: SessionStore,
  conversation: Conversation,
  options: ConversationOptions & { readonly model: string },
): Promise<OpenedTranscript> {
  const { model, copy, takeover } = options;
  if (conversation.kind === "new") return { transcript: await sessions.create({ model }), notices: [] };
  if (conversation.kind === "stored" && conversation.ref.trim() === "") {
    throw new ReasonixError("session.not_found", "to resume takes an id, a path or a part of a title");
  }
  const ref = conversation.kind === "stored" ? conversation.ref : (await sessions.latest())?.id;
  if (ref === undefined) {
    const notices = ["there is no session to continue here; this is a new one"];
    return { transcript: await sessions.create({ model }), notices };
  }
  return await sessions.open(ref, { ...(copy ? { copy } : {}), ...(takeover ? { takeover } : {}) });
}
