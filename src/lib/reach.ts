/**
 * How far reading goes among files that people and repositories bring: what a repository brings stays within it, and
 * nothing comes in that the agent may not read, by whatever name. Of a place out of reach no more is told than of one
 * that is not there.
 */
import { errorText } from "./error_text.ts";
import { isInside } from "./path.ts";
import { decodeText } from "./text_encoding.ts";

export interface Reach {
  /** Links that lead out of here are not followed: set for what a repository brings. Absolute, links resolved. */
  readonly within?: string;
  /** Asked with links resolved. */
  isForbidden?(real: string): boolean;
}

/** Where `path` really is; undefined where it is nowhere, or out of reach. */
export function withinReach(path: string, { within, isForbidden }: Reach): string | undefined {
  try {
    const real = Deno.realPathSync(path);
    if (within !== undefined && !isInside(real, within)) return undefined;
    return isForbidden?.(real) ? undefined : real;
  } catch {
    return undefined;
  }
}

/** The text of a plain file of bounded size, or why there is none. Nothing else is opened: a pipe would hold up the start. */
export async function readPlainText(path: string, limit: number): Promise<string | { readonly problem: string }> {
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) return { problem: "it is not a regular file" };
    if (size > limit) return { problem: `it is larger than ${limit / 1024} KiB` };
    return await textOf(await Deno.readFile(path));
  } catch (error) {
    return { problem: errorText(error) };
  }
}

/**
 * The same of what `withinReach` has found, as long as it is still what was found: a command that runs meanwhile may put
 * a link in its place.
 */
export async function readFoundText(real: string, limit: number): Promise<string | { readonly problem: string }> {
  try {
    const { isFile, size, dev, ino } = await Deno.lstat(real);
    if (!isFile) return { problem: "it is not a regular file" };
    if (size > limit) return { problem: `it is larger than ${limit / 1024} KiB` };
    using file = await Deno.open(real);
    const opened = file.statSync();
    if (opened.dev !== dev || opened.ino !== ino || await Deno.realPath(real) !== real) {
      return { problem: "it was replaced a moment ago" };
    }
    return await textOf(readTo(file, size));
  } catch (error) {
    return { problem: errorText(error) };
  }
}

async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<string | { readonly problem: string }> {
  const decoded = await decodeText(bytes);
  return decoded.kind === "text" ? decoded.text : { problem: "it is not text" };
}

function readTo(file: Deno.FsFile, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let filled = 0; filled < size;) {
    const read = file.readSync(bytes.subarray(filled));
    if (read === null) return bytes.subarray(0, filled);
    filled += read;
  }
  return bytes;
}
