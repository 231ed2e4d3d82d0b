/** Where a conversation may be cut in two: only where every call has its result on the same side. */
import type { Message } from "../../contract/message.ts";

/** The part from `at` on would not begin with a tool result. */
export function isCut(messages: readonly Message[], at: number): boolean {
  let next = at;
  while (messages[next]?.local_only) next++;
  return messages[next]?.role !== "tool";
}

/** The last place at or before `at` where a cut is possible. */
export function cutAtOrBefore(messages: readonly Message[], at: number): number {
  while (at > 0 && !isCut(messages, at)) at--;
  return at;
}

/** What a person said, as opposed to what the host wrote in the user's role. */
export function isPersonsTurn(message: Message): boolean {
  return message.role === "user" && message.host_authored !== true && message.local_only !== true;
}

/** What stands before the person's first word: it never changes. */
export function headLength(messages: readonly Message[]): number {
  const first = messages.findIndex((message) =>
    message.role !== "system" && !(message.role === "user" && message.host_authored) && !message.local_only
  );
  return first < 0 ? messages.length : first;
}

/** Where the newest calls of the running turn stand, or the end when it has made none. */
export function openWork(messages: readonly Message[], activeTurn: number | undefined): number {
  if (activeTurn === undefined) return messages.length;
  const last = messages.findLastIndex((message) => (message.tool_calls?.length ?? 0) > 0 && !message.local_only);
  return last > activeTurn ? last : messages.length;
}
