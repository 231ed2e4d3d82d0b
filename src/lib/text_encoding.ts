/**
 * Bytes of a text file and back, in the encoding found: UTF-8, UTF-16 and GB18030 can be written, others are named and
 * shown as best they can be. Only UTF-8 and UTF-16 are decided here; the rest is loaded at first need.
 */
import type { PictureFormat } from "./picture.ts";

export interface TextEncoding {
  /** Label as in the WHATWG Encoding Standard where it has one: `utf-8`, `utf-16le`, `gb18030`, `koi8-r` … */
  readonly name: string;
  readonly bom: boolean;
  /** False: the text is shown only; writing it back could change bytes nobody touched. */
  readonly writable: boolean;
}

export type Decoded =
  | { readonly kind: "text"; readonly text: string; readonly encoding: TextEncoding }
  | { readonly kind: "binary" }
  | { readonly kind: "image"; readonly format: PictureFormat };

export const UTF8: TextEncoding = { name: "utf-8", bom: false, writable: true };

/** So much of a file is looked at for NUL bytes. */
const BINARY_WINDOW = 8192;

/** The text comes without a byte-order mark; `encoding.bom` remembers it. */
export async function decodeText(bytes: Uint8Array): Promise<Decoded> {
  const marked = decodeMarked(bytes);
  if (marked !== undefined) return marked;
  const format = pictureFormat(bytes);
  if (format !== undefined) return { kind: "image", format };
  if (bytes.subarray(0, BINARY_WINDOW).includes(0)) {
    return bytes.length % 2 === 0 && decodeUnmarkedUtf16(bytes) || { kind: "binary" };
  }
  const text = decodeStrictly("utf-8", bytes);
  if (text !== undefined) return { kind: "text", text, encoding: UTF8 };
  const { decodeLegacy } = await import("./legacy_charset.ts");
  return { kind: "text", ...await decodeLegacy(bytes) };
}

/**
 * Bytes of `text` without a mark. Undefined when the encoding cannot hold it: an unpaired surrogate, or a charset that
 * is not written.
 */
export async function encodeText(text: string, encoding: TextEncoding): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!encoding.writable || !text.isWellFormed()) return undefined;
  switch (encoding.name) {
    case "utf-8":
      return new TextEncoder().encode(text);
    case "utf-16le":
      return encodeUtf16(text, true);
    case "utf-16be":
      return encodeUtf16(text, false);
    default: {
      const { encodeLegacy } = await import("./legacy_charset.ts");
      return await encodeLegacy(text, encoding.name);
    }
  }
}

/** The byte-order mark of an encoding that has one, else no bytes. */
export function markOf(encoding: TextEncoding): Uint8Array<ArrayBuffer> {
  if (!encoding.bom) return new Uint8Array();
  if (encoding.name === "utf-16le") return Uint8Array.of(0xff, 0xfe);
  if (encoding.name === "utf-16be") return Uint8Array.of(0xfe, 0xff);
  return Uint8Array.of(0xef, 0xbb, 0xbf);
}

/** Undefined when a byte sequence is not valid. */
export function decodeStrictly(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A file with a mark. Damaged content is still shown, but never written. */
function decodeMarked(bytes: Uint8Array): Decoded | undefined {
  const [a, b, c, d] = bytes;
  const name = a === 0xef && b === 0xbb && c === 0xbf
    ? "utf-8"
    : a === 0xfe && b === 0xff
    ? "utf-16be"
    : a === 0xff && b === 0xfe && !(c === 0 && d === 0)
    ? "utf-16le"
    : undefined;
  if (name === undefined) return undefined;
  const content = bytes.subarray(name === "utf-8" ? 3 : 2);
  const text = decodeStrictly(name, content);
  if (text === undefined) {
    const shown = new TextDecoder(name, { ignoreBOM: true }).decode(content);
    return { kind: "text", text: shown, encoding: { name, bom: true, writable: false } };
  }
  return { kind: "text", text, encoding: { name, bom: true, writable: true } };
}

/**
 * UTF-16 without a mark, only when nothing speaks against it: valid in exactly one byte order, no character that text
 * does not hold, mostly ASCII. Tables of small numbers and images are full of control characters then.
 */
function decodeUnmarkedUtf16(bytes: Uint8Array): Decoded | undefined {
  const found: { name: string; text: string }[] = [];
  for (const name of ["utf-16le", "utf-16be"]) {
    const text = decodeStrictly(name, bytes);
    if (text !== undefined && isCertainlyText(text)) found.push({ name, text });
  }
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  return { kind: "text", text: only.text, encoding: { name: only.name, bom: false, writable: true } };
}

function isCertainlyText(text: string): boolean {
  if (text.length < 4) return false;
  // Control characters but tab and line ends, private use, unassigned, format characters but the usual joiners.
  if (/[\p{Cn}\p{Co}\p{Cs}]|(?![\t\n\r])\p{Cc}/u.test(text)) return false;
  let ascii = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x7f) ascii++;
  return ascii / text.length >= 0.7;
}

function pictureFormat(bytes: Uint8Array): PictureFormat | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "PNG";
  if (head.startsWith("\xff\xd8\xff")) return "JPEG";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "GIF";
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "WebP";
  return undefined;
}

function encodeUtf16(text: string, littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return bytes;
}
