/**
 * A conversation as labelled text for the summariser. It is data there, not a conversation to go on with: no call of it
 * can be taken for one, and nothing in it is sent as its own role.
 */
import type { Message, ToolCall } from "../../contract/message.ts";
import { parseArguments } from "../outgoing.ts";
import type { Span } from "./plan.ts";

/** Longest text of a tool result and of an answer that is shown; the person's words are always whole. Characters. */
export interface Detail {
  readonly result: number;
  readonly answer: number;
}

/** From the fullest to the shortest form. */
export const DETAILS: readonly Detail[] = [
  { result: Infinity, answer: Infinity },
  { result: 2000, answer: 4000 },
  { result: 500, answer: 1000 },
];

/** Arguments longer than this are counted, not shown. Characters. */
const SHORT_VALUE = 120;

/** What stands between the parts. */
export const BETWEEN = "\n\n";

/** Part by part: all of a long conversation may be more than one text can hold. */
export function* renderSpans(
  messages: readonly Message[],
  spans: readonly Span[],
  detail: Detail,
): Generator<string, void, undefined> {
  for (const { from, to } of spans) {
    for (let at = from; at < to; at++) {
      if (!messages[at]!.local_only) yield* renderMessage(messages[at]!, detail);
    }
  }
}

function renderMessage(message: Message, detail: Detail): string[] {
  const text = (limit: number) => unlabelled(shorten(message.content ?? "", limit));
  switch (message.role) {
    case "system":
      return [`[system]\n${text(Infinity)}`];
    case "user":
      return [`[${message.host_authored ? "system" : "user"}]\n${text(Infinity)}`];
    case "tool":
      return [`[tool ${message.name ?? "?"} result]\n${text(detail.result)}`];
    case "assistant":
      return [
        ...(message.content ? [`[assistant]\n${text(detail.answer)}`] : []),
        ...(message.tool_calls ?? []).map(renderCall),
      ];
  }
}

/** A file or a result that holds a line like a label of ours does not speak for the person. */
function unlabelled(text: string): string {
  return text.replace(/^([ \t]*)\[(?=(?:user|system|assistant|tool|earlier)\b[^\n\]]*\])/gm, "$1\\[");
}

function renderCall(call: ToolCall): string {
  const parsed = parseArguments(call.arguments);
  if (parsed.kind !== "object") return `[assistant calls ${call.name}] ${call.arguments.length} characters`;
  const entries = Object.entries(parsed.value);
  const shown = entries.map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const isShort = text.length <= SHORT_VALUE && !text.includes("\n");
    return isShort ? `${key}=${text}` : `${key} (${text.length} characters)`;
  });
  return `[assistant calls ${call.name}] ${entries.length} arguments: ${shown.join(", ")}`;
}

function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}\n…[${text.length - 2 * half} characters left out]…\n${text.slice(-half)}`;
}
