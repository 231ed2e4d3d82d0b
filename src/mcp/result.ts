/** What a remote tool answered, as text for the model: its parts in order, notes for what is no text. Pure. */
import { canonicalJson } from "../lib/canonical_json.ts";
import { isRecord, parseJson } from "../lib/json.ts";
import type { Fields } from "./connection.ts";

export interface ReadResult {
  readonly text: string;
  /** The tool says that it failed. */
  readonly failed: boolean;
}

/** Total: whatever a server answers can be read. */
export function readResult(result: Fields): ReadResult {
  const parts = Array.isArray(result["content"]) ? result["content"].map(readPart) : [];
  // The shape of the first protocol version.
  if (result["content"] === undefined && result["toolResult"] !== undefined) {
    parts.push(canonicalJson(result["toolResult"]));
  }
  const structured = result["structuredContent"];
  if (structured !== undefined && !isSaid(structured, parts)) {
    parts.push(`Structured content:\n${JSON.stringify(structured, null, 2)}`);
  }
  const text = parts.filter((part) => part !== "").join("\n\n");
  const failed = result["isError"] === true;
  return { text: text === "" ? failed ? "the tool failed and said nothing" : "(no content)" : text, failed };
}

export function readPart(part: unknown): string {
  if (!isRecord(part)) return canonicalJson(part);
  switch (part["type"]) {
    case "text":
      return String(part["text"] ?? "");
    case "image":
    case "audio":
      return `[${part["type"]}: ${part["mimeType"] ?? "unknown type"}, ${sizeOf(part["data"])}]`;
    case "resource":
      return readContents(part["resource"]);
    case "resource_link": {
      const { uri, name, title, description, mimeType } = part;
      return `Resource link: ${JSON.stringify({ uri, name: title ?? name, description, mimeType })}`;
    }
    default:
      return canonicalJson(part);
  }
}

/** One entry of `resources/read`, or a resource embedded in a result. */
export function readContents(contents: unknown): string {
  if (!isRecord(contents)) return canonicalJson(contents);
  const { uri, mimeType, text, blob } = contents;
  if (typeof text === "string") return text;
  return `[resource ${uri ?? ""}: ${mimeType ?? "unknown type"}, ${sizeOf(blob)}]`;
}

/** Servers repeat structured content as text for older clients; it is then told once. */
function isSaid(structured: unknown, parts: readonly string[]): boolean {
  const wanted = canonicalJson(structured);
  return parts.some((part) => {
    if (!/^\s*[[{]/.test(part)) return false;
    const said = parseJson(part);
    return said !== undefined && canonicalJson(said) === wanted;
  });
}

function sizeOf(base64: unknown): string {
  if (typeof base64 !== "string") return "no data";
  return `${Math.max(0, Math.floor(base64.length * 3 / 4) - (/=*$/.exec(base64)?.[0].length ?? 0))} bytes`;
}
