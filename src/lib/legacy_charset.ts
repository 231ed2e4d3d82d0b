/**
 * Text that is neither UTF-8 nor UTF-16. GB18030 (with GBK and GB2312 inside it) is read and written; any other charset
 * is guessed for its name and for showing. Loaded when the first such file is met, `iconv-lite` with it.
 */
import { sameBytes } from "./bytes.ts";
import type { TextEncoding } from "./text_encoding.ts";
import { guessCharset } from "./charset_guess.ts";

interface Iconv {
  decode(bytes: Uint8Array, encoding: string): string;
  encode(text: string, encoding: string): Uint8Array;
}

async function loadIconv(): Promise<Iconv> {
  return (await import("iconv-lite")).default as unknown as Iconv;
}

export async function decodeLegacy(
  bytes: Uint8Array,
): Promise<{ readonly text: string; readonly encoding: TextEncoding }> {
  const damaged = asDamagedUtf8(bytes);
  if (damaged !== undefined) return damaged;
  const iconv = await loadIconv();
  const name = guessCharset(bytes, (some, label) => iconv.decode(some, label));
  const text = iconv.decode(bytes, name);
  // Proved before anything is written: every byte must come back as it was.
  const writable = name === "gb18030" && sameBytes(iconv.encode(text, name), bytes);
  return { text, encoding: { name, bom: false, writable } };
}

/** UTF-8 with a few bad bytes, such as a file that was cut: most characters beyond ASCII are valid. */
function asDamagedUtf8(bytes: Uint8Array): { readonly text: string; readonly encoding: TextEncoding } | undefined {
  const text = new TextDecoder().decode(bytes);
  let good = 0;
  let bad = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0xfffd) bad++;
    else if (unit >= 0x80) good++;
  }
  return good >= 4 * bad ? { text, encoding: { name: "utf-8", bom: false, writable: false } } : undefined;
}

export async function encodeLegacy(text: string, name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const iconv = await loadIconv();
  const bytes = Uint8Array.from(iconv.encode(text, name));
  return iconv.decode(bytes, name) === text ? bytes : undefined;
}
