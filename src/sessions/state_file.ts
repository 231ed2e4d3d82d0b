/** Small files of state beside a transcript. */
import { toBytes } from "../lib/bytes.ts";
import { systemCode } from "./session_errors.ts";
import { createSideFile, writeAll } from "./side_file.ts";

/** What cannot be looked at counts as there: opening it tells why. */
export function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    return systemCode(error) !== "ENOENT";
  }
}

/**
 * Replaces a file in one step: a reader sees the old text or the new one. Only the holder of the session writes, so one
 * name for the temporary file will do. Not flushed: for state that can be rebuilt, where no turn is to wait for the disk.
 */
export function writeStateFile(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  try {
    writeNew(temporary, text);
    Deno.renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

function writeNew(path: string, text: string): void {
  using file = createSideFile(path);
  writeAll(file, toBytes(text));
}

/** For what may be there or not, and where failing to remove it costs nothing but the room it takes. */
export function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // As said.
  }
}
