/**
 * A giant tool result is cut once, when it enters the conversation, and never again. The whole text stays in the
 * transcript and can be paged through `use_capability` on `session:tool_result`.
 */
import { byteLength, headWithin, sha256, tailWithin } from "../lib/bytes.ts";

/** No result is larger than this in the model's view, whatever a tool asks for. Bytes. */
const VISIBLE_LIMIT = 32 * 1024;
/** What most tools show. Bytes. */
export const USUAL_LIMIT = 16_000;

export interface BoundedText {
  readonly content: string;
  /** Set when something was cut. */
  readonly raw?: string;
  readonly ref?: string;
}

export interface BoundOptions {
  readonly tool: string;
  readonly callId: string;
  readonly keep: "head" | "head_tail";
  /** Bytes. */
  readonly limit: number;
}

export async function boundText(text: string, options: BoundOptions): Promise<BoundedText> {
  const size = byteLength(text);
  const limit = Math.min(options.limit, VISIBLE_LIMIT);
  if (size <= limit) return { content: text };
  const ref = `tr-${(await sha256(`${options.callId}\n${text}`)).slice(0, 24)}`;
  const room = Math.max(0, limit - 600);
  const head = wholeLines(headWithin(text, options.keep === "head" ? room : Math.floor(room / 2)), "end");
  const tail = options.keep === "head" ? "" : wholeLines(tailWithin(text, Math.floor(room / 2)), "start");
  const kept = byteLength(head) + byteLength(tail);
  const marker =
    `…[truncated tool=${options.tool} call_id=${options.callId} result_ref=${ref} original_bytes=${size} kept_bytes=${kept}; ` +
    `the rest: use_capability action=call capability_id=session:tool_result ` +
    `arguments={"tool_call_id":"${options.callId}","result_ref":"${ref}","offset":${byteLength(head)}}]…`;
  const content = [head, marker, tail].filter((part) => part !== "").join("\n");
  return { content, raw: text, ref };
}

/** Drops a partial line at the cut, unless that would drop most of what is left. */
function wholeLines(text: string, cut: "start" | "end"): string {
  const at = cut === "end" ? text.lastIndexOf("\n") : text.indexOf("\n");
  if (at < 0) return text;
  const whole = cut === "end" ? text.slice(0, at) : text.slice(at + 1);
  return whole.length * 2 > text.length ? whole : text;
}
