/** What a program that died left of its last turn, read off the transcript. */
import type { InterruptedTurn, Message } from "../contract/message.ts";
import type { InFlightTurn } from "./meta.ts";

/**
 * With a marker the turn it names was running. Without a usable meta file the shape of the end tells: an answer is owed.
 * Undefined as well when the turn stored nothing, or stored its own record of how it ended.
 */
export function findInterrupted(
  messages: readonly Message[],
  known: { readonly hasMeta: boolean; readonly inFlight?: InFlightTurn },
): InterruptedTurn | undefined {
  const last = messages.at(-1);
  if (last === undefined || last.interrupted_turn !== undefined) return undefined;
  let start: number;
  if (known.inFlight !== undefined) start = known.inFlight.startMessageIndex;
  else if (known.hasMeta || !owesAnswer(messages)) return undefined;
  else start = messages.findLastIndex((message) => message.role === "user" && !message.host_authored);
  if (start < 0 || start >= messages.length) return undefined;
  return toInterruptedTurn(messages.slice(start));
}

function owesAnswer(messages: readonly Message[]): boolean {
  const last = messages.findLast((message) => !message.local_only && message.role !== "system");
  if (last === undefined) return false;
  return last.role === "assistant" ? (last.tool_calls?.length ?? 0) > 0 : last.host_authored !== true;
}

function toInterruptedTurn(turn: readonly Message[]): InterruptedTurn {
  const results = new Map(
    turn.filter((message) => message.role === "tool").map((result) => [
      result.tool_call_id,
      result,
    ]),
  );
  const calls = turn.flatMap((message) => message.tool_calls ?? []);
  const isSettled = (id: string) => results.has(id) && results.get(id)!.tool_execution?.state !== "cancelled";
  return {
    reason: "pending",
    detail: "the program ended while the turn was running",
    completed_tools: calls.filter((call) => isSettled(call.id)).map((call) => ({
      id: call.id,
      name: call.name,
      files: results.get(call.id)!.tool_execution?.paths_written ?? [],
    })),
    interrupted_tools: calls.filter((call) => !isSettled(call.id)).map(({ id, name }) => ({ id, name })),
    dropped_partial_text: false,
  };
}
