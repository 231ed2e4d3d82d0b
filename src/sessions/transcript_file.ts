/**
 * The file under a transcript, held by its one writer: whole lines at the end, and a look whether anybody else was at
 * it. A line that could not be written whole is cut off again, so that what follows starts on a line of its own.
 */
import { syncFolder } from "../lib/atomic_file.ts";
import { dirname } from "../lib/path.ts";
import { SessionLocked, systemCode, unreadable, writeFailed } from "./session_errors.ts";
import type { Span } from "./message_log.ts";
import { claimSession, type Holder, type Ownership } from "./ownership.ts";
import { idOf } from "./paths.ts";
import { writeAll } from "./side_file.ts";
import { removeQuietly } from "./state_file.ts";

/** What somebody else did to the file. */
export type Intrusion = "changed" | "replaced" | "removed";

export class TranscriptFile {
  readonly path: string;
  readonly #file: Deno.FsFile;
  readonly #ownership: Ownership;
  readonly #identity: Deno.FileInfo;
  #size: number;
  /** Bytes of a failed write stand behind `#size`. */
  #torn = false;
  #unsynced = false;
  /** The folder may not know the file yet, should the power fail. */
  #unlisted: boolean;
  #closed = false;

  constructor(
    path: string,
    held: {
      readonly file: Deno.FsFile;
      readonly size: number;
      readonly ownership: Ownership;
      readonly isNew?: boolean;
    },
  ) {
    this.path = path;
    this.#file = held.file;
    this.#size = held.size;
    this.#ownership = held.ownership;
    this.#unlisted = held.isNew ?? false;
    this.#identity = held.file.statSync();
  }

  /** Makes and claims an empty file, and its folder. */
  static create(path: string, holder: Holder): TranscriptFile {
    let file: Deno.FsFile;
    try {
      Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      file = Deno.openSync(path, { read: true, append: true, createNew: true, mode: 0o600 });
    } catch (error) {
      throw writeFailed(path, error);
    }
    try {
      const claim = claimSession(path, holder);
      if (claim.kind === "held") throw new SessionLocked(idOf(path) ?? path, claim.holder);
      return new TranscriptFile(path, { file, size: 0, ownership: claim.ownership, isNew: true });
    } catch (error) {
      file.close();
      removeQuietly(path);
      throw error instanceof SessionLocked ? error : writeFailed(path, error);
    }
  }

  get size(): number {
    return this.#size;
  }

  intrusion(): Intrusion | undefined {
    let there: Deno.FileInfo;
    try {
      there = Deno.statSync(this.path);
    } catch (error) {
      if (systemCode(error) === "ENOENT") return "removed";
      throw writeFailed(this.path, error);
    }
    if (there.ino !== this.#identity.ino || there.dev !== this.#identity.dev) return "replaced";
    return there.size === this.#size || this.#torn ? undefined : "changed";
  }

  /** Answers where the line lies. Throws `session.write_failed`; then the file is as it was. */
  write(line: Uint8Array): Span {
    try {
      if (this.#torn) this.#cutBack();
      writeAll(this.#file, line);
    } catch (error) {
      this.#torn = true;
      try {
        this.#cutBack();
      } catch {
        // Tried again before the next write; until then nothing is written behind the torn bytes.
      }
      throw writeFailed(this.path, error);
    }
    const span = { offset: this.#size, length: line.length };
    this.#size += line.length;
    this.#unsynced = true;
    return span;
  }

  #cutBack(): void {
    this.#file.truncateSync(this.#size);
    this.#torn = false;
  }

  read(span: Span): Uint8Array<ArrayBuffer> {
    if (!this.#closed) return readSpan(this.#file, span);
    using file = Deno.openSync(this.path, { read: true });
    return readSpan(file, span);
  }

  async sync(): Promise<void> {
    if (!this.#unsynced || this.#closed) return;
    this.#unsynced = false;
    try {
      await this.#file.syncData();
      if (this.#unlisted) await syncFolder(dirname(this.path));
      this.#unlisted = false;
    } catch (error) {
      this.#unsynced = true;
      throw writeFailed(this.path, error);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#file.close();
    this.#ownership.release();
  }

  /** Takes back `create`. */
  discard(): void {
    removeQuietly(this.path);
    this.close();
  }
}

/** Throws when the file ends before the span does. */
export function readSpan(file: Deno.FsFile, span: Span): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(span.length);
  file.seekSync(span.offset, Deno.SeekMode.Start);
  for (let at = 0; at < bytes.length;) {
    const read = file.readSync(bytes.subarray(at));
    if (read === null) throw new Error(`the file ends at byte ${span.offset + at}`);
    at += read;
  }
  return bytes;
}

/** Throws `session.unreadable` or `session.write_failed`. Never waits for a pipe, never opens a device. */
export function openForAppending(path: string): Deno.FsFile {
  try {
    if (!Deno.statSync(path).isFile) throw new Error("not a regular file");
    Deno.openSync(path, { read: true }).close();
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    return Deno.openSync(path, { read: true, append: true });
  } catch (error) {
    throw writeFailed(path, error);
  }
}
