/**
 * One writer at a time for a file that is replaced by renaming: the file itself is locked, or its folder while it does
 * not exist, so nothing is left behind. The system frees the lock of a process that dies.
 */
import { dirname } from "./path.ts";
import { tryLock } from "./try_lock.ts";

export interface LockOptions {
  /** Milliseconds; then `LockTimeout`. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export class LockTimeout extends Error {
  override readonly name = "LockTimeout";
}

const WINDOWS = Deno.build.os === "windows";

/**
 * Runs `work` while no other holder of the lock of `path` runs. `path` is the file itself, not a link to it, and its
 * folder exists. Holders that follow this protocol see each other's result; plain readers are never held up.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const deadline = performance.now() + (options.timeoutMs ?? 30_000);
  for (;;) {
    options.signal?.throwIfAborted();
    const held = await tryHold(path);
    if (held !== undefined) {
      try {
        return await work();
      } finally {
        held.close();
      }
    }
    if (performance.now() > deadline) throw new LockTimeout(`${path} is being written by another process`);
    // Without chance, two that wait would keep meeting.
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 7));
  }
}

async function tryHold(path: string): Promise<Deno.FsFile | undefined> {
  const file = await openTarget(path);
  if (file === undefined) return undefined;
  try {
    if (await tryLock(file, true) && await isStillTarget(file, path)) return file;
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return undefined;
}

/** Windows locks keep readers out and cannot be taken on folders: there a small file beside is locked and stays. */
async function openTarget(path: string): Promise<Deno.FsFile | undefined> {
  if (WINDOWS) return await Deno.open(`${path}.lock`, { read: true, write: true, create: true });
  return await openIfThere(path) ?? await openIfThere(dirname(path));
}

async function openIfThere(path: string): Promise<Deno.FsFile | undefined> {
  try {
    return await Deno.open(path, { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** A holder before us may have put another file in place, or the first one. */
async function isStillTarget(file: Deno.FsFile, path: string): Promise<boolean> {
  if (WINDOWS) return true;
  const held = await file.stat();
  const now = await statIfThere(path);
  return now === undefined ? held.isDirectory : held.ino === now.ino && held.dev === now.dev;
}

async function statIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
