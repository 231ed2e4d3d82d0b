/** The saved states of one conversation: one door for the wrapper that saves, the loop, and whoever goes back. */
import type {
  Checkpoints,
  CodePlan,
  CommitOptions,
  CommitReport,
  FileChange,
  FileSnapshots,
  TurnBoundary,
  TurnCheckpoint,
  UndoView,
} from "../../contract/checkpoint.ts";
import type { ObservedCall } from "../../contract/observer.ts";
import type { Transcript } from "../../contract/session.ts";
import { unreadable } from "../session_errors.ts";
import { sidecars } from "../paths.ts";
import { isPlainFile } from "../side_file.ts";
import { exists } from "../state_file.ts";
import { Blobs } from "./blobs.ts";
import { coverageOf, type Transaction } from "./ledger.ts";
import { CheckpointLog } from "./log_file.ts";
import { type DetailedPlan, type PlanContext, planRewind, planUndo } from "./plan.ts";
import { Recorder } from "./recorder.ts";
import { expire, type Retention } from "./retention.ts";
import { commitPlan, resolveTransaction } from "./transaction.ts";

export interface CheckpointOptions {
  readonly transcript: Pick<Transcript, "path" | "messages" | "lastRewind">;
  /** Folders whose files can be brought back. Absolute, links resolved. */
  readonly roots: readonly string[];
  readonly retention: Retention;
  /** Hooks run around calls and may write. */
  readonly hooksRun: boolean;
  /** The conversation was opened where somebody put it: what it says of files changes none without the person. */
  readonly isBrought?: boolean;
  /** Labels of what runs in the background. */
  running(): readonly string[];
  /** Unix time in milliseconds. */
  now(): number;
}

export class SessionCheckpoints implements Checkpoints, FileSnapshots {
  readonly #log: CheckpointLog;
  readonly #options: CheckpointOptions;
  #directory: string;
  readonly #context: PlanContext;
  readonly #recorder: Recorder;

  private constructor(log: CheckpointLog, directory: string, options: CheckpointOptions) {
    const blobs = new Blobs(blobsOf(directory));
    const { roots, hooksRun, running, transcript } = options;
    this.#recorder = new Recorder({
      log,
      blobs,
      roots,
      hooksRun,
      running,
      get messages() {
        return transcript.messages;
      },
      opened: async () => {
        await this.#follow();
        await expire(log, blobs, options.retention).catch(() => {});
      },
    });
    this.#log = log;
    this.#options = options;
    this.#directory = directory;
    this.#context = { ledger: log.ledger, blobs, roots, running };
  }

  /** Settles what a program that died left unfinished; answers what the person should know of it. */
  static async open(
    options: CheckpointOptions,
  ): Promise<{ readonly checkpoints: SessionCheckpoints; readonly notices: readonly string[] }> {
    const directory = sidecars(options.transcript.path).checkpoints;
    const log = CheckpointLog.open(directory, options);
    const checkpoints = new SessionCheckpoints(log, directory, options);
    const notices: string[] = [];
    for (const transaction of log.ledger.transactions) {
      if (!isCutOff(transaction)) continue;
      const conversationIsCut = options.transcript.lastRewind === transaction.id;
      const told = await resolveTransaction(transaction, { log, ...checkpoints.#context }, {
        conversationIsCut,
        isBrought: options.isBrought ?? false,
      });
      if (told) notices.push(told);
    }
    return { checkpoints, notices };
  }

  /** A turn begins whose first message will stand at that place. */
  begin(message: number): Promise<void> {
    return this.#recorder.begin(message);
  }

  before(change: FileChange): Promise<() => Promise<void>> {
    return this.#recorder.before(change);
  }

  callBegins(call: ObservedCall): Promise<void> {
    return this.#recorder.callBegins(call);
  }

  callEnded(): Promise<void> {
    return this.#recorder.callEnded();
  }

  describe(boundaries: readonly TurnBoundary[]): Promise<readonly Pick<TurnCheckpoint, "files" | "coverage">[]> {
    const { ledger } = this.#log;
    const views = boundaries.map((boundary) => {
      const found = ledger.of(boundary);
      const expired = found !== undefined && ledger.checkpoints.indexOf(found) < ledger.expired;
      const files = [...found?.files.values() ?? []].filter(({ before }) => before.kind !== "folder").length;
      return { files, coverage: ledger.hasForeign ? "legacy" as const : coverageOf(found, { expired }) };
    });
    return Promise.resolve(views);
  }

  async plan(to: TurnBoundary | undefined, options: { readonly path?: string } = {}): Promise<CodePlan> {
    const { ledger } = this.#log;
    return await planRewind(to ? ledger.from(to) : ledger.checkpoints.length, this.#context, options);
  }

  async commit(plan: CodePlan, options: CommitOptions = {}): Promise<CommitReport> {
    return await commitPlan(plan as DetailedPlan, { log: this.#log, ...this.#context }, {
      ...options,
      conversation: options.finish !== undefined,
    });
  }

  undoable(): Promise<UndoView | undefined> {
    const found = this.#log.ledger.undoable;
    return Promise.resolve(found && { id: found.id, conversation: found.conversation, files: found.steps.length });
  }

  async planUndo(): Promise<CodePlan | undefined> {
    const found = this.#log.ledger.undoable;
    return found && await planUndo(found, this.#context);
  }

  /** A conversation that moved to a recovery branch takes along what it has saved. */
  async #follow(): Promise<void> {
    const directory = sidecars(this.#options.transcript.path).checkpoints;
    if (directory === this.#directory) return;
    await copyCheckpoints(this.#directory, directory);
    this.#log.relocate(directory);
    this.#context.blobs.relocate(blobsOf(directory));
    this.#directory = directory;
  }

  async copyTo(transcriptPath: string): Promise<void> {
    await copyCheckpoints(this.#directory, sidecars(transcriptPath).checkpoints);
  }
}

/** Does nothing where nothing was saved. */
export async function copyCheckpoints(from: string, to: string): Promise<void> {
  if (!exists(`${from}/log.jsonl`)) return;
  if (!isPlainFile(`${from}/log.jsonl`)) throw unreadable(from, new Error("its log is not a regular file"));
  await Deno.mkdir(to, { recursive: true, mode: 0o700 });
  await new Blobs(blobsOf(from)).copyTo(blobsOf(to));
  await Deno.copyFile(`${from}/log.jsonl`, `${to}/log.jsonl`);
  // What may be taken back, or was cut off at it, is taken back where it was done.
  const copied = CheckpointLog.open(to, { now: Date.now });
  const { undoable, transactions } = copied.ledger;
  const cutOff = transactions.filter(isCutOff).map(({ id }) => ({ type: "state", id, state: "aborted" }) as const);
  await copied.append([
    ...(undoable ? [{ type: "state", id: undoable.id, state: "invalidated" } as const] : []),
    ...cutOff,
  ], { sync: false });
}

function isCutOff({ state }: Transaction): boolean {
  return state === "prepared" || state === "committing";
}

function blobsOf(directory: string): string {
  return `${directory}/blobs`;
}
