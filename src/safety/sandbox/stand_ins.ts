/**
 * Files put in the place of masked ones. Each has the size, the time and the kind of the real file but cannot be
 * opened: a program that reads it fails instead of finding it empty, and git, which compares size and time first,
 * takes it for unchanged and need not read it (`settled_index.ts` sees to it that git trusts the time).
 */
import { join } from "../../lib/path.ts";
import { makeTempFolder, type TempFolder } from "../../lib/temp_folder.ts";

export interface StandIns {
  /** Path of a stand-in as the real file looks now. */
  of(path: string): string;
  /** Removes what was made. */
  close(): Promise<void>;
}

/** `tempNotes`: see `makeTempFolder`. */
export function createStandIns({ tempNotes }: { readonly tempNotes?: string | undefined } = {}): StandIns {
  let folder: TempFolder | undefined;
  let count = 0;
  const made = new Map<string, { readonly looks: string; readonly path: string }>();

  return {
    of(path) {
      const { size, mtime, mode, isFile } = Deno.statSync(path);
      const runnable = ((mode ?? 0) & 0o100) !== 0;
      const looks = `${size} ${mtime?.getTime()} ${runnable} ${isFile}`;
      const known = made.get(path);
      if (known?.looks === looks) return known.path;
      folder ??= makeTempFolder(tempNotes, { what: "masks" });
      const standIn = join(folder.path, String(++count));
      Deno.writeFileSync(standIn, new Uint8Array(), { createNew: true });
      if (isFile) Deno.truncateSync(standIn, size);
      if (mtime) Deno.utimeSync(standIn, mtime, mtime);
      Deno.chmodSync(standIn, runnable ? 0o100 : 0);
      made.set(path, { looks, path: standIn });
      return standIn;
    },
    async close() {
      const old = folder;
      folder = undefined;
      made.clear();
      await old?.remove();
    },
  };
}

/**
 * Settings for git, as variables, that make size and time enough. Added to those that the environment holds already.
 */
export function gitTrustsLooks(env: Readonly<Record<string, string>>): Record<string, string> {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  const at = Number.isInteger(count) && count >= 0 ? count : 0;
  return {
    GIT_CONFIG_COUNT: String(at + 2),
    [`GIT_CONFIG_KEY_${at}`]: "core.checkStat",
    [`GIT_CONFIG_VALUE_${at}`]: "minimal",
    [`GIT_CONFIG_KEY_${at + 1}`]: "core.trustctime",
    [`GIT_CONFIG_VALUE_${at + 1}`]: "false",
  };
}
