/**
 * A copy of the shell that can be run and not read, by its owner neither. The kernel lets nobody look into or change a
 * process that was started from such a file, so it can watch over commands that run beside it as the same user.
 */
import { join } from "../../lib/path.ts";
import { makeTempFolder, type TempFolder } from "../../lib/temp_folder.ts";

export interface KeeperCopy {
  /** Path of the copy, made the first time; undefined where none can be made. */
  path(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** `tempNotes`: see `makeTempFolder`. */
export function createKeeperCopy(
  shell: string,
  { tempNotes }: { readonly tempNotes?: string | undefined },
): KeeperCopy {
  let folder: TempFolder | undefined;
  let made: Promise<string | undefined> | undefined;

  async function make(): Promise<string | undefined> {
    try {
      folder = makeTempFolder(tempNotes, { what: "keeper" });
      const path = join(folder.path, "keeper");
      await Deno.copyFile(shell, path);
      await Deno.chmod(path, 0o111);
      return path;
    } catch {
      return undefined;
    }
  }

  return {
    path: () => made ??= make(),
    async close() {
      await made;
      made = undefined;
      await folder?.remove();
      folder = undefined;
    },
  };
}
