/**
 * One message as one line of the transcript. The text is plain JSON; characters that some programs take for a line end
 * are escaped, so a record is one line for every reader, and unpaired surrogates travel as escapes. The full text of a
 * bounded tool result stands last, so that a reader can leave it alone.
 */
import type { Message, Role } from "../contract/message.ts";
import { toBytes } from "../lib/bytes.ts";
import { isRecord } from "../lib/json.ts";

/** No line is longer, with its end; what is longer could not be read back as one string. Bytes. */
export const MAX_RECORD_BYTES = 256 * 1024 * 1024;

const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** The line with its `\n`. Throws `RangeError` for what is too long to be one string. */
export function encodeRecord(message: Message): Uint8Array<ArrayBuffer> {
  const { raw_content, ...small } = message;
  const json = JSON.stringify(raw_content === undefined ? small : { ...small, raw_content });
  return toBytes(
    json.replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`) + "\n",
  );
}

export type ParsedRecord =
  | { readonly kind: "message"; readonly message: Message }
  /** Sound JSON of a shape this version does not know: left where it is. */
  | { readonly kind: "foreign" }
  | { readonly kind: "damaged" };

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads a line without its `\n`. */
export function parseRecord(line: Uint8Array<ArrayBuffer>): ParsedRecord {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(line));
  } catch {
    return { kind: "damaged" };
  }
  if (!isRecord(value)) return { kind: "damaged" };
  const message = toMessage(value);
  return message === undefined ? { kind: "foreign" } : { kind: "message", message };
}

/** Blank lines are passed over: they hold nothing that could be lost. */
export function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** The entry kept in memory: without the full text of a bounded tool result. */
export function withoutFullText(message: Message): Message {
  if (message.role !== "tool" || message.raw_content === undefined) return message;
  const { raw_content: _, ...small } = message;
  return small;
}

const ROLES: ReadonlySet<unknown> = new Set<Role>(["system", "user", "assistant", "tool"]);

/** Strings of a message; `null` in their place means absent, as other programs write it. */
const TEXTS = ["content", "raw_content", "reasoning_content", "tool_call_id", "name", "result_ref"] as const;

/** A stored message in the shape of the contract, or undefined for anything else. Changes `value`. */
export function toMessage(value: unknown): Message | undefined {
  if (!isRecord(value) || !ROLES.has(value.role)) return undefined;
  for (const key of TEXTS) {
    if (value[key] === null) delete value[key];
    else if (value[key] !== undefined && typeof value[key] !== "string") return undefined;
  }
  if (value.tool_calls === null) delete value.tool_calls;
  else if (value.tool_calls !== undefined && !isCallList(value.tool_calls)) return undefined;
  return value as unknown as Message;
}

function isCallList(value: unknown): boolean {
  return Array.isArray(value) &&
    value.every((call) =>
      isRecord(call) && typeof call.id === "string" && typeof call.name === "string" &&
      typeof call.arguments === "string"
    );
}
