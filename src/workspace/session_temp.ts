/** The private temporary folder of one session: made at first use, readable by its owner alone, gone at the end. */
import { join } from "../lib/path.ts";

export interface SessionTemp {
  /** Makes the folder the first time. */
  path(): Promise<string>;
  /** Absolute path when it exists already. */
  readonly made: string | undefined;
  /** Removes the folder; the next `path` makes a new one. Used at the end, and when another session begins. */
  remove(): Promise<void>;
}

export function createSessionTemp(options: { readonly parent?: string } = {}): SessionTemp {
  let making: Promise<string> | undefined;
  let made: string | undefined;
  return {
    get made() {
      return made;
    },
    path() {
      making ??= Deno.makeTempDir({ dir: options.parent, prefix: "reasonix-" })
        .then((path) => Deno.realPath(path))
        .then((path) => made = path);
      return making;
    },
    async remove() {
      const path = await making?.catch(() => undefined);
      making = made = undefined;
      if (path === undefined) return;
      await Deno.remove(path, { recursive: true }).catch((error) => {
        // A command may have taken its own folder away, or left what only another user may remove.
        if (!(error instanceof Deno.errors.NotFound)) return makeRemovable(path);
      });
    },
  };
}

/** Go's module cache, for one, writes folders without the right to write. */
async function makeRemovable(path: string): Promise<void> {
  const open = async (dir: string): Promise<void> => {
    await Deno.chmod(dir, 0o700).catch(() => {});
    for await (const entry of Deno.readDir(dir)) if (entry.isDirectory) await open(join(dir, entry.name));
  };
  await open(path).catch(() => {});
  await Deno.remove(path, { recursive: true }).catch(() => {});
}
