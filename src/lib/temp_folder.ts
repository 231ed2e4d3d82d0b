/**
 * Temporary folders that do not outlive their program. Each is noted in a folder of the program's own, in a file that
 * stays locked while the program lives: what a killed program has left is found by its note that nobody holds.
 */
import { basename, isAbsolute, join } from "./path.ts";
import { tryLock } from "./try_lock.ts";

const PREFIX = "reasonix-";

export interface TempFolder {
  /** Absolute, links resolved, readable by its owner alone. */
  readonly path: string;
  /** Idempotent. Never rejects: what cannot be removed is left to the system. */
  remove(): Promise<void>;
}

export interface TempFolderOptions {
  /** Part of its name, such as `masks`. */
  readonly what?: string;
  /** Where it lies; the system's place when absent. */
  readonly parent?: string;
}

/** `notes`: the folder of notes; without one a killed program leaves its folders for good. Throws when none can be made. */
export function makeTempFolder(notes: string | undefined, options: TempFolderOptions = {}): TempFolder {
  const prefix = PREFIX + (options.what === undefined ? "" : `${options.what}-`);
  const path = Deno.realPathSync(Deno.makeTempDirSync({ dir: options.parent, prefix }));
  const forget = notes === undefined ? () => {} : note(notes, path);
  let removing: Promise<void> | undefined;
  return { path, remove: () => removing ??= removeTree(path).then(forget) };
}

/** A note that cannot be written stops nothing. */
function note(notes: string, path: string): () => void {
  const entry = join(notes, crypto.randomUUID());
  let file: Deno.FsFile | undefined;
  try {
    Deno.mkdirSync(notes, { recursive: true, mode: 0o700 });
    file = Deno.openSync(entry, { write: true, createNew: true, mode: 0o600 });
    file.lockSync(true);
    file.writeSync(new TextEncoder().encode(path));
  } catch {
    file?.close();
    removeQuietly(entry);
    return () => {};
  }
  const held = file;
  return () => {
    removeQuietly(entry);
    held.close();
  };
}

export interface AbandonedFolder {
  readonly path: string;
  /** May take its time. Never throws. */
  remove(): Promise<void>;
}

/** What programs that are no more have left. Notes of living programs, and what is no note of ours, stay as they are. */
export async function findAbandoned(notes: string): Promise<AbandonedFolder[]> {
  const found: AbandonedFolder[] = [];
  try {
    for await (const entry of Deno.readDir(notes)) {
      const abandoned = entry.isFile ? await readNote(join(notes, entry.name)) : undefined;
      if (abandoned) found.push(abandoned);
    }
  } catch {
    // Nothing was noted yet.
  }
  return found;
}

async function readNote(entry: string): Promise<AbandonedFolder | undefined> {
  let file: Deno.FsFile | undefined;
  try {
    file = await Deno.open(entry, { read: true, write: true });
    if (!await tryLock(file, true)) return undefined;
    const path = await Deno.readTextFile(entry);
    // Whatever a note says, nothing but such a folder is ever removed for it.
    const isOurs = isAbsolute(path) && basename(path).startsWith(PREFIX) && (await Deno.lstat(path)).isDirectory;
    if (isOurs) return { path, remove: () => removeTree(path).then(() => removeQuietly(entry)) };
    removeQuietly(entry);
  } catch (error) {
    // The folder has gone.
    if (error instanceof Deno.errors.NotFound) removeQuietly(entry);
  } finally {
    file?.close();
  }
}

async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    // A command may have taken its own folder away, or left what only another user may remove.
    if (error instanceof Deno.errors.NotFound) return;
    await openUp(path).catch(() => {});
    await Deno.remove(path, { recursive: true }).catch(() => {});
  }
}

/** Go's module cache, for one, writes folders without the right to write. */
async function openUp(folder: string): Promise<void> {
  await Deno.chmod(folder, 0o700).catch(() => {});
  for await (const entry of Deno.readDir(folder)) if (entry.isDirectory) await openUp(join(folder, entry.name));
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Left to the system.
  }
}
