/**
 * All sessions of one workspace: the folder, who may write what, and where a conversation goes on. Nothing touches the
 * disk before the first message, a list or an open.
 */
import type { SessionStore } from "../contract/session.ts";
import { listSessions, type SessionRecord } from "./catalogue.ts";
import { copySession } from "./copy.ts";
import { type InspectedSession, inspectPath, inspectSession } from "./inspect.ts";
import { createMachineIds } from "./machine_id.ts";
import type { SessionMeta } from "./meta.ts";
import type { Holder } from "./ownership.ts";
import { openTranscript } from "./open_transcript.ts";
import { newSessionId, sidecars, transcriptPath } from "./paths.ts";
import { resolveSession } from "./resolve.ts";
import { SessionTranscript, type TranscriptPorts } from "./transcript.ts";

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
      if (copy) {
        const { copyCheckpoints } = await import("./checkpoints/checkpoints.ts");
        await copyCheckpoints(sidecars(found).checkpoints, sidecars(path).checkpoints);
      }
      return await openTranscript(path, { ports, takeover, isCopy: copy });
    },
  };
}
