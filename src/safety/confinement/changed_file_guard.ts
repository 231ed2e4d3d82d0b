/**
 * Nobody's work is overwritten unseen: what the agent last saw of a file or wrote to it is remembered, and a whole-file
 * write over anything else is refused until the file was read again. Content decides, never a time stamp. A file the
 * agent has never seen may be overwritten.
 */
import { FileError, type Files, type Version } from "../../contract/workspace.ts";
import { isInside } from "../../lib/path.ts";
import { decodeText } from "../../lib/text_encoding.ts";
import { passThrough } from "./pass_through.ts";
import { entryOf } from "./places.ts";

/** Larger files are not remembered. */
const REMEMBERED_BYTES = 8 * 1024 * 1024;
/** Of smaller ones the content itself is kept, so that a refusal can show what changed. */
const KEPT_BYTES = 256 * 1024;
const KEPT_TOTAL = 8 * 1024 * 1024;
const SHOWN_DIFF_LINES = 40;

/** `seen`: what is remembered already, as by the walls before these. */
export function protectChangedFiles(files: Files, seen = new SeenFiles()): Files {
  return {
    ...passThrough(files),
    read: async (path, options) => {
      const read = await files.read(path, options);
      if (options?.shown) seen.set(read.path, read.version, read.bytes);
      return read;
    },
    write: async (path, bytes, options) => {
      const real = await files.real(path);
      const known = seen.version(real);
      if (known === undefined || options.kind === "splice") {
        const version = await files.write(path, bytes, options);
        // Made from content the agent has not seen whole: what it knows of the file stays out of date.
        if (known === undefined || options.basedOn === known) seen.set(real, version, bytes);
        return version;
      }
      try {
        if (options.basedOn !== undefined && options.basedOn !== known) throw new FileError("changed", real, "");
        const version = await files.write(path, bytes, { ...options, basedOn: known });
        seen.set(real, version, bytes);
        return version;
      } catch (error) {
        if (!(error instanceof FileError) || error.failure !== "changed") throw error;
        if (await files.stat(real) !== undefined) throw await changed(files, real, seen.content(real));
        // Removed by somebody: nothing is lost by writing it anew.
        const version = await files.write(path, bytes, { kind: options.kind });
        seen.set(real, version, bytes);
        return version;
      }
    },
    move: async (from, to, options) => {
      const source = await entryOf(files, from);
      const target = await entryOf(files, to);
      await files.move(from, to, options);
      seen.move(source, target);
    },
    remove: async (path) => {
      const entry = await entryOf(files, path);
      const known = seen.version(entry);
      if (known !== undefined && (await files.read(entry)).version !== known) {
        throw await changed(files, entry, seen.content(entry));
      }
      await files.remove(path);
      seen.forget(entry);
    },
  };
}

async function changed(files: Files, path: string, before: Uint8Array | undefined): Promise<FileError> {
  const message = `${path} holds something else than when you last read or wrote it, so it was left alone. ` +
    `Read it again and repeat the change on what it holds now.`;
  return new FileError("changed", path, message + await difference(files, path, before));
}

async function difference(files: Files, path: string, before: Uint8Array | undefined): Promise<string> {
  if (before === undefined) return "";
  const now = await files.read(path, { maxBytes: KEPT_BYTES }).catch(() => undefined);
  if (now === undefined) return "";
  const [a, b] = [await decodeText(before), await decodeText(now.bytes)];
  if (a.kind !== "text" || b.kind !== "text") return "";
  const { diffLines } = await import("../../lib/line_diff.ts");
  const lines = diffLines(a.text, b.text).diff.split("\n");
  const shown = lines.slice(0, SHOWN_DIFF_LINES).map((line) => line.slice(0, 400));
  if (lines.length > SHOWN_DIFF_LINES) shown.push("…");
  return `\nWhat changed meanwhile:\n${shown.join("\n")}`.trimEnd();
}

export class SeenFiles {
  readonly #versions = new Map<string, Version>();
  /** Oldest first. */
  readonly #contents = new Map<string, Uint8Array>();
  #kept = 0;

  version(path: string): Version | undefined {
    return this.#versions.get(path);
  }

  content(path: string): Uint8Array | undefined {
    return this.#contents.get(path);
  }

  set(path: string, version: Version, bytes: Uint8Array): void {
    this.forget(path);
    if (bytes.length > REMEMBERED_BYTES) return;
    this.#versions.set(path, version);
    if (bytes.length > KEPT_BYTES) return;
    this.#contents.set(path, bytes);
    this.#kept += bytes.length;
    for (const [oldest, content] of this.#contents) {
      if (this.#kept <= KEPT_TOTAL) break;
      this.#contents.delete(oldest);
      this.#kept -= content.length;
    }
  }

  forget(path: string): void {
    this.#versions.delete(path);
    this.#kept -= this.#contents.get(path)?.length ?? 0;
    this.#contents.delete(path);
  }

  /** A file, or everything known below a folder. */
  move(from: string, to: string): void {
    for (const [path, version] of [...this.#versions]) {
      if (!isInside(path, from)) continue;
      const content = this.#contents.get(path);
      this.forget(path);
      const moved = to + path.slice(from.length);
      this.#versions.set(moved, version);
      if (content === undefined) continue;
      this.#contents.set(moved, content);
      this.#kept += content.length;
    }
  }
}
