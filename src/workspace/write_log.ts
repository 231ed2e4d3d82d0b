/**
 * Which folders a write is going on in, so that the next start finds what a killed process left there. One small file
 * for each write, in a folder of the program's own, removed when the write has ended.
 */
import { removeStaleTemporaries } from "../lib/atomic_file.ts";
import { join } from "../lib/path.ts";
import { createFile } from "../lib/whole_writes.ts";

export class WriteLog {
  readonly #folder: string;
  #made = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The returned function ends the entry. A log that cannot be written stops no write. */
  async begin(folder: string): Promise<() => Promise<void>> {
    const entry = join(this.#folder, crypto.randomUUID());
    try {
      if (!this.#made) await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
      this.#made = true;
      await createFile(entry, folder, { mode: 0o600 });
    } catch {
      this.#made = false;
      return () => Promise.resolve();
    }
    return () => Deno.remove(entry).catch(() => {});
  }
}

/** Tidies after killed processes. Run once at start; writers at work in other processes are not disturbed. */
export async function recoverWrites(logFolder: string): Promise<void> {
  try {
    for await (const entry of Deno.readDir(logFolder)) {
      if (!entry.isFile) continue;
      const path = join(logFolder, entry.name);
      const folder = await Deno.readTextFile(path).catch(() => "");
      if (folder !== "" && !await removeStaleTemporaries(folder)) continue;
      await Deno.remove(path).catch(() => {});
    }
  } catch {
    // No log yet.
  }
}
