/**
 * Opening only what is a regular file. What is opened was looked at before: pipes and devices are never opened, and
 * after opening, the file must still be the one that was looked at, at the place the path resolved to.
 */
import { FileError } from "../contract/workspace.ts";
import { resolvePath } from "./resolve_path.ts";

export interface OpenFile extends Disposable {
  readonly handle: Deno.FsFile;
  readonly size: number;
}

/** `real` has no links left; `path` is for messages. */
export async function openRegular(real: string, path: string): Promise<OpenFile> {
  const looked = await Deno.stat(real);
  mustBeRegular(looked, path);
  const handle = await Deno.open(real, { read: true });
  try {
    // Asked of an open file, without a disk: not worth a trip through the thread pool.
    const opened = handle.statSync();
    mustBeRegular(opened, path);
    if (!isSameEntry(opened, looked) || await resolvePath(real) !== real) throw leadsElsewhere(path);
    return { handle, size: opened.size, [Symbol.dispose]: () => handle.close() };
  } catch (error) {
    handle.close();
    throw error;
  }
}

export function mustBeRegular(info: Deno.FileInfo, path: string): void {
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

/** Whole content, or `limit` bytes of it. `expected`: the size as told. */
export async function readUpTo(handle: Deno.FsFile, limit: number, expected: number): Promise<Uint8Array<ArrayBuffer>> {
  // One byte more than expected, so that the end shows without growing.
  let buffer = new Uint8Array(Math.min(limit, expected + 1));
  let length = 0;
  while (length < limit) {
    if (length === buffer.length) {
      const larger = new Uint8Array(Math.min(limit, Math.max(buffer.length * 2, 4096)));
      larger.set(buffer);
      buffer = larger;
    }
    const room = buffer.length - length;
    const read = await handle.read(buffer.subarray(length));
    if (read === null) break;
    length += read;
    // A short answer is the end, but for files the kernel makes up, whose size is told as 0.
    if (read < room && length >= expected && expected > 0) break;
  }
  return buffer.subarray(0, length);
}

export function isSameEntry(a: Deno.FileInfo, b: Deno.FileInfo): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

export function leadsElsewhere(path: string): FileError {
  return new FileError("changed", path, `${path} led somewhere else a moment ago: nothing was done`);
}
