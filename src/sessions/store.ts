/**
 * All sessions of one workspace: the folder, who may write what, and where a conversation goes on. Nothing touches the
 * disk before the first message, a list or an open.
 */
import type { SessionStore } from "../contract/session.ts";
import { bornAt, listSessions, type SessionRecord } from "./catalogue.ts";
import { copySession } from "./copy.ts";
import { SessionLocked, writeFailed } from "./failure.ts";
import { findInterrupted } from "./interrupted.ts";
import { type InspectedSession, inspectPath, inspectSession } from "./inspect.ts";
import { loadTranscript } from "./load.ts";
import { createMachineIds } from "./machine_id.ts";
import { loadMeta, type SessionMeta } from "./meta.ts";
import { type Claim, claimSession, type Holder } from "./ownership.ts";
import { idOf, newSessionId, transcriptPath } from "./paths.ts";
import { resolveSession } from "./resolve.ts";
import { SessionTranscript, type TranscriptPorts } from "./transcript.ts";
import { openForAppending, TranscriptFile } from "./transcript_file.ts";

export interface SessionStoreOptions {
  /** `<state>/projects/<slug>/sessions`; made when the first message comes. */
  readonly directory: string;
  /** State root: the key of machine ids lives in it. */
  readonly stateRoot: string;
  /** Who writes, as others are told. */
  readonly holder: Holder;
  /** Recorded with new sessions. */
  readonly workspaceRoot?: string;
  /** Told what happens to an open session that the person should know. */
  notify?(text: string): void;
  /** Unix time in milliseconds. */
  now?(): number;
  /** Text of messages held in memory at most, roughly. Bytes. */
  readonly residentBytes?: number;
}

/** The store, and what programs may ask of it. */
export interface Sessions extends SessionStore {
  list(): Promise<readonly SessionRecord[]>;
  latest(): Promise<SessionRecord | undefined>;
  /** Any session, without opening it; refuses a reference as `open` does. */
  inspect(ref: string): Promise<InspectedSession>;
  /** All sessions, newest first. */
  inspectAll(): Promise<readonly InspectedSession[]>;
}

const RESIDENT_BYTES = 64 * 1024 * 1024;

export function createSessionStore(options: SessionStoreOptions): Sessions {
  const { directory, holder } = options;
  const now = options.now ?? Date.now;
  const machineIds = createMachineIds(`${options.stateRoot}/machine-id.key`);
  const ports: TranscriptPorts = {
    holder,
    now,
    notify: options.notify ?? (() => {}),
    residentBytes: options.residentBytes ?? RESIDENT_BYTES,
  };

  const list = () => listSessions(directory);

  return {
    list,

    async latest() {
      return (await list()).find((record) => !record.empty);
    },

    async inspect(ref) {
      return await inspectPath(await resolveSession(ref, { directory, machineIds }), { machineIds });
    },

    async inspectAll() {
      return await Promise.all((await list()).map((record) => inspectSession(record, { machineIds })));
    },

    create({ model }) {
      const time = now();
      const id = newSessionId(time);
      const meta: SessionMeta = {
        id,
        createdAt: time,
        updatedAt: time,
        model,
        ...(options.workspaceRoot === undefined ? {} : { workspaceRoot: options.workspaceRoot }),
        unknown: {},
      };
      return Promise.resolve(new SessionTranscript(transcriptPath(directory, id), meta, ports));
    },

    async open(ref, { copy = false, takeover = false } = {}) {
      const found = await resolveSession(ref, { directory, machineIds });
      const path = copy ? copySession(found, { directory, now: now() }) : found;
      openForAppending(path).close();
      const ownership = await claim(path, { holder, takeover });
      try {
        const loaded = await loadTranscript(path, { residentBytes: ports.residentBytes, dropTail: copy });
        const known = loadMeta(path);
        const id = idOf(path) ?? path;
        const born = loaded.log.messages.find((message) => message.createdAt !== undefined)?.createdAt;
        const createdAt = bornAt(id) ?? born ?? now();
        const meta: SessionMeta = { createdAt, updatedAt: createdAt, unknown: {}, ...known, id };
        const file = new TranscriptFile(path, { file: loaded.file, size: loaded.size, ownership });
        const interrupted = findInterrupted(loaded.log.messages, {
          hasMeta: known !== undefined,
          ...(meta.inFlight ? { inFlight: meta.inFlight } : {}),
        });
        const opened = { file, log: loaded.log, ...(interrupted ? { interrupted } : {}) };
        return { transcript: new SessionTranscript(path, meta, ports, opened), notices: loaded.notices };
      } catch (error) {
        ownership.release();
        throw error;
      }
    },
  };
}

/** One who only asks whether the session is held has the lock for a moment: so a refusal is tried again. */
async function claim(path: string, options: { readonly holder: Holder; readonly takeover: boolean }) {
  let answer: Claim | undefined;
  for (let tries = 0; tries < 4; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    try {
      answer = claimSession(path, options.holder);
    } catch (error) {
      throw writeFailed(path, error);
    }
    if (answer.kind === "owned") return answer.ownership;
  }
  throw new SessionLocked(idOf(path) ?? path, answer?.kind === "held" ? answer.holder : undefined, options);
}
