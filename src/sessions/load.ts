/**
 * Opens a transcript file its caller owns and reads it into memory. Damage costs only itself: torn and broken lines are
 * moved to `<id>.jsonl.damaged`, everything whole is kept, and every move is told.
 */
import { LF, toBytes } from "../lib/bytes.ts";
import { plural } from "../lib/plural.ts";
import { MessageLog, type Span } from "./message_log.ts";
import { unreadable, writeFailed } from "./session_errors.ts";
import { isBlank, parseRecord } from "./record.ts";
import { idOf, sidecars } from "./paths.ts";
import { type Line, scanLines } from "./scan.ts";
import { createSideFile, openSideFile, writeAll } from "./side_file.ts";
import { openForAppending, readSpan } from "./transcript_file.ts";

export interface LoadedTranscript {
  /** Open for reading and appending; ends in a line end or is empty. */
  readonly file: Deno.FsFile;
  readonly size: number;
  readonly log: MessageLog;
  readonly notices: readonly string[];
}

export interface LoadOptions {
  readonly residentBytes: number;
  /** Of a copy: a torn end belongs to the original and is only left out. */
  readonly dropTail?: boolean;
}

export async function loadTranscript(path: string, options: LoadOptions): Promise<LoadedTranscript> {
  const notices: string[] = [];
  let file = openForAppending(path);
  try {
    let scan = await read(file, path, options);
    // Mending moves bytes about: never in a file that may be something else altogether.
    if (!isTranscript(file, scan)) throw unreadable(path, new Error("it holds no message of a conversation"));
    if (scan.broken.length > 0) {
      await setAside(file, path, scan.broken);
      await rewriteWithout(file, path, scan);
      notices.push(describeBroken(path, scan));
      file.close();
      file = openForAppending(path);
      scan = await read(file, path, options);
    }
    if (scan.tail !== undefined && !scan.tail.whole) {
      if (!options.dropTail) await setAside(file, path, [scan.tail]);
      notices.push(describeTorn(path, scan.tail.length, options));
    }
    const size = mendEnd(file, path, scan);
    if (scan.foreign > 0) {
      notices.push(`session ${idOf(path)}: ${plural(scan.foreign, "record")} of an unknown kind left as found`);
    }
    if (scan.log.messages.length === 0) notices.push(`session ${idOf(path)}: the file holds no messages`);
    return { file, size, log: scan.log, notices };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Makes the file end in a line end; answers its size then. */
function mendEnd(file: Deno.FsFile, path: string, { tail, size }: Scan): number {
  try {
    if (tail === undefined) return size;
    if (tail.whole) {
      writeAll(file, new Uint8Array([LF]));
      return size + 1;
    }
    file.truncateSync(tail.offset);
    return tail.offset;
  } catch (error) {
    throw writeFailed(path, error);
  }
}

interface Scan {
  readonly log: MessageLog;
  size: number;
  /** Texts that begin before this byte would not stay in memory anyway. */
  readonly oldBefore: number;
  readonly broken: Span[];
  /** What stands after the last line end. `whole`: a message that lacks only its line end. */
  tail?: Span & { readonly whole: boolean };
  foreign: number;
  rescued: number;
}

async function read(file: Deno.FsFile, path: string, options: LoadOptions): Promise<Scan> {
  const { residentBytes } = options;
  const log = new MessageLog({
    readSpan: (span) => readSpan(file, span),
    residentBytes,
    unreadable: (cause) => unreadable(path, cause),
  });
  try {
    const { size } = await file.stat();
    const scan: Scan = { log, size, oldBefore: size - residentBytes, broken: [], foreign: 0, rescued: 0 };
    scan.size = await scanLines(file, (line) => take(line, scan));
    return scan;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function take(line: Line, scan: Scan): void {
  // A whole record without its line end is given one.
  const span = { offset: line.offset, length: line.length + 1 };
  const record = line.bytes === undefined ? { kind: "damaged" as const } : parseRecord(line.bytes);
  if (!line.ended) scan.tail = { offset: line.offset, length: line.length, whole: record.kind !== "damaged" };
  if (record.kind === "message") return scan.log.add(record.message, span, { old: span.offset < scan.oldBefore });
  if (record.kind === "foreign") scan.foreign++;
  else if (line.ended && !(line.bytes && isBlank(line.bytes))) {
    const rescue = gluedRecord(line.bytes);
    if (rescue !== undefined) scan.rescued++;
    scan.broken.push(rescue === undefined ? span : { offset: span.offset, length: rescue });
  }
}

/** A session may have died in the middle of its very first record; a file with anything else in it has messages. */
function isTranscript(file: Deno.FsFile, scan: Scan): boolean {
  if (scan.log.messages.length > 0 || scan.rescued > 0) return true;
  if (scan.foreign > 0 || scan.broken.length > 0) return false;
  if (scan.tail === undefined) return true;
  const start = readSpan(file, { offset: scan.tail.offset, length: Math.min(scan.tail.length, RECORD_START.length) });
  return start.every((byte, i) => byte === RECORD_START[i]);
}

/** Each try reads to the end of the line, which may be long and made to cost time. */
const MOST_TRIES = 16;
const RECORD_START = toBytes(`{"role":"`);

/**
 * A program that did not look appended a whole record right behind a torn one. Answers where the whole one begins.
 * Inside a string the same characters would be escaped, so what parses from here to the end is a record.
 */
function gluedRecord(line: Uint8Array<ArrayBuffer> | undefined): number | undefined {
  if (line === undefined) return undefined;
  let tries = 0;
  for (let at = line.length - RECORD_START.length; at > 0 && tries < MOST_TRIES; at--) {
    if (line[at] !== RECORD_START[0] || !RECORD_START.every((byte, i) => line[at + i] === byte)) continue;
    if (parseRecord(line.subarray(at)).kind === "message") return at;
    tries++;
  }
  return undefined;
}

/** Copies bytes of `file` behind what was set aside before, one piece a line. */
async function setAside(file: Deno.FsFile, path: string, spans: readonly Span[]): Promise<void> {
  const target = sidecars(path).damaged;
  try {
    using out = openSideFile(target, { append: true }).file;
    for (const span of spans) {
      copySpan(file, out, span);
      writeAll(out, new Uint8Array([LF]));
    }
    await out.sync();
  } catch (error) {
    throw writeFailed(target, error);
  }
}

async function rewriteWithout(file: Deno.FsFile, path: string, scan: Scan): Promise<void> {
  const temporary = `${path}.${Deno.pid}.tmp`;
  try {
    using out = createSideFile(temporary);
    let from = 0;
    for (const span of [...scan.broken, { offset: scan.size, length: 0 }]) {
      copySpan(file, out, { offset: from, length: span.offset - from });
      from = span.offset + span.length;
    }
    await out.sync();
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw writeFailed(path, error);
  }
}

function copySpan(from: Deno.FsFile, to: Deno.FsFile, span: Span): void {
  const step = 1024 * 1024;
  for (let done = 0; done < span.length; done += step) {
    writeAll(to, readSpan(from, { offset: span.offset + done, length: Math.min(step, span.length - done) }));
  }
}

function describeTorn(path: string, length: number, options: LoadOptions): string {
  return `session ${idOf(path)}: its last record was cut short; the ${plural(length, "byte")} left of it ` +
    (options.dropTail ? "are only in the original" : `are kept in ${sidecars(path).damaged}`);
}

function describeBroken(path: string, scan: Scan): string {
  const rescued = scan.rescued === 0 ? "" : `, ${plural(scan.rescued, "record")} behind a torn one rescued`;
  return `session ${idOf(path)}: ${plural(scan.broken.length, "damaged record")} in the middle set aside in ` +
    `${sidecars(path).damaged}${rescued}; everything around is kept`;
}
