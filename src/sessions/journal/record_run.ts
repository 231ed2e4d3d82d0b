/**
 * Watches the loop and keeps the journal of its runs. The journal is loaded with the first call of a session: a turn
 * that calls nothing leaves nothing undone.
 */
import type { LoopObserver } from "../../contract/observer.ts";
import type { JournalRecord } from "./record.ts";
import type { RunJournal } from "./run_journal.ts";

export interface RunRecorder {
  /** The last that is asked before a call runs. */
  readonly observer: LoopObserver;
  /** Idempotent. */
  close(): void;
}

export interface RunRecorderOptions {
  /** The transcript; its path changes once when the conversation moves to a recovery branch. */
  readonly place: { readonly path: string };
  /** Unix time in milliseconds. */
  now(): number;
}

export function recordRun({ place, now }: RunRecorderOptions): RunRecorder {
  let opening: Promise<RunJournal> | undefined;
  let journal: RunJournal | undefined;
  /** Of the running turn, for a journal that is not there yet. */
  let early: JournalRecord[] = [];

  const open = async (): Promise<RunJournal> => {
    const { RunJournal } = await import("./run_journal.ts");
    journal = new RunJournal(place);
    for (const record of early.splice(0)) journal.add(record, { atOnce: false });
    return journal;
  };
  const note = (record: JournalRecord) => {
    if (journal) journal.add(record, { atOnce: false });
    else early.push(record);
  };

  return {
    observer: {
      name: "run journal",
      turnBegins: ({ id }) => {
        early = [];
        note({ kind: "turn", id, at: now() });
        return Promise.resolve(undefined);
      },
      requestEnded: (request) => note({ kind: "request", ...request }),
      callBegins: async (call) => {
        (await (opening ??= open())).callBegins(call);
        return undefined;
      },
      callEnded: (call, output) => Promise.resolve(journal?.callEnded(call, output)),
      turnEnded: ({ outcome }) => Promise.resolve(journal?.add({ kind: "turn_end", outcome }, { atOnce: true })),
    },
    close: () => journal?.close(),
  };
}
