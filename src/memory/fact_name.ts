/** Names of facts, which are names of files: the same on every file system, and never a path. */
import { headWithin } from "../lib/bytes.ts";

/** `.md` comes on top, and a time when the file is archived. Bytes. */
const LONGEST = 120;
/** `MEMORY.md` is the index; the others mean devices on Windows. */
const TAKEN = /^(?:memory|con|prn|aux|nul|com\d|lpt\d)$/;

/** Lower-case letters and digits, anything else becomes `-`. Empty when nothing is left. */
export function toFactName(text: string): string {
  const slug = text.normalize("NFC").toLowerCase().replace(/[^\p{Ll}\p{Lo}\p{Lm}\p{N}]+/gu, "-");
  const name = headWithin(slug, LONGEST).replace(/^-+|-+$/g, "");
  return TAKEN.test(name) ? `${name}-fact` : name;
}

/** A name that a file of a store may have: also one that a person chose. */
export function isFactName(name: string): boolean {
  return name !== "" && !/^\.|[/\\\x00-\x1f\x7f:]/.test(name) && name.toLowerCase() !== "memory";
}
