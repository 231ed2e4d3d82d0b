/**
 * Files of this machine behind the workspace port. No walls stand here: confinement, forbidden reads and the
 * protection of changed files are wrappers of `safety`.
 *
 * Between looking and acting a hostile process may swap things; what that could win is refused (see `regular_file`).
 * What remains: the system call that opens cannot be told not to wait, so a pipe put in a file's place within that
 * instant could hold up one read; and folders made for a new file may be made through a link put there within that
 * instant, though the file itself is not written then. Extended attributes and hard links of a replaced file are not kept.
 */
import {
  type DirectoryEntry,
  FileError,
  type Files,
  type FileStat,
  type ReadFile,
  type ReadOptions,
  type Version,
  type WriteOptions,
} from "../contract/workspace.ts";
import { removeStaleTemporaries, replaceFile, type ReplaceOptions } from "../lib/atomic_file.ts";
import { byteLength, sha256 } from "../lib/bytes.ts";
import { basename, dirname, isAbsolute, join, normalize } from "../lib/path.ts";
import { errorCode, isMissing, toFileError } from "./file_failure.ts";
import { lookAt, moveEntry } from "./move_entry.ts";
import { isSameEntry, leadsElsewhere, mustBeRegular, openRegular, readUpTo } from "./regular_file.ts";
import { resolvePath } from "./resolve_path.ts";
import { WriteLog } from "./write_log.ts";

const MAX_PATH_BYTES = 4095;
const MAX_NAME_BYTES = 255;

export interface LocalFilesOptions {
  /** Folder of the program's own that remembers writes under way; see `recoverWrites`. */
  readonly writeLog?: string;
}

/** `root`: absolute, links resolved; relative paths start there. */
export function createLocalFiles(root: string, options: LocalFilesOptions = {}): Files {
  return new LocalFiles(normalize(root), options);
}

class LocalFiles implements Files {
  readonly #root: string;
  /** Folders already tidied of what killed writers left. */
  readonly #tidied = new Set<string>();
  readonly #log: WriteLog | undefined;

  constructor(root: string, options: LocalFilesOptions) {
    this.#root = root;
    this.#log = options.writeLog === undefined ? undefined : new WriteLog(options.writeLog);
  }

  absolute(path: string): string {
    if (path === "") throw new FileError("bad_path", path, "the path is empty");
    if (path.includes("\0")) throw new FileError("bad_path", path, "the path holds a NUL character");
    if (path === "~" || path.startsWith("~/")) {
      throw new FileError("bad_path", path, `${path} is not expanded here: give the absolute path`);
    }
    const absolute = isAbsolute(path) ? normalize(path) : join(this.#root, path);
    const tooLong = byteLength(absolute) > MAX_PATH_BYTES ||
      absolute.split("/").some((name) => byteLength(name) > MAX_NAME_BYTES);
    if (tooLong) throw new FileError("bad_path", path, `the path is too long: ${path.slice(0, 60)}…`);
    return absolute;
  }

  async real(path: string): Promise<string> {
    return await resolvePath(this.absolute(path));
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const absolute = this.absolute(path);
    try {
      return toStat(await Deno.stat(absolute));
    } catch (error) {
      if (isMissing(error) || errorCode(error) === "ELOOP") return undefined;
      throw toFileError(error, absolute);
    }
  }

  async read(path: string, options: ReadOptions = {}): Promise<ReadFile> {
    const absolute = this.absolute(path);
    const limit = options.maxBytes ?? Number.POSITIVE_INFINITY;
    try {
      const real = await resolvePath(absolute);
      using file = await openRegular(real, absolute);
      if (file.size > limit) throw tooLarge(absolute, file.size, limit);
      const bytes = await readUpTo(file.handle, limit + 1, file.size);
      if (bytes.length > limit) throw tooLarge(absolute, bytes.length, limit);
      return { path: real, bytes, version: await sha256(bytes) };
    } catch (error) {
      throw toFileError(error, absolute);
    }
  }

  async readHead(path: string, bytes: number): Promise<Uint8Array> {
    const absolute = this.absolute(path);
    try {
      using file = await openRegular(await resolvePath(absolute), absolute);
      return await readUpTo(file.handle, bytes, Math.min(bytes, file.size));
    } catch (error) {
      throw toFileError(error, absolute);
    }
  }

  async list(path: string): Promise<readonly DirectoryEntry[]> {
    const absolute = this.absolute(path);
    const entries: DirectoryEntry[] = [];
    try {
      for await (const entry of Deno.readDir(absolute)) {
        const kind = entry.isSymlink ? "link" : entry.isFile ? "file" : entry.isDirectory ? "directory" : "other";
        entries.push({ name: entry.name, kind });
      }
    } catch (error) {
      if (errorCode(error) === "ENOTDIR") {
        throw new FileError("not_a_directory", absolute, `${absolute} is not a directory`, { cause: error });
      }
      throw toFileError(error, absolute);
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  hidden(_path: string): Promise<boolean> {
    return Promise.resolve(false);
  }

  async write(path: string, bytes: Uint8Array, options: WriteOptions): Promise<Version> {
    const absolute = this.absolute(path);
    try {
      const target = await resolvePath(absolute);
      if (options.resolved && target !== absolute) throw leadsElsewhere(absolute);
      const before = await existing(target, absolute);
      const base = options.basedOn;
      if (base !== undefined && await versionOf(target) !== base) throw changed(absolute);
      const folder = dirname(target);
      await this.#prepareFolder(folder, absolute);
      const check = async (temporary: string): Promise<void> => {
        if (await resolvePath(temporary) !== temporary) throw leadsElsewhere(absolute);
        if (base === undefined || before === undefined || !await touched(target, before)) return;
        if (await versionOf(target) !== base) throw changed(absolute);
      };
      const endEntry = await this.#log?.begin(folder);
      try {
        await replaceFile(target, bytes, { ...(before === undefined ? {} : kept(before)), check });
      } finally {
        await endEntry?.();
      }
      return await sha256(Uint8Array.from(bytes));
    } catch (error) {
      throw toFileError(error, absolute);
    }
  }

  async move(from: string, to: string, options: { readonly resolved?: boolean } = {}): Promise<void> {
    const source = await this.#entry(from, options.resolved);
    const target = await this.#entry(to, options.resolved);
    try {
      if (await lookAt(source) === undefined) throw new FileError("not_found", source, `${source} does not exist`);
      await this.#prepareFolder(dirname(target), target);
      await moveEntry(source, target);
    } catch (error) {
      throw toFileError(error, target);
    }
  }

  async remove(path: string): Promise<void> {
    const absolute = this.absolute(path);
    try {
      await Deno.remove(absolute);
    } catch (error) {
      throw toFileError(error, absolute);
    }
  }

  /** The directory entry itself: parents resolved, a link at the end not followed. */
  async #entry(path: string, resolved = false): Promise<string> {
    const absolute = this.absolute(path);
    const entry = join(await resolvePath(dirname(absolute)), basename(absolute));
    if (resolved && entry !== absolute) throw leadsElsewhere(absolute);
    return entry;
  }

  async #prepareFolder(folder: string, path: string): Promise<void> {
    await Deno.mkdir(folder, { recursive: true });
    if (await resolvePath(folder) !== folder) throw leadsElsewhere(path);
    if (this.#tidied.has(folder)) return;
    this.#tidied.add(folder);
    await removeStaleTemporaries(folder);
  }
}

/** What of the old file the new one keeps. */
function kept(before: Deno.FileInfo): Pick<ReplaceOptions, "mode" | "owner"> {
  return {
    ...(before.mode === null ? {} : { mode: before.mode & 0o7777 }),
    ...(before.uid === null || before.gid === null ? {} : { owner: { uid: before.uid, gid: before.gid } }),
  };
}

/** The file a write replaces. Read-only means it: a rename would get around the missing right. */
async function existing(target: string, path: string): Promise<Deno.FileInfo | undefined> {
  let info: Deno.FileInfo;
  try {
    info = await Deno.stat(target);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  mustBeRegular(info, path);
  try {
    (await Deno.open(target, { write: true })).close();
  } catch (error) {
    // A program that runs cannot be opened for writing, but it can be replaced.
    if (errorCode(error) !== "ETXTBSY") throw error;
  }
  return info;
}

async function versionOf(target: string): Promise<Version | undefined> {
  try {
    using file = await openRegular(target, target);
    return await sha256(await readUpTo(file.handle, Number.POSITIVE_INFINITY, file.size));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function touched(target: string, before: Deno.FileInfo): Promise<boolean> {
  const now = await lookAt(target);
  return now === undefined || !isSameEntry(now, before) || now.size !== before.size ||
    now.mtime?.getTime() !== before.mtime?.getTime();
}

function toStat(info: Deno.FileInfo): FileStat {
  return {
    kind: info.isFile ? "file" : info.isDirectory ? "directory" : "other",
    size: info.size,
    modifiedMs: info.mtime?.getTime() ?? 0,
    ...(info.mode === null ? {} : { mode: info.mode & 0o7777 }),
    ...(info.ino === null || info.ino === 0 ? {} : { identity: `${info.dev}:${info.ino}` }),
  };
}

function tooLarge(path: string, size: number, limit: number): FileError {
  return new FileError("too_large", path, `${path} has ${size} bytes; at most ${limit} are read at once`);
}

function changed(path: string): FileError {
  return new FileError("changed", path, `${path} has changed since it was read`);
}
