/** What a remote tool answered, as text for the model: its parts in order, notes for what is no text. Pure. */
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
  if (result["content"] === undefined && result["toolResult"] !== undefined) parts.push(toJson(result["toolResult"]));
  const structured = result["structuredContent"];
  if (structured !== undefined && !isSaid(structured, parts)) {
    parts.push(`Structured content:\n${JSON.stringify(structured, null, 2)}`);
  }
  const text = parts.filter((part) => part !== "").join("\n\n");
  const failed = result["isError"] === true;
  return { text: text === "" ? failed ? "the tool failed and said nothing" : "(no content)" : text, failed };
}

export function readPart(part: unknown): string {
  if (!isFields(part)) return toJson(part);
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
      return toJson(part);
  }
}

/** One entry of `resources/read`, or a resource embedded in a result. */
export function readContents(contents: unknown): string {
  if (!isFields(contents)) return toJson(contents);
  const { uri, mimeType, text, blob } = contents;
  if (typeof text === "string") return text;
  return `[resource ${uri ?? ""}: ${mimeType ?? "unknown type"}, ${sizeOf(blob)}]`;
}

/** Servers repeat structured content as text for older clients; it is then told once. */
function isSaid(structured: unknown, parts: readonly string[]): boolean {
  const wanted = toJson(structured);
  return parts.some((part) => {
    if (!/^\s*[[{]/.test(part)) return false;
    try {
      return toJson(JSON.parse(part)) === wanted;
    } catch {
      return false;
    }
  });
}

function sizeOf(base64: unknown): string {
  if (typeof base64 !== "string") return "no data";
  return `${Math.max(0, Math.floor(base64.length * 3 / 4) - (/=*$/.exec(base64)?.[0].length ?? 0))} bytes`;
}

function toJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, inner) =>
      isFields(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0))
        : inner,
  ) ?? "";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
