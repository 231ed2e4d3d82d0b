/**
 * Paths that cannot be read, listed or searched. A banned file reads as missing, in the words for a missing one; a
 * banned folder as empty; the parent still lists the name. Links and other spellings lead to the same answer.
 */
import { Refusal } from "../../contract/errors.ts";
import { FileError, type Files } from "../../contract/workspace.ts";
import { passThrough } from "./pass_through.ts";
import { entryOf, Places } from "./places.ts";

/** Searches ask about thousands of files in a row; a folder does not become another one that fast. */
const BELIEVE_MS = 1000;

export interface ReadBan {
  /** Files and folders, absolute; they need not exist. */
  readonly paths: readonly string[];
}

export function forbidReads(files: Files, ban: ReadBan): Files {
  if (ban.paths.length === 0) return files;
  const banned = new Places(files, ban.paths, { believeMs: BELIEVE_MS, unsure: "same" });

  const holding = async (path: string): Promise<string | undefined> => await banned.holding(await files.real(path));
  /** The banned folder itself: it is there, but empty. */
  const isBannedFolder = async (path: string, place: string): Promise<boolean> => {
    const here = await files.stat(path);
    if (here?.kind !== "directory") return false;
    const top = await files.stat(place);
    return here.identity === undefined || top?.identity === undefined
      ? await files.real(path) === await files.real(place)
      : here.identity === top.identity;
  };
  /** Answers where the path led when it was judged. */
  const mustBeReadable = async (path: string): Promise<string> => {
    const real = await files.real(path);
    const place = await banned.holding(real);
    if (place !== undefined && !await isBannedFolder(path, place)) throw missing(files.absolute(path));
    return real;
  };
  const mustBeWritable = async (real: string, path: string): Promise<void> => {
    const place = await banned.holding(real);
    if (place !== undefined) throw refusal(files.absolute(path), `lies in ${place}`);
  };

  return {
    ...passThrough(files),
    stat: async (path) => {
      const place = await holding(path);
      if (place !== undefined && !await isBannedFolder(path, place)) return undefined;
      return await files.stat(path);
    },
    read: async (path, options) => {
      const judged = await mustBeReadable(path);
      const read = await files.read(path, options);
      // A link put there after the first look.
      if (read.path !== judged && await banned.holding(read.path) !== undefined) throw missing(files.absolute(path));
      return read;
    },
    readHead: async (path, bytes) => {
      await mustBeReadable(path);
      const head = await files.readHead(path, bytes);
      await mustBeReadable(path);
      return head;
    },
    list: async (path) => {
      const place = await holding(path);
      if (place === undefined) return await files.list(path);
      if (await isBannedFolder(path, place)) return [];
      throw missing(files.absolute(path));
    },
    hidden: async (path) => await holding(path) !== undefined || await files.hidden(path),
    write: async (path, bytes, options) => {
      await mustBeWritable(await files.real(path), path);
      return await files.write(path, bytes, options);
    },
    move: async (from, to, options) => {
      const source = await entryOf(files, from);
      if (await banned.holding(source) !== undefined) throw missing(files.absolute(from));
      const carried = await banned.carriedBy(source);
      if (carried !== undefined) throw refusal(files.absolute(from), `holds ${carried}`);
      await mustBeWritable(await entryOf(files, to), to);
      await files.move(from, to, options);
    },
    remove: async (path) => {
      if (await banned.holding(await entryOf(files, path)) !== undefined) throw missing(files.absolute(path));
      await files.remove(path);
    },
  };
}

function missing(path: string): FileError {
  return new FileError("not_found", path, `${path} does not exist`);
}

function refusal(path: string, why: string): Refusal {
  return new Refusal(
    "workspace.write_outside_scope",
    `${path} ${why}, which forbid_read keeps from the agent; it is not written either.`,
    { remedy: "The person can change forbid_read under [sandbox] in the config." },
  );
}
