/**
 * Nothing is changed before what it held is saved: the innermost wrapper, so that it sees paths as the walls have judged
 * them. A change whose snapshot fails does not happen.
 */
import type { FileChange, FileSnapshots } from "../../contract/checkpoint.ts";
import type { Files } from "../../contract/workspace.ts";
import { passThrough } from "./pass_through.ts";
import { entryOf } from "./places.ts";

export function snapshotFiles(files: Files, snapshots: FileSnapshots): Files {
  const around = async <T>(change: FileChange, work: () => Promise<T>): Promise<T> => {
    const settled = await snapshots.before(change);
    try {
      return await work();
    } finally {
      await settled();
    }
  };
  return {
    ...passThrough(files),
    write: async (path, bytes, options) => {
      const real = await files.real(path);
      return await around({ kind: "write", path: real }, () => files.write(path, bytes, options));
    },
    move: async (from, to, options) => {
      const change = { kind: "move", from: await entryOf(files, from), to: await entryOf(files, to) } as const;
      await around(change, () => files.move(from, to, options));
    },
    remove: async (path) => {
      const entry = await entryOf(files, path);
      await around({ kind: "remove", path: entry }, () => files.remove(path));
    },
  };
}
