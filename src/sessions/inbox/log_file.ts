/**
 * The log of an inbox on disk: lines are added at its end; what cannot be read in it is set aside in a file beside it,
 * and it is written anew when most of it is past. Without items there is no log.
 */
import { INBOX_LIMITS, type InboxItem } from "../../contract/inbox.ts";
import { byteLength, LF, toBytes } from "../../lib/bytes.ts";
import { systemCode, unreadable, writeFailed } from "../session_errors.ts";
import { removeQuietly } from "../state_file.ts";
import { createSideFile, mustBeOwnFolder, openSideFile, readSideFile, writeAll } from "../side_file.ts";
import { applyRecord, formatRecord, type InboxRecord, parseRecord, toRecords } from "./record.ts";

/** No inbox of ours grows so large. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Written anew past this and four times what is needed. */
const SMALL = 1024 * 1024;

interface Found {
  readonly items: readonly InboxItem[];
  /** What the person should know; one line each. */
  readonly notices: readonly string[];
}

export class InboxLog {
  readonly #where: () => string;
  #folder: string;
  #file: Deno.FsFile | undefined;
  /** Of the file as it was left: to see whether somebody else was at it. */
  #seen: { readonly size: number; readonly ino: number | null } | undefined;
  /** Something in the file has to go before a line may follow. */
  #ragged = false;

  /** `where`: the folder, which moves when the conversation does. */
  constructor(where: () => string) {
    this.#where = where;
    this.#folder = where();
  }

  get #path(): string {
    return `${this.#folder}/log.jsonl`;
  }

  /** Throws `session.unreadable`. */
  read(): Found {
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      mustBeOwnFolder(this.#folder);
      bytes = readSideFile(this.#path, MAX_BYTES);
      this.#seen = { size: bytes.length, ino: Deno.lstatSync(this.#path).ino };
    } catch (error) {
      this.#seen = undefined;
      if (systemCode(error) === "ENOENT") return { items: [], notices: [] };
      throw unreadable(this.#path, error);
    }
    return this.#take(bytes);
  }

  /** The items of a log that somebody else has changed since it was left; undefined for one that nobody has. */
  foreign(): readonly InboxItem[] | undefined {
    if (this.#seen === undefined) return undefined;
    try {
      const { size, ino } = Deno.lstatSync(this.#path);
      if (size === this.#seen.size && ino === this.#seen.ino) return undefined;
    } catch {
      // One that is gone is written anew.
      this.#forget();
      return undefined;
    }
    this.close();
    return this.read().items;
  }

  /** `items`: what is left with the record. Throws `session.write_failed`; then the log is as it was. */
  append(record: InboxRecord, items: readonly InboxItem[]): void {
    this.#follow();
    const line = toBytes(formatRecord(record));
    try {
      if (items.length === 0) return this.#remove();
      if (this.#seen === undefined || this.#ragged || isMostlyPast(this.#seen.size, items)) return this.#rewrite(items);
      this.#file ??= openSideFile(this.#path, { append: true }).file;
      this.#add(this.#file, line, { sync: record.op === "put" });
    } catch (error) {
      throw writeFailed(this.#path, error);
    }
  }

  /** After reading: what is past or cannot be read goes. A failure costs nothing but room. */
  tidy(items: readonly InboxItem[]): void {
    if (this.#seen === undefined) return;
    if (!this.#ragged && toBytes(toLines(items)).length === this.#seen.size) return;
    try {
      if (items.length === 0) this.#remove();
      else this.#rewrite(items);
    } catch {
      // As said.
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #take(bytes: Uint8Array<ArrayBuffer>): Found {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let items: readonly InboxItem[] = [];
    const damaged: Uint8Array[] = [];
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(LF, from);
      const line = bytes.subarray(from, end < 0 ? bytes.length : end);
      from += line.length + 1;
      if (line.length === 0) continue;
      const record = readRecord(line, decoder);
      const after = record && applyRecord(items, record);
      if (after && after.length <= INBOX_LIMITS.items) items = after;
      else damaged.push(line);
    }
    this.#ragged = damaged.length > 0 || bytes.at(-1) !== LF;
    return { items, notices: damaged.length === 0 ? [] : [this.#setAside(damaged)] };
  }

  #setAside(lines: readonly Uint8Array[]): string {
    const aside = `${this.#folder}/log.damaged`;
    const what = lines.length === 1 ? "1 entry" : `${lines.length} entries`;
    try {
      using file = openSideFile(aside, { append: true }).file;
      writeAll(file, joined(lines));
    } catch {
      return `${what} of the queue could not be read`;
    }
    return `${what} of the queue could not be read; see ${aside}`;
  }

  #add(file: Deno.FsFile, line: Uint8Array, { sync }: { readonly sync: boolean }): void {
    const { size, ino } = this.#seen!;
    try {
      writeAll(file, line);
      if (sync) file.syncDataSync();
    } catch (error) {
      try {
        file.truncateSync(size);
      } catch {
        this.#ragged = true;
      }
      throw error;
    }
    this.#seen = { size: size + line.length, ino };
  }

  /** In one step: a reader finds the old log or the new one. */
  #rewrite(items: readonly InboxItem[]): void {
    const bytes = toBytes(toLines(items));
    mustBeOwnFolder(this.#folder);
    Deno.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = `${this.#path}.tmp`;
    try {
      const { ino } = writeWhole(temporary, bytes);
      this.close();
      Deno.renameSync(temporary, this.#path);
      this.#seen = { size: bytes.length, ino };
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    }
    this.#ragged = false;
    syncFolder(this.#folder);
  }

  #remove(): void {
    this.#forget();
    try {
      Deno.removeSync(this.#path);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
    // Stays where something was set aside.
    removeQuietly(this.#folder);
  }

  #forget(): void {
    this.close();
    this.#seen = undefined;
  }

  /** The conversation may have moved. */
  #follow(): void {
    const folder = this.#where();
    if (folder === this.#folder) return;
    this.close();
    try {
      Deno.renameSync(this.#folder, folder);
    } catch {
      // Written anew at the new place.
      this.#seen = undefined;
    }
    this.#folder = folder;
  }
}

function toLines(items: readonly InboxItem[]): string {
  return toRecords(items).map(formatRecord).join("");
}

function isMostlyPast(size: number, items: readonly InboxItem[]): boolean {
  return size > SMALL && size > SMALL + 4 * items.reduce((sum, { text }) => sum + byteLength(text), 0);
}

function writeWhole(path: string, bytes: Uint8Array): { readonly ino: number | null } {
  using file = createSideFile(path);
  writeAll(file, bytes);
  file.syncDataSync();
  return file.statSync();
}

/** Undefined for one that makes no sense. */
function readRecord(line: Uint8Array, decoder: TextDecoder): InboxRecord | undefined {
  try {
    return parseRecord(decoder.decode(line));
  } catch {
    return undefined;
  }
}

/** Each ends in a line end. */
function joined(lines: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(lines.reduce((sum, line) => sum + line.length + 1, 0)).fill(LF);
  let at = 0;
  for (const line of lines) {
    whole.set(line, at);
    at += line.length + 1;
  }
  return whole;
}

/** Some file systems refuse; then the name of the file is as safe as they make it. */
function syncFolder(path: string): void {
  if (Deno.build.os === "windows") return;
  try {
    using folder = Deno.openSync(path, { read: true });
    folder.syncSync();
  } catch {
    // As said.
  }
}
