/**
 * Replacing a file whole or not at all: a temporary file in the same folder, flushed, then renamed over the target. A
 * process killed in between leaves the old content and a temporary file that nobody holds locked;
 * `removeStaleTemporaries` finds it by name and by that missing lock, so a writer at work is never disturbed.
 */
import { toHex } from "./bytes.ts";
import { dirname, join } from "./path.ts";
import { tryLock } from "./try_lock.ts";

const PREFIX = ".reasonix-";
const SUFFIX = ".tmp";
const TEMPORARY = /^\.reasonix-[0-9a-f]{24}\.tmp$/;
const WINDOWS = Deno.build.os === "windows";

export interface ReplaceOptions {
  /** Permission bits of the result; by default those of a new file under the process's umask. */
  readonly mode?: number;
  /** Owner of the result, where the process may set it. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Called with the empty temporary file's path before content goes in, and again before the rename. A throw ends it. */
  check?(temporary: string): Promise<void>;
}

/** `target` is the file itself, not a link to it; its folder exists. Throws what the operating system answers. */
export async function replaceFile(target: string, bytes: Uint8Array, options: ReplaceOptions = {}): Promise<void> {
  const folder = dirname(target);
  const { file, temporary } = await openTemporary(folder, options.mode !== undefined);
  let open = true;
  try {
    await options.check?.(temporary);
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    // The owner first: changing it clears the set-user-id bits.
    if (options.owner !== undefined && !WINDOWS) await keepOwner(temporary, options.owner);
    if (options.mode !== undefined && !WINDOWS) await Deno.chmod(temporary, options.mode);
    await file.sync();
    await options.check?.(temporary);
    if (WINDOWS) {
      file.close();
      open = false;
    }
    await Deno.rename(temporary, target);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  } finally {
    if (open) file.close();
  }
  await syncFolder(folder);
}

/** Made and locked. A tidying process that saw it before the lock has removed it; then another is made. */
async function openTemporary(folder: string, isPrivate: boolean): Promise<{ file: Deno.FsFile; temporary: string }> {
  for (;;) {
    const temporary = join(folder, PREFIX + toHex(crypto.getRandomValues(new Uint8Array(12))) + SUFFIX);
    // Content of a private file is never readable by others, not even while it is being written.
    const file = await Deno.open(temporary, { write: true, createNew: true, ...(isPrivate ? { mode: 0o600 } : {}) });
    try {
      await file.lock(true);
      if ((await file.stat()).nlink !== 0) return { file, temporary };
    } catch (error) {
      file.close();
      throw error;
    }
    file.close();
  }
}

/**
 * Removes what killed writers left in `folder`; false when a writer is at work there. Never throws: a folder that
 * cannot be read has nothing to tidy.
 */
export async function removeStaleTemporaries(folder: string): Promise<boolean> {
  let quiet = true;
  try {
    for await (const entry of Deno.readDir(folder)) {
      if (!entry.isFile || !TEMPORARY.test(entry.name)) continue;
      if (!await removeIfStale(join(folder, entry.name))) quiet = false;
    }
  } catch {
    // Nothing is lost by leaving it there.
  }
  return quiet;
}

async function removeIfStale(path: string): Promise<boolean> {
  let file: Deno.FsFile | undefined;
  try {
    file = await Deno.open(path, { read: true, write: true });
    if (!await tryLock(file, true)) return false;
    await Deno.remove(path);
  } catch {
    // Gone meanwhile, or somebody else's.
  } finally {
    file?.close();
  }
  return true;
}

async function keepOwner(path: string, owner: { readonly uid: number; readonly gid: number }): Promise<void> {
  const info = await Deno.lstat(path);
  if (info.uid === owner.uid && info.gid === owner.gid) return;
  try {
    await Deno.chown(path, owner.uid, owner.gid);
  } catch {
    // Another person's file in a shared folder: the group may still be set.
    await Deno.chown(path, null, owner.gid).catch(() => {});
  }
}

/** What was named anew in a folder is on disk once the folder is. Some file systems refuse; the content is whole either way. */
export async function syncFolder(folder: string): Promise<void> {
  if (WINDOWS) return;
  try {
    using handle = await Deno.open(folder, { read: true });
    await handle.sync();
  } catch {
    // See above.
  }
}
