/**
 * Failed calls that stay through a fold (keep policy `errors`). The host's execution record decides what failed; only
 * without one does the text.
 */
import type { Message } from "../../contract/message.ts";

/** Lines kept of one failure at most. */
const MOST_LINES = 60;
const LAST_LINES = 5;

const CARRIES_FAILURE =
  /\b(?:errors?|fail(?:ed|ure|ures|s|ing)?|fatal|panic(?:ked)?|exception|traceback|assert(?:ion)?\w*|unexpected|expected|actual|undefined|cannot|can't|could not|denied|not found|no such|timed? ?out|killed|abort(?:ed)?|segmentation|got|want|exit (?:status|code))\b|\b\w*(?:Error|Exception)\b|^\s*(?:✗|✖|×|not ok\b)|[\w./\\-]+\.\w+:\d+(?::\d+)?\b|^\s*[-+]\s*(?:expected|actual)/i;

export function isFailure(message: Message): boolean {
  if (message.role !== "tool") return false;
  const record = message.tool_execution;
  if (record === undefined) return /^(?:error|blocked):/.test(message.content ?? "");
  return record.state === "failed" || record.state === "timed_out" || (record.exit_code ?? 0) !== 0;
}

/** The result as it stays: whole without a record, its failure-carrying lines with one. The record stays in any case. */
function toKeptFailure(message: Message): Message {
  const { raw_content: _, ...rest } = message;
  if (message.tool_execution === undefined) return rest;
  return { ...rest, content: failureLines(message.content ?? "") };
}

export function failureLines(text: string): string {
  const lines = text.split("\n");
  const carrying = lines.filter((line) => CARRIES_FAILURE.test(line));
  // A failure that names itself nowhere shows at its end, if at all.
  const told = carrying.length > 0 ? carrying : lines.filter((line) => line.trim() !== "").slice(-LAST_LINES);
  if (told.length <= MOST_LINES) return told.join("\n");
  const half = MOST_LINES / 2;
  return [...told.slice(0, half), `…[${told.length - MOST_LINES} such lines]…`, ...told.slice(-half)].join("\n");
}

export interface KeptExchange {
  /** Place of the asking message in the transcript. */
  readonly at: number;
  /** The call and its result, or several of one answer. */
  readonly messages: readonly Message[];
}

/** Failed calls within [from, to), each with the message that asked for it. */
export function keepFailures(messages: readonly Message[], from: number, to: number): KeptExchange[] {
  const kept: KeptExchange[] = [];
  for (let at = from; at < to; at++) {
    const asking = messages[at]!;
    if (!asking.tool_calls?.length || asking.local_only) continue;
    const results: Message[] = [];
    for (let i = at + 1; i < to && (messages[i]!.role === "tool" || messages[i]!.local_only); i++) {
      if (!messages[i]!.local_only && isFailure(messages[i]!)) results.push(messages[i]!);
    }
    const ids = new Set(results.map((result) => result.tool_call_id));
    const calls = asking.tool_calls.filter((call) => ids.has(call.id));
    if (calls.length === 0) continue;
    const paired = results.filter((result) => calls.some((call) => call.id === result.tool_call_id));
    kept.push({ at, messages: [askingFor(asking, calls), ...paired.map(toKeptFailure)] });
  }
  return kept;
}

function askingFor(asking: Message, calls: NonNullable<Message["tool_calls"]>): Message {
  if (calls.length === asking.tool_calls!.length) return asking;
  // Opaque items name the calls they belong to; without all of those they are of no use.
  const { provider_items: _, ...rest } = asking;
  return { ...rest, tool_calls: calls };
}
