/** The private temporary folder of one session: made at first use, gone at the end. */
import { makeTempFolder, type TempFolder } from "../lib/temp_folder.ts";

export interface SessionTemp {
  /** Makes the folder the first time. Absolute, links resolved. Rejects when none can be made. */
  path(): Promise<string>;
  /** Absolute path when it exists already. */
  readonly made: string | undefined;
  /** Removes the folder; the next `path` makes a new one. Used at the end, and when another session begins. */
  remove(): Promise<void>;
}

export interface SessionTempOptions {
  /** Where the folder lies; the system's place when absent. */
  readonly parent?: string;
  /** Where temporary folders are noted; see `makeTempFolder`. */
  readonly notes?: string;
}

export function createSessionTemp({ parent, notes }: SessionTempOptions = {}): SessionTemp {
  let folder: TempFolder | undefined;
  return {
    get made() {
      return folder?.path;
    },
    // deno-lint-ignore require-await
    async path() {
      folder ??= makeTempFolder(notes, parent === undefined ? {} : { parent });
      return folder.path;
    },
    async remove() {
      const old = folder;
      folder = undefined;
      await old?.remove();
    },
  };
}
