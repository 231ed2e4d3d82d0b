/** The conversation a run goes on with, or a new one. */
import { ReasonixError } from "../contract/errors.ts";
import type { SessionStore, Transcript } from "../contract/session.ts";
import type { SessionRequest } from "./request.ts";

export interface OpenedSession {
  readonly transcript: Transcript;
  readonly notices: readonly string[];
}

/** `--continue` without any session starts a new one and says so; `--resume` of something unknown is an error. */
export async function openSession(
  sessions: SessionStore,
  request: SessionRequest,
  model: string,
): Promise<OpenedSession> {
  const { resume, copy, takeover } = request;
  if (resume === undefined) return { transcript: await sessions.create({ model }), notices: [] };
  let ref: string;
  if (resume === "latest") {
    const latest = await sessions.latest();
    if (latest === undefined) {
      return {
        transcript: await sessions.create({ model }),
        notices: ["there is no session to continue here; this is a new one"],
      };
    }
    ref = latest.id;
  } else {
    ref = resume.ref;
  }
  if (ref.trim() === "") {
    throw new ReasonixError("session.not_found", "--resume needs an id, a path or a part of a title");
  }
  return await sessions.open(ref, { copy, takeover });
}
