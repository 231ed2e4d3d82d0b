/**
 * What sessions there are, without opening one. A row comes from the meta file; where that is missing or tells of another
 * state of the file, from the first and the last bytes of the transcript. The size of a transcript never matters.
 */
import type { SessionSummary } from "../contract/session.ts";
import { LF } from "../lib/bytes.ts";
import { basename } from "../lib/path.ts";
import { systemCode, unreadable } from "./session_errors.ts";
import { isUserTurn } from "./message_log.ts";
import { type InFlightTurn, loadMeta, type SessionMeta } from "./meta.ts";
import { idOf, isTranscriptName, sidecars } from "./paths.ts";
import { toPreview } from "./preview.ts";
import { isBlank, parseRecord } from "./record.ts";
import { readSpan } from "./transcript_file.ts";

export interface SessionRecord extends SessionSummary {
  /** Unix time in milliseconds. */
  readonly createdAt: number;
  /** Size of the transcript. */
  readonly bytes: number;
  readonly model?: string;
  readonly workspaceRoot?: string;
  readonly parentId?: string;
  readonly recovered?: boolean;
  readonly recoveryReason?: string;
  /** Runs now, or ran when its program died. */
  readonly inFlight?: InFlightTurn;
  /** There is nothing in it to go on with. */
  readonly empty?: boolean;
}

/** Newest first. Throws `session.unreadable` for a folder that exists and cannot be read. */
export async function listSessions(directory: string): Promise<SessionRecord[]> {
  const names = readNames(directory);
  const paths = new Set<string>();
  for (const name of names) {
    const transcript = name.replace(/\.jsonl\.meta$|\.events\.jsonl$/, ".jsonl");
    if (isTranscriptName(transcript)) paths.add(`${directory}/${transcript}`);
  }
  const records: SessionRecord[] = [];
  for (const path of paths) {
    const has = (side: "cleanupPending" | "lease" | "events") => names.has(basename(sidecars(path)[side]));
    if (has("cleanupPending")) continue;
    records.push(describeSession(path, { leased: has("lease"), logged: has("events") }));
    if (records.length % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return records.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
}

/** Empty for a folder that is not there. Throws `session.unreadable`. */
export function readNames(directory: string): Set<string> {
  try {
    return new Set(Deno.readDirSync(directory).map((entry) => entry.name));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return new Set();
    throw unreadable(directory, error);
  }
}

export interface DescribeOptions {
  /** A writer may be at work on the end. */
  readonly leased: boolean;
  /** An event log of another version stands beside. */
  readonly logged: boolean;
}

/** Never throws: what is wrong with a session is part of its row. */
export function describeSession(path: string, options: DescribeOptions): SessionRecord {
  const id = idOf(path) ?? basename(path);
  const meta = loadMeta(path);
  const born = meta?.createdAt || bornAt(id);
  const row = {
    id,
    path,
    createdAt: born ?? 0,
    updatedAt: meta?.updatedAt ?? 0,
    preview: "",
    bytes: 0,
    ...fromMeta(meta),
  };
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") return { ...row, damaged: unreadable(path, error).message };
    if (options.logged) return { ...row, damaged: "its transcript is missing; opening it reads the event log" };
    return { ...row, damaged: "its transcript is missing", empty: true };
  }
  if (!info.isFile) return { ...row, damaged: "not a regular file", empty: true };
  if (meta?.bytes === info.size && meta.preview !== undefined) return { ...row, bytes: info.size };
  const modified = info.mtime?.getTime() ?? 0;
  const present = { ...row, createdAt: born ?? modified, updatedAt: modified, bytes: info.size };
  try {
    const seen = glance(path, info.size, options);
    return { ...present, ...seen, preview: seen.preview || row.preview };
  } catch (error) {
    return { ...present, damaged: unreadable(path, error).message };
  }
}

function fromMeta(meta: SessionMeta | undefined): Partial<SessionRecord> {
  if (meta === undefined) return {};
  const { title, preview, turns, model, workspaceRoot, parentId, recovered, recoveryReason, inFlight } = meta;
  const kept = { title, preview, turns, model, workspaceRoot, parentId, recovered, recoveryReason, inFlight };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

const FIRST_LOOK = 64 * 1024;
const LONGEST_LOOK = 1024 * 1024;

interface Glance {
  readonly preview: string;
  /** Known when the look saw the whole file. */
  readonly turns?: number;
  readonly damaged?: string;
  readonly empty?: boolean;
}

/** Reads the start and the end. */
function glance(path: string, size: number, options: DescribeOptions): Glance {
  if (size === 0) return { preview: "", damaged: "it is empty", empty: true };
  using file = Deno.openSync(path, { read: true });
  const isTorn = !options.leased && !endsWhole(file, size);
  const torn = isTorn ? { damaged: "its last record has no end" } : {};
  for (const look of [FIRST_LOOK, LONGEST_LOOK]) {
    const isAll = look >= size;
    const seen = readHead(readSpan(file, { offset: 0, length: Math.min(size, look) }), { isAll });
    if (seen.first === undefined && !isAll && look < LONGEST_LOOK) continue;
    const preview = seen.first === undefined ? "" : toPreview(seen.first);
    if (!isAll) return { preview, ...torn };
    if (seen.messages === 0) return { preview, damaged: "it holds no whole message", empty: true };
    return { preview, turns: seen.turns, ...(seen.broken > 0 ? { damaged: "some of its records are broken" } : torn) };
  }
  return { preview: "", ...torn };
}

/** A record that only lacks its line end is whole. */
function endsWhole(file: Deno.FsFile, size: number): boolean {
  if (readSpan(file, { offset: size - 1, length: 1 })[0] === LF) return true;
  const length = Math.min(size, LONGEST_LOOK);
  const end = readSpan(file, { offset: size - length, length });
  return parseRecord(end.subarray(end.lastIndexOf(LF) + 1)).kind !== "damaged";
}

function readHead(head: Uint8Array<ArrayBuffer>, options: { readonly isAll: boolean }) {
  let first: string | undefined;
  let broken = 0;
  let messages = 0;
  let turns = 0;
  for (let from = 0; from < head.length;) {
    const end = head.indexOf(LF, from);
    if (end < 0 && !options.isAll) break;
    const line = head.subarray(from, end < 0 ? head.length : end);
    from += line.length + 1;
    if (isBlank(line)) continue;
    const record = parseRecord(line);
    // What stands last without a line end is told apart as torn.
    if (record.kind === "damaged" && end >= 0) broken++;
    if (record.kind !== "message") continue;
    messages++;
    if (!isUserTurn(record.message)) continue;
    turns++;
    first ??= record.message.raw_content ?? record.message.content ?? "";
  }
  return { first, broken, messages, turns };
}

/** The time in an id of ours. */
export function bornAt(id: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(id)?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
