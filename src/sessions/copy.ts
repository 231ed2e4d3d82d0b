/** A duplicate of a session under an id of its own; the original, held by another or not, is only read. */
import { unreadable, writeFailed } from "./session_errors.ts";
import { loadMeta, saveMeta } from "./meta.ts";
import { idOf, newSessionId, sidecars, transcriptPath } from "./paths.ts";
import { isPlainFile } from "./side_file.ts";
import { removeQuietly } from "./state_file.ts";

export interface CopyOptions {
  /** Folder of the copy. */
  readonly directory: string;
  /** Unix time in milliseconds. */
  readonly now: number;
}

/** Path of the copy. Throws `session.unreadable` for the original, `session.write_failed` for the copy. */
export function copySession(original: string, options: CopyOptions): string {
  const id = newSessionId(options.now);
  const path = transcriptPath(options.directory, id);
  try {
    if (!Deno.statSync(original).isFile) throw new Error("not a regular file");
    Deno.openSync(original, { read: true }).close();
  } catch (error) {
    throw unreadable(original, error);
  }
  try {
    Deno.mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    copyPrivately(original, path);
    copyProjection(original, path);
    // What a turn that was cut short had begun is asked for in the copy as well; what is queued goes out once, here not.
    copySide("runJournal", original, path);
    const known = loadMeta(original);
    const parentId = idOf(original);
    saveMeta(path, {
      unknown: {},
      ...known,
      id,
      createdAt: options.now,
      updatedAt: options.now,
      ...(parentId === undefined ? {} : { parentId }),
    });
  } catch (error) {
    const { projection, runJournal, meta } = sidecars(path);
    for (const left of [path, projection, runJournal, meta]) removeQuietly(left);
    throw writeFailed(path, error);
  }
  return path;
}

/** A projection proves itself against the transcript it is used with, so it may be wrong but not harmful. */
export function copyProjection(original: string, copy: string): void {
  copySide("projection", original, copy);
}

function copySide(side: "projection" | "runJournal", original: string, copy: string): void {
  const path = sidecars(original)[side];
  if (isPlainFile(path)) copyPrivately(path, sidecars(copy)[side]);
}

function copyPrivately(from: string, to: string): void {
  Deno.copyFileSync(from, to);
  if (Deno.build.os !== "windows") Deno.chmodSync(to, 0o600);
}
