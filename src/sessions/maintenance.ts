/**
 * Looking after a folder of sessions: what is wrong (`diagnose`), facts for lists made anew (`reindex`), and remains of
 * deletions and of programs that died taken away (`cleanup`). A session that somebody holds is left alone, and none that
 * holds a message is ever removed.
 */
import { removeStaleTemporaries } from "../lib/atomic_file.ts";
import { basename } from "../lib/path.ts";
import { bornAt, listSessions, readNames, type SessionRecord } from "./catalogue.ts";
import { systemCode, unreadable } from "./session_errors.ts";
import { isUserTurn } from "./message_log.ts";
import { loadMeta, saveMeta } from "./meta.ts";
import { claimSession, type Holder, holderOf } from "./ownership.ts";
import { idOf, isOfSession, isTranscriptName, sidecars } from "./paths.ts";
import { toPreview } from "./preview.ts";
import { isBlank, parseRecord } from "./record.ts";
import { scanLines } from "./scan.ts";

export interface SessionDiagnosis {
  readonly directory: string;
  readonly sessions: number;
  readonly bytes: number;
  readonly held: number;
  readonly interrupted: number;
  readonly recovered: number;
  readonly empty: number;
  /** Lists are made from facts that fit another state of the transcript, or from none. */
  readonly stale: number;
  readonly damaged: readonly { readonly id: string; readonly reason: string }[];
  /** Names of files that `cleanup` would remove. */
  readonly removable: readonly string[];
}

export async function diagnoseSessions(directory: string): Promise<SessionDiagnosis> {
  const records = await listSessions(directory);
  const held = records.filter(({ path }) => holderOf(path) !== undefined);
  const count = (is: (record: SessionRecord) => boolean) => records.filter(is).length;
  return {
    directory,
    sessions: records.length,
    bytes: records.reduce((sum, { bytes }) => sum + bytes, 0),
    held: held.length,
    interrupted: count((record) => record.inFlight !== undefined && !held.includes(record)),
    recovered: count(({ recovered }) => recovered === true),
    empty: count(({ empty }) => empty === true),
    stale: count((record) => !held.includes(record) && loadMeta(record.path)?.bytes !== record.bytes),
    damaged: records.flatMap(({ id, damaged }) => damaged === undefined ? [] : [{ id, reason: damaged }]),
    removable: (await remains(directory)).map(basename),
  };
}

export interface Reindexed {
  readonly sessions: number;
  readonly rebuilt: number;
  /** Left alone: in use. */
  readonly held: number;
  /** Transcripts that could not be read. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

export async function reindexSessions(directory: string, holder: Holder): Promise<Reindexed> {
  const records = await listSessions(directory);
  const failed: { id: string; reason: string }[] = [];
  let [rebuilt, held] = [0, 0];
  for (const record of records) {
    try {
      if (await rebuildMeta(record, holder)) rebuilt++;
      else held++;
    } catch (error) {
      failed.push({ id: record.id, reason: unreadable(record.path, error).message });
    }
  }
  return { sessions: records.length, rebuilt, held, failed };
}

/** False when somebody holds it. */
async function rebuildMeta(record: SessionRecord, holder: Holder): Promise<boolean> {
  const claim = claimSession(record.path, holder);
  if (claim.kind === "held") return false;
  try {
    using file = Deno.openSync(record.path, { read: true });
    const info = file.statSync();
    let turns = 0;
    let preview: string | undefined;
    await scanLines(file, ({ bytes }) => {
      if (bytes === undefined || isBlank(bytes)) return;
      const parsed = parseRecord(bytes);
      if (parsed.kind !== "message" || !isUserTurn(parsed.message)) return;
      turns++;
      preview ??= toPreview(parsed.message.raw_content ?? parsed.message.content ?? "");
    });
    const modified = info.mtime?.getTime() ?? 0;
    const old = loadMeta(record.path) ??
      { id: record.id, createdAt: bornAt(record.id) ?? modified, updatedAt: modified, unknown: {} };
    saveMeta(record.path, { ...old, turns, bytes: info.size, ...(preview ? { preview } : {}) });
    return true;
  } finally {
    claim.ownership.release();
  }
}

/** Names of the files that were removed. */
export async function cleanSessions(directory: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const path of await remains(directory)) {
    try {
      Deno.removeSync(path, { recursive: true });
      removed.push(basename(path));
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw unreadable(path, error);
    }
  }
  await removeStaleTemporaries(directory);
  return removed;
}

/** Sessions younger than this may be on their way to their first message. */
const SETTLED_MS = 60 * 60 * 1000;

/**
 * Everything of a session whose deletion was begun; empty transcripts and their side files; locks and leases of
 * programs that died. Only what nobody holds.
 */
async function remains(directory: string): Promise<string[]> {
  const names = readNames(directory);
  const found = new Set<string>();
  const addAll = (stem: string) => {
    for (const name of names) {
      if (isOfSession(name, stem)) found.add(`${directory}/${name}`);
    }
  };
  for (const name of names) {
    const stem = /^(.+)\.cleanup-pending\.json$/.exec(name)?.[1];
    if (stem !== undefined && holderOf(`${directory}/${stem}.jsonl`) === undefined) addAll(stem);
  }
  for (const record of await listSessions(directory)) {
    const isEmpty = record.empty === true && (record.bytes === 0 || !names.has(basename(record.path)));
    const { events, inbox } = sidecars(record.path);
    const isLogged = names.has(basename(events)) || names.has(basename(inbox));
    const isOld = Date.now() - record.updatedAt > SETTLED_MS;
    if (isEmpty && !isLogged && isOld && holderOf(record.path) === undefined) addAll(idOf(record.path) ?? record.id);
  }
  for (const name of names) {
    const stem = /^(.+?)\.(?:jsonl\.lock|lease\.json)$/.exec(name)?.[1];
    if (stem === undefined || isTranscriptName(name)) continue;
    // A holder that died leaves both.
    if (holderOf(`${directory}/${stem}.jsonl`) === undefined) found.add(`${directory}/${name}`);
  }
  return [...found].sort();
}
