/** Text and bytes: sizes in UTF-8, cuts that never split a character. */

/** The byte that ends a line. */
export const LF = 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Decodes UTF-8; what is not valid becomes U+FFFD. A byte-order mark is dropped. */
export function toText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Size in UTF-8. An unpaired surrogate counts three bytes, as its replacement does. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** The longest start of `text` within `limit` bytes of UTF-8. */
export function headWithin(text: string, limit: number): string {
  let bytes = 0;
  let i = 0;
  while (i < text.length) {
    const point = text.codePointAt(i)!;
    bytes += pointBytes(point);
    if (bytes > limit) break;
    i += point > 0xffff ? 2 : 1;
  }
  return text.slice(0, i);
}

/** The longest end of `text` within `limit` bytes of UTF-8. */
export function tailWithin(text: string, limit: number): string {
  let bytes = 0;
  let i = text.length;
  while (i > 0) {
    const pair = i > 1 && isLowSurrogate(text.charCodeAt(i - 1)) && isHighSurrogate(text.charCodeAt(i - 2));
    bytes += pair ? 4 : pointBytes(text.charCodeAt(i - 1));
    if (bytes > limit) break;
    i -= pair ? 2 : 1;
  }
  return text.slice(i);
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export function toHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}

/** SHA-256, lower-case hex. */
export async function sha256(data: Uint8Array<ArrayBuffer> | string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", typeof data === "string" ? toBytes(data) : data)));
}

function pointBytes(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
