/** What the end of a complete answer means, whatever the protocol: why it ended, and whether it is taken as it is. */
import type { FinishReason } from "../contract/provider.ts";
import { parseJson } from "../lib/json.ts";
import type { Doubt, WireAnswer } from "./wire.ts";

/** Calls make a stop a call for tools, and without calls there is none, whatever the endpoint says. */
export function toFinish(said: FinishReason | undefined, calls: number): FinishReason {
  if (said === "length" || said === "content_filter") return said;
  return calls > 0 ? "tool_calls" : "stop";
}

/** Of an answer that calls tools. `mendable`: arguments that are JSON may be taken although an event was lost. */
export function doubtAbout(
  answer: WireAnswer,
  facts: { readonly damaged: boolean; readonly mendable: boolean; readonly expectsReasoning: boolean },
): Doubt | undefined {
  if (answer.calls.length === 0) return undefined;
  if (facts.damaged) {
    // A lost piece of arguments can leave valid JSON that says something else.
    const sound = facts.mendable && answer.calls.every((call) => parseJson(call.arguments) !== undefined);
    return { reason: DAMAGED, tries: 2, refuse: !sound };
  }
  if (facts.expectsReasoning && answer.text === "" && answer.reasoning === "") {
    return { reason: NO_REASONING, tries: 1, refuse: false };
  }
  return undefined;
}

const DAMAGED = "part of a stream that called tools was not readable";
const NO_REASONING = "the model called tools without the reasoning it must give";
