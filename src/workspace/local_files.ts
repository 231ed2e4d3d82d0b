/**
 * Files of this machine behind the workspace port. No walls stand here: confinement, forbidden reads and the
 * protection of changed files are wrappers of `safety`.
 *
 * What is opened was looked at before: pipes and devices are never opened, and after opening, the file must still be
 * the one that was looked at, at the place the path resolved to. A file swapped in between is refused. What remains:
 * the system call that opens cannot be told not to wait, so a pipe put in a file's place within that instant could
 * hold up one read; and folders made for a new file may be made through a link put there within that instant, though
 * the file itself is not written then.
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
import { removeStaleTemporaries, replaceFile } from "../lib/atomic_file.ts";
import { byteLength, sha256 } from "../lib/bytes.ts";
import { basename, dirname, isAbsolute, join, normalize } from "../lib/path.ts";
import { errorCode, isMissing, toFileError } from "./file_failure.ts";
import { resolvePath } from "./resolve_path.ts";

const MAX_PATH_BYTES = 4095;
const MAX_NAME_BYTES = 255;

/** `root`: absolute, links resolved; relative paths start there. */
export function createLocalFiles(root: string): Files {
  return new LocalFiles(normalize(root));
}

class LocalFiles implements Files {
  readonly #root: string;
  /** Folders already tidied of what killed writers left. */
  readonly #tidied = new Set<string>();

  constructor(root: string) {
    this.#root = root;
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

  real(path: string): Promise<string> {
    return resolvePath(this.absolute(path));
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
      if (options.resolved && target !== absolute) throw moved(absolute);
      const before = await existing(target, absolute);
      const base = options.basedOn;
      if (base !== undefined && await versionOf(target) !== base) throw changed(absolute);
      const folder = dirname(target);
      await this.#prepareFolder(folder, absolute);
      await replaceFile(target, bytes, {
        ...(before === undefined ? {} : {
          ...(before.mode === null ? {} : { mode: before.mode & 0o7777 }),
          ...(before.uid === null || before.gid === null ? {} : { owner: { uid: before.uid, gid: before.gid } }),
        }),
        check: async (temporary) => {
          if (await resolvePath(temporary) !== temporary) throw moved(absolute);
          if (base !== undefined && before !== undefined && await touched(target, before)) {
            if (await versionOf(target) !== base) throw changed(absolute);
          }
        },
      });
      return await sha256(Uint8Array.from(bytes));
    } catch (error) {
      throw toFileError(error, absolute);
    }
  }

  async move(from: string, to: string, options: { readonly resolved?: boolean } = {}): Promise<void> {
    const source = await this.#entry(from, options.resolved);
    const target = await this.#entry(to, options.resolved);
    const info = await lookAt(source);
    if (info === undefined) throw new FileError("not_found", source, `${source} does not exist`);
    const there = await lookAt(target);
    if (there !== undefined && !(isSameEntry(info, there) && source.toLowerCase() === target.toLowerCase())) {
      throw new FileError("exists", target, `${target} already exists`);
    }
    try {
      await this.#prepareFolder(dirname(target), target);
      await moveEntry(source, target, info);
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
    if (resolved && entry !== absolute) throw moved(absolute);
    return entry;
  }

  async #prepareFolder(folder: string, path: string): Promise<void> {
    await Deno.mkdir(folder, { recursive: true });
    if (await resolvePath(folder) !== folder) throw moved(path);
    if (this.#tidied.has(folder)) return;
    this.#tidied.add(folder);
    await removeStaleTemporaries(folder);
  }
}

interface OpenFile extends Disposable {
  readonly handle: Deno.FsFile;
  readonly size: number;
}

async function openRegular(real: string, path: string): Promise<OpenFile> {
  const looked = await Deno.stat(real);
  mustBeRegular(looked, path);
  const handle = await Deno.open(real, { read: true });
  try {
    const opened = await handle.stat();
    mustBeRegular(opened, path);
    if (!isSameEntry(opened, looked) || await resolvePath(real) !== real) throw moved(path);
    return { handle, size: opened.size, [Symbol.dispose]: () => handle.close() };
  } catch (error) {
    handle.close();
    throw error;
  }
}

function mustBeRegular(info: Deno.FileInfo, path: string): void {
  if (info.isFile) return;
  const kind = info.isDirectory
    ? "a directory"
    : info.isFifo
    ? "a named pipe"
    : info.isSocket
    ? "a socket"
    : info.isBlockDevice || info.isCharDevice
    ? "a device"
    : "something else";
  throw new FileError("not_a_file", path, `${path} is not a regular file but ${kind}`);
}

async function readUpTo(handle: Deno.FsFile, limit: number, expected: number): Promise<Uint8Array<ArrayBuffer>> {
  // One byte more than expected, so that the end shows without growing.
  let buffer = new Uint8Array(Math.min(limit, expected + 1));
  let length = 0;
  while (length < limit) {
    if (length === buffer.length) {
      const larger = new Uint8Array(Math.min(limit, Math.max(buffer.length * 2, 4096)));
      larger.set(buffer);
      buffer = larger;
    }
    const read = await handle.read(buffer.subarray(length));
    if (read === null) break;
    length += read;
  }
  return buffer.subarray(0, length);
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

async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toFileError(error, path);
  }
}

async function moveEntry(source: string, target: string, info: Deno.FileInfo): Promise<void> {
  if (info.isFile && source.toLowerCase() !== target.toLowerCase() && await hardLink(source, target)) {
    try {
      await Deno.remove(source);
    } catch (error) {
      await Deno.remove(target);
      throw error;
    }
    return;
  }
  try {
    await Deno.rename(source, target);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    if (!info.isFile) {
      throw new FileError(
        "failed",
        target,
        `${target} lies on another file system: only single files can be moved there`,
        { cause: error },
      );
    }
    const mode = info.mode === null ? {} : { mode: info.mode & 0o7777 };
    await replaceFile(target, await Deno.readFile(source), mode);
    await Deno.remove(source);
  }
}

/** Unlike a rename, a new hard link never replaces what appeared there meanwhile. False where there are none. */
async function hardLink(source: string, target: string): Promise<boolean> {
  try {
    await Deno.link(source, target);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw error;
    return false;
  }
}

function isSameEntry(a: Deno.FileInfo, b: Deno.FileInfo): boolean {
  return a.dev === b.dev && a.ino === b.ino;
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

function moved(path: string): FileError {
  return new FileError("changed", path, `${path} led somewhere else a moment ago: nothing was done`);
}
