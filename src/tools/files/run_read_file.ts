/** The reading behind `read_file`: whole lines, numbered. */
import { ToolError } from "../../contract/errors.ts";
import type { ToolOutput, ToolPorts } from "../../contract/tool.ts";
import { byteLength } from "../../lib/bytes.ts";
import { LARGEST_PICTURE, toDataUrl } from "../../lib/picture.ts";
import { decodeText } from "../../lib/text_encoding.ts";
import { findPath } from "../find_path.ts";
import { LARGEST_TEXT_FILE, notText } from "./text_file.ts";
import { DEFAULT_LINES } from "./read_file.ts";

/** Whole lines of one reply; the hint about the rest comes on top. */
const REPLY_BYTES = 29_000;
const LONGEST_LINE = 1024 * 1024;

export async function runReadFile(
  { workspace: { files }, vision }: ToolPorts,
  args: Record<string, unknown>,
): Promise<ToolOutput> {
  const path = await findPath(files, args.path as string);
  const stat = await files.stat(path);
  if (stat?.kind === "directory") throw new ToolError(`${path} is a directory; use ls to list it`);
  const { bytes } = await files.read(path, { maxBytes: LARGEST_TEXT_FILE, shown: true });
  const decoded = await decodeText(bytes);
  if (decoded.kind === "image" && vision?.() && bytes.length <= LARGEST_PICTURE) {
    return {
      text: `${path}: ${decoded.format} image, ${bytes.length} bytes`,
      images: [{ url: toDataUrl(bytes, decoded.format) }],
      execution: { state: "completed", paths_read: [path] },
    };
  }
  if (decoded.kind !== "text") throw new ToolError(notText(path, decoded, bytes.length));
  const page = numberedLines(path, decoded.text, {
    offset: (args.offset as number | undefined) ?? 0,
    limit: (args.limit as number | undefined) ?? DEFAULT_LINES,
  });
  const note = decoded.encoding.writable
    ? ""
    : `[shown as ${decoded.encoding.name}, which is a guess; this file cannot be edited as text]\n`;
  return {
    text: note + page,
    bound: { keep: "head", bytes: REPLY_BYTES + 1000 },
    execution: { state: "completed", paths_read: [path] },
  };
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Whole lines from `offset` on, as many as `limit` and the size of a reply allow, then where to go on. */
export function numberedLines(path: string, text: string, page: Page): string {
  if (text === "") return "(empty file)";
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (page.offset >= lines.length) return `(offset ${page.offset} is past EOF — file has ${lines.length} lines)`;
  const end = Math.min(lines.length, page.offset + page.limit);
  const width = String(end).length;
  const shown: string[] = [];
  let bytes = 0;
  let next = page.offset;
  for (; next < end; next++) {
    const line = lines[next]!.endsWith("\r") ? lines[next]!.slice(0, -1) : lines[next]!;
    if (line.length > LONGEST_LINE) {
      throw new ToolError(`line ${next + 1} of ${path} is longer than 1 MiB; use grep or bash to look at parts of it`);
    }
    const numbered = `${String(next + 1).padStart(width)}→${line}`;
    bytes += byteLength(numbered) + 1;
    if (bytes > REPLY_BYTES && shown.length > 0) break;
    shown.push(numbered);
  }
  if (next < lines.length) shown.push("", `[more lines below; pass offset=${next} to continue]`);
  return shown.join("\n");
}
