/** A text file of the workspace as the editing tools see it: decoded, with what is needed to write it back. */
import { ToolError } from "../../contract/errors.ts";
import type { Files, Version } from "../../contract/workspace.ts";
import { concatBytes } from "../../lib/bytes.ts";
import { type Decoded, decodeText, encodeText, markOf, type TextEncoding } from "../../lib/text_encoding.ts";

/** Larger files are not worked on as text: a string has its limits too. */
export const LARGEST_TEXT_FILE = 128 * 1024 * 1024;

export interface TextFile {
  readonly text: string;
  readonly encoding: TextEncoding;
}

export interface OpenedText extends TextFile {
  readonly path: string;
  readonly version: Version;
}

/** Throws when the file is not text that can be written back byte for byte. */
export async function openText(files: Files, path: string): Promise<OpenedText> {
  const absolute = files.absolute(path);
  const stat = await files.stat(absolute);
  if (stat?.kind === "directory") throw new ToolError(`${absolute} is a directory, not a file`);
  const { bytes, version } = await files.read(absolute, { maxBytes: LARGEST_TEXT_FILE });
  return { path: absolute, version, ...await toEditable(absolute, bytes) };
}

export async function toEditable(path: string, bytes: Uint8Array): Promise<TextFile> {
  const decoded = await decodeText(bytes);
  if (decoded.kind !== "text") {
    throw new ToolError(`${notText(path, decoded, bytes.length)}; it cannot be edited as text`);
  }
  mustBeWritable(path, decoded.encoding);
  return decoded;
}

export function mustBeWritable(path: string, encoding: TextEncoding): void {
  if (encoding.writable) return;
  const readable = ["utf-8", "utf-16le", "utf-16be", "gb18030"].includes(encoding.name);
  throw new ToolError(
    readable
      ? `${path} starts or looks like ${encoding.name} but holds bytes that are not valid in it; writing it would ` +
        `change them, so it was left alone`
      : `${path} is not UTF-8, UTF-16 or GB18030; it looks like ${encoding.name}. Writing it would change bytes nobody ` +
        `touched, so it was left alone. Convert it first, for example: iconv -f ${encoding.name} -t utf-8`,
  );
}

/** Whole content for the disk. Outside of what changed, every byte is as it was: the encoding was proved to give it back. */
export async function toFileBytes(path: string, text: string, encoding: TextEncoding): Promise<Uint8Array> {
  const content = await encodeText(text, encoding);
  if (content === undefined) {
    throw new ToolError(
      text.isWellFormed()
        ? `the new text holds characters that ${encoding.name}, the encoding of ${path}, cannot represent; nothing was changed`
        : `the new text holds an unpaired surrogate, which no file can represent; nothing was changed`,
    );
  }
  const mark = markOf(encoding);
  return mark.length === 0 ? content : concatBytes(mark, content);
}

export function notText(path: string, decoded: Exclude<Decoded, { kind: "text" }>, size: number): string {
  return decoded.kind === "image"
    ? `${path} is a ${decoded.format} image, a binary file (${size} bytes)`
    : `${path} is a binary file (${size} bytes)`;
}
