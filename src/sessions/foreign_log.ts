/**
 * Other versions of the program kept a log of edits beside a transcript, and after a crash it can be ahead of it. Such
 * a log is only read: what it holds beyond the transcript is added once, and where the two tell different stories both
 * are kept.
 */
import type { Message } from "../contract/message.ts";
import { basename } from "../lib/path.ts";
import { unreadable } from "./session_errors.ts";
import { sidecars } from "./paths.ts";
import { toMessage } from "./record.ts";
import { type Line, scanLines } from "./scan.ts";
import type { SessionTranscript } from "./transcript.ts";

/** A log past either is of no program we know. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_MESSAGES = 100_000;

export interface ImportOptions {
  /** Makes a session beside for what does not fit in. */
  branch(reason: string): SessionTranscript;
}

/** Answers what the person should know. Throws `session.unreadable` for the log, `session.write_failed`. */
export async function importForeignLog(transcript: SessionTranscript, options: ImportOptions): Promise<string[]> {
  const path = sidecars(transcript.path).events;
  const { isFile, size } = await Deno.lstat(path);
  if (!isFile) throw unreadable(path, new Error("not a regular file"));
  const source = `${basename(path)}@${size}`;
  if (transcript.importedFrom === source) return [];
  if (size > MAX_BYTES) return [`session ${transcript.id}: ${path} is too large to be read`];
  const logged = await replayEventLog(path);
  const stored = transcript.messages;
  const shared = countShared(stored, logged);
  if (shared === logged.length) {
    if (stored.length > 0) transcript.markImported(source);
    return [];
  }
  if (shared === stored.length) {
    for (const message of logged.slice(shared)) transcript.append(message);
    await transcript.sync();
    transcript.markImported(source);
    return [`session ${transcript.id}: ${logged.length - shared} messages were restored from ${path}`];
  }
  const branch = options.branch("event_log");
  for (const message of logged) branch.append(message);
  await branch.close();
  transcript.markImported(source);
  return [
    `session ${transcript.id}: its event log tells another story after message ${shared}; ` +
    `the ${stored.length} messages of the transcript go on here, the ${logged.length} of the log are session ${branch.id}`,
  ];
}

/** The newest state the log is consistent up to. */
async function replayEventLog(path: string): Promise<readonly Message[]> {
  let state: Message[] = [];
  let isConsistent = true;
  const take = (line: Line) => {
    const edit = line.bytes === undefined ? undefined : parseEdit(line.bytes);
    if (edit?.type === "replace") {
      state = edit.messages;
      isConsistent = true;
    } else if (edit !== undefined && isConsistent && (edit.at ?? 0) <= state.length) {
      state.length = edit.at ?? state.length;
      for (const message of edit.messages) state.push(message);
    } else if (edit !== undefined || !line.bytes?.every((byte) => byte <= 32)) {
      // Whatever follows builds on what is missing, up to the next whole state.
      isConsistent = false;
    }
  };
  try {
    using file = await Deno.open(path, { read: true });
    await scanLines(file, take);
  } catch (error) {
    throw unreadable(path, error);
  }
  return state;
}

type Edit =
  | { readonly type: "replace"; readonly messages: Message[] }
  | { readonly type: "append"; readonly messages: Message[]; readonly at?: number };

function parseEdit(line: Uint8Array<ArrayBuffer>): Edit | undefined {
  try {
    const { type, messages, message_index } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
    if (!Array.isArray(messages) || messages.length > MAX_MESSAGES) return undefined;
    const known = messages.map(toMessage).filter((message) => message !== undefined);
    if (known.length !== messages.length) return undefined;
    if (type === "replace") return { type, messages: known };
    if (type !== "append") return undefined;
    return { type, messages: known, ...(typeof message_index === "number" ? { at: message_index } : {}) };
  } catch {
    return undefined;
  }
}

function countShared(stored: readonly Message[], logged: readonly Message[]): number {
  let shared = 0;
  while (shared < stored.length && shared < logged.length && isSame(stored[shared]!, logged[shared]!)) shared++;
  return shared;
}

/** In what was said and done; notes for people may differ. */
function isSame(a: Message, b: Message): boolean {
  const gist = ({ role, content, tool_call_id, tool_calls }: Message) =>
    JSON.stringify([role, content, tool_call_id, tool_calls?.map((call) => [call.id, call.name, call.arguments])]);
  return gist(a) === gist(b);
}
