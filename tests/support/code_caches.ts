/**
 * What the engine says of the code caches in an executable. The executable itself has no way to tell; a copy of it whose
 * settings ask the engine for its report has. The engine of Deno 2.6 does not count that setting when it judges a cache;
 * later ones do, so that such a copy takes none.
 */

const MAGIC = new TextEncoder().encode("d3n0l4nd");
const REPORT = "--profile-deserialization";

export const engineCountsReport = (deno: string) => !deno.startsWith("2.6.");

/** Writes the copy, with more settings of the engine if asked. Throws when the executable's settings are not found. */
export async function writeReportingCopy(
  executable: string,
  copy: string,
  more: readonly string[] = [],
): Promise<void> {
  const bytes = await Deno.readFile(executable);
  const settings = findSettings(bytes);
  if (!settings) throw new Error(`error: the settings in ${executable} were not found`);
  const { v8_flags: flags, ...others } = JSON.parse(new TextDecoder().decode(settings));
  // Absent is what null says, and makes the room.
  const present = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null));
  const text = new TextEncoder().encode(JSON.stringify({ ...present, v8_flags: [...flags, REPORT, ...more] }));
  if (text.length > settings.length) throw new Error(`error: there is no room in the settings of ${executable}`);
  settings.fill(0x20);
  settings.set(text);
  await Deno.writeFile(copy, bytes, { mode: 0o755 });
}

/** The part of a compiled program that holds its settings as JSON: behind the magic, and its length in 64 bits. */
function findSettings(bytes: Uint8Array): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = lastIndexOf(bytes, MAGIC, bytes.length); at >= 0; at = lastIndexOf(bytes, MAGIC, at)) {
    const start = at + MAGIC.length + 8;
    const length = start < bytes.length ? Number(view.getBigUint64(start - 8, true)) : bytes.length;
    const found = bytes.subarray(start, start + length);
    if (start + length < bytes.length && found[0] === 0x7b && found.at(-1) === 0x7d) return found;
  }
}

function lastIndexOf(bytes: Uint8Array, word: Uint8Array, before: number): number {
  for (
    let at = bytes.lastIndexOf(word[0]!, before - 1);
    at >= 0;
    at = at > 0 ? bytes.lastIndexOf(word[0]!, at - 1) : -1
  ) {
    if (word.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

/** Sizes in bytes of the caches the engine has taken, read from what such a copy has printed. */
export function takenCaches(output: string): number[] {
  return [...output.matchAll(/\[Deserializing from (\d+) bytes took /g)].map(([, size]) => Number(size));
}
