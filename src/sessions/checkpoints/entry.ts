/** What stands at a path, links not followed, in a form that can be stored and compared. Reads, never writes. */
import { sha256 } from "../../lib/bytes.ts";

export type Entry =
  | { readonly kind: "absent" }
  | FileEntry
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder"; readonly mode?: number }
  /** A pipe, a device: never touched. */
  | { readonly kind: "other" };

export interface FileEntry {
  readonly kind: "file";
  readonly size: number;
  /** Permission bits; absent where the platform has none. */
  readonly mode?: number;
  /** Absent for a file too large to be read. */
  readonly sha256?: string;
  /** In place of the hash. Unix time in milliseconds. */
  readonly modifiedMs?: number;
}

export const ABSENT: Entry = { kind: "absent" };

/** Larger files are told apart by size and time. Bytes. */
const HASHED_UP_TO = 256 * 1024 * 1024;

export interface Looked {
  readonly entry: Entry;
  /** Of a file that was read. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** More than one name leads to this file. */
  readonly hardLinked?: boolean;
}

/** Throws what the system answers when the path cannot be looked at, or the file cannot be read. */
export async function lookAt(path: string): Promise<Looked> {
  let info: Deno.FileInfo;
  try {
    info = await Deno.lstat(path);
  } catch (error) {
    if (isAbsent(error)) return { entry: ABSENT };
    throw error;
  }
  const mode = info.mode === null ? {} : { mode: info.mode & 0o7777 };
  if (info.isSymlink) return { entry: { kind: "link", target: await Deno.readLink(path) } };
  if (info.isDirectory) return { entry: { kind: "folder", ...mode } };
  if (!info.isFile) return { entry: { kind: "other" } };
  const hardLinked = (info.nlink ?? 1) > 1 ? { hardLinked: true } : {};
  if (info.size > HASHED_UP_TO) {
    const modifiedMs = info.mtime?.getTime() ?? 0;
    return { entry: { kind: "file", size: info.size, ...mode, modifiedMs }, ...hardLinked };
  }
  const bytes = await Deno.readFile(path);
  return {
    entry: { kind: "file", size: bytes.length, ...mode, sha256: await sha256(bytes) },
    bytes,
    ...hardLinked,
  };
}

/** Without its content. */
export async function kindAt(path: string): Promise<Entry["kind"]> {
  try {
    const info = await Deno.lstat(path);
    return info.isSymlink ? "link" : info.isDirectory ? "folder" : info.isFile ? "file" : "other";
  } catch (error) {
    if (isAbsent(error)) return "absent";
    throw error;
  }
}

export function isSameEntry(a: Entry, b: Entry): boolean {
  return isSameContent(a, b) && modeOf(a) === modeOf(b);
}

/** Apart from the permission bits. */
export function isSameContent(a: Entry, b: Entry): boolean {
  if (a.kind === "file" && b.kind === "file") {
    return a.size === b.size && a.sha256 === b.sha256 && a.modifiedMs === b.modifiedMs;
  }
  if (a.kind === "link" && b.kind === "link") return a.target === b.target;
  return a.kind === b.kind && a.kind !== "other";
}

export function modeOf(entry: Entry): number | undefined {
  return entry.kind === "file" || entry.kind === "folder" ? entry.mode : undefined;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    ["ENOTDIR", "ELOOP"].includes((error as { code?: string }).code ?? "");
}
