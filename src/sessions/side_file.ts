/**
 * Reading and opening what stands beside a transcript. A session can be opened wherever somebody has put it, so what has
 * the name of one of its files is touched only where it is a plain file: a link would lead a write elsewhere, and a pipe
 * or a device would hold the program up.
 */
import { toText } from "../lib/bytes.ts";

/** No side file of ours grows so large. Bytes. */
const LARGEST = 256 * 1024 * 1024;

/** Throws what the system answers, and for what is no plain file of at most `most` bytes. */
export function readSideFile(path: string, most: number = LARGEST): Uint8Array<ArrayBuffer> {
  if (plainInfo(path).size > most) throw new Error(`it is larger than ${most} bytes`);
  return Deno.readFileSync(path);
}

/** Undefined where there is none that can be read. */
export function sideTextOf(path: string, most?: number): string | undefined {
  try {
    return toText(readSideFile(path, most));
  } catch {
    return undefined;
  }
}

/** False also for a link to a plain file. */
export function isPlainFile(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    return false;
  }
}

export interface SideFileOptions {
  /** Lines go to its end; otherwise it is opened to be locked. */
  readonly append: boolean;
}

/** Made for its owner alone where it does not exist. Throws what the system answers, and for what is no plain file. */
export function openSideFile(path: string, { append }: SideFileOptions): OpenedSideFile {
  const options = append ? { append: true } : { read: true, write: true };
  for (;;) {
    try {
      return { file: Deno.openSync(path, { ...options, createNew: true, mode: 0o600 }), created: true };
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
    const file = openPlain(path, options);
    if (file !== undefined) return { file, created: false };
  }
}

/** Undefined for one that was taken away or replaced while it was opened. */
function openPlain(path: string, options: Deno.OpenOptions): Deno.FsFile | undefined {
  let file: Deno.FsFile | undefined;
  try {
    plainInfo(path);
    file = Deno.openSync(path, options);
    const { dev, ino } = file.statSync();
    const there = plainInfo(path);
    if (there.dev === dev && there.ino === ino) return file;
  } catch (error) {
    file?.close();
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return undefined;
  }
  file.close();
  return undefined;
}

export interface OpenedSideFile {
  readonly file: Deno.FsFile;
  readonly created: boolean;
}

/** A new file, for its owner alone, under a name at which a program that died may have left something. */
export function createSideFile(path: string): Deno.FsFile {
  const options = { write: true, createNew: true, mode: 0o600 };
  try {
    return Deno.openSync(path, options);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    // The name goes, not what a link of that name leads to.
    Deno.removeSync(path);
    return Deno.openSync(path, options);
  }
}

/** One write call, unless the system takes less than all. */
export function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  let written = file.writeSync(bytes);
  while (written < bytes.length) written += file.writeSync(bytes.subarray(written));
}

/** A folder beside a transcript, or nothing: not a link to somebody's folder. Throws otherwise. */
export function mustBeOwnFolder(path: string): void {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  if (!info.isDirectory) throw new Error(`${path} is not a folder`);
}

function plainInfo(path: string): Deno.FileInfo {
  const info = Deno.lstatSync(path);
  if (!info.isFile) throw new Error("not a regular file");
  return info;
}
