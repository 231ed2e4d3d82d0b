/** Takes ownership of a transcript that exists, mends what is damaged, and reads it. */
import type { Message } from "../contract/message.ts";
import { dirname } from "../lib/path.ts";
import { bornAt } from "./catalogue.ts";
import { ConversationView } from "./conversation.ts";
import { SessionLocked, writeFailed } from "./session_errors.ts";
import { loadTranscript } from "./load.ts";
import { type InFlightTurn, loadMeta, type SessionMeta } from "./meta.ts";
import { type Claim, claimSession, type Ownership } from "./ownership.ts";
import { idOf, newSessionId, sidecars, transcriptPath } from "./paths.ts";
import { toPreview } from "./preview.ts";
import { openSideFile } from "./side_file.ts";
import { exists } from "./state_file.ts";
import { SessionTranscript, type TranscriptPorts } from "./transcript.ts";
import { openForAppending, TranscriptFile } from "./transcript_file.ts";

export interface OpenOptions {
  readonly ports: TranscriptPorts;
  readonly takeover: boolean;
  /** The file is a copy: what is torn at its end belongs to the original. */
  readonly isCopy: boolean;
}

export interface OpenedTranscript {
  readonly transcript: SessionTranscript;
  readonly notices: readonly string[];
}

export async function openTranscript(path: string, options: OpenOptions): Promise<OpenedTranscript> {
  const { ports } = options;
  const hasEventLog = exists(sidecars(path).events);
  if (hasEventLog && !exists(path)) makeEmpty(path);
  openForAppending(path).close();
  const ownership = await claim(path, options);
  let opened: OpenedTranscript;
  try {
    opened = await load(path, ownership, options);
  } catch (error) {
    ownership.release();
    throw error;
  }
  if (!hasEventLog) return opened;
  const { transcript, notices } = opened;
  try {
    const { importForeignLog } = await import("./foreign_log.ts");
    return { transcript, notices: [...notices, ...await importForeignLog(transcript, { branch: newBranch })] };
  } catch (error) {
    await transcript.close();
    throw error;
  }

  function newBranch(reason: string): SessionTranscript {
    const time = ports.now();
    const id = newSessionId(time);
    const parentId = transcript.id;
    return new SessionTranscript(transcriptPath(dirname(path), id), {
      id,
      createdAt: time,
      updatedAt: time,
      parentId,
      recovered: true,
      recoveryReason: reason,
      recoveryDepth: 1,
      recoveryRootId: parentId,
      unknown: {},
    }, ports);
  }
}

async function load(path: string, ownership: Ownership, options: OpenOptions): Promise<OpenedTranscript> {
  const { ports, isCopy } = options;
  const loaded = await loadTranscript(path, { residentBytes: ports.residentBytes, dropTail: isCopy });
  const view = new ConversationView(loaded.log.messages);
  const { messages } = view;
  const known = loadMeta(path);
  const id = idOf(path) ?? path;
  const born = bornAt(id) ?? messages.find((message) => message.createdAt !== undefined)?.createdAt ?? ports.now();
  const meta: SessionMeta = { createdAt: born, updatedAt: born, unknown: {}, ...known, id };
  const isCutShort = known === undefined || meta.inFlight !== undefined;
  const interrupted = isCutShort ? await loadInterrupted(path, messages, meta.inFlight) : undefined;
  const unknown = interrupted?.interrupted_tools.map(({ name }) => name) ?? [];
  const file = new TranscriptFile(path, { file: loaded.file, size: loaded.size, ownership });
  const transcript = new SessionTranscript(path, meta, ports, {
    file,
    log: loaded.log,
    view,
    ...(interrupted ? { interrupted } : {}),
  });
  const notices = unknown.length === 0 ? [] : [
    `session ${id}: the program ended in the middle of a turn; what these calls did is not known: ${
      toPreview(unknown.join(", "))
    }`,
  ];
  return { transcript, notices: [...loaded.notices, ...notices] };
}

/** `inFlight` where the meta file tells which turn was running; else the messages have to. */
async function loadInterrupted(path: string, messages: readonly Message[], inFlight: InFlightTurn | undefined) {
  const [{ findInterrupted }, { readJournal }] = await Promise.all([
    import("./interrupted.ts"),
    import("./journal/load.ts"),
  ]);
  const journal = readJournal(path);
  return findInterrupted(messages, { ...(inFlight ? { inFlight } : {}), ...(journal ? { journal } : {}) });
}

/** One who only asks whether the session is held has the lock for a moment: so a refusal is tried again. */
async function claim(path: string, options: OpenOptions): Promise<Ownership> {
  const { ports: { holder }, takeover } = options;
  let answer: Claim | undefined;
  for (let tries = 0; tries < 4; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    try {
      answer = claimSession(path, holder);
    } catch (error) {
      throw writeFailed(path, error);
    }
    if (answer.kind === "owned") return answer.ownership;
  }
  throw new SessionLocked(idOf(path) ?? path, answer?.kind === "held" ? answer.holder : undefined, { takeover });
}

/** For an event log that lost its transcript. */
function makeEmpty(path: string): void {
  try {
    openSideFile(path, { append: true }).file.close();
  } catch (error) {
    throw writeFailed(path, error);
  }
}
