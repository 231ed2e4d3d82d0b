/** Names of the files beside a transcript, and of new sessions. */
import { basename, dirname } from "../lib/path.ts";
import { toHex } from "../lib/bytes.ts";

const SUFFIX = ".jsonl";

/** `20260131-094512-3f9a2c71`: sorts by birth, in UTC. */
export function newSessionId(now: number): string {
  const [date, time] = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").split("T");
  return `${date}-${time}-${toHex(crypto.getRandomValues(new Uint8Array(4)))}`;
}

export function transcriptPath(directory: string, id: string): string {
  return `${directory}/${id}${SUFFIX}`;
}

/** Undefined for a path that does not name a transcript. */
export function idOf(path: string): string | undefined {
  const name = basename(path);
  return name.endsWith(SUFFIX) && name.length > SUFFIX.length ? name.slice(0, -SUFFIX.length) : undefined;
}

/** Transcripts among the names in a session folder: not the logs that stand beside one. */
export function isTranscriptName(name: string): boolean {
  return name.endsWith(SUFFIX) && name.length > SUFFIX.length && !SIDE_LOGS.test(name);
}

const SIDE_LOGS = /\.(?:events|execution|adjudication|wire|conflicts|guardian|requests)\.jsonl$/;

/** A name that a file of this session has; whatever else begins alike beside it is somebody else's. */
export function isOfSession(name: string, id: string): boolean {
  return name.startsWith(`${id}.`) && OF_A_SESSION.test(name.slice(id.length + 1));
}

/** What may follow `<id>.`: `a.b.jsonl` is a session of its own beside `a.jsonl`. */
const OF_A_SESSION = new RegExp(
  "^(?:jsonl(?:\\.\\d+\\.tmp|(?:\\.(?:meta|lock|damaged))?(?:\\.tmp)?)|events\\.jsonl(?:\\.damaged)?|(?:event|display)-index\\.json|" +
    "(?:context|goal-state|recovery|cleanup-pending|lease|wire\\.meta)\\.json(?:\\.tmp)?|run-journal\\.ndjson(?:\\.tmp)?|lease\\.lock|" +
    "(?:execution|adjudication|wire|conflicts|guardian|requests)\\.jsonl|superseded\\.jsonl\\.bak|ckpt|outputs|jobs|inbox)$",
);

/** Paths of what stands beside the transcript at `path`. */
export function sidecars(path: string) {
  const stem = `${dirname(path)}/${idOf(path) ?? basename(path)}`;
  return {
    meta: `${path}.meta`,
    lock: `${path}.lock`,
    damaged: `${path}.damaged`,
    lease: `${stem}.lease.json`,
    events: `${stem}.events.jsonl`,
    projection: `${stem}.context.json`,
    requests: `${stem}.requests.jsonl`,
    checkpoints: `${stem}.ckpt`,
    inbox: `${stem}.inbox`,
    runJournal: `${stem}.run-journal.ndjson`,
    cleanupPending: `${stem}.cleanup-pending.json`,
  };
}
