/**
 * The checkpoints of a conversation, loaded when there is something to save or to look at: most first requests come
 * before that.
 */
import type {
  Checkpoints,
  CodePlan,
  CommitOptions,
  FileChange,
  FileSnapshots,
  TurnBoundary,
} from "../contract/checkpoint.ts";
import type { LoopObserver } from "../contract/observer.ts";
import type { CheckpointOptions, SessionCheckpoints } from "./checkpoints/checkpoints.ts";
import { sidecars } from "./paths.ts";
import { exists } from "./state_file.ts";

export interface OpenedCheckpoints {
  readonly checkpoints: Checkpoints;
  /** For the wrapper around the machine's files. */
  readonly snapshots: FileSnapshots;
  /** Behind everything else that writes around calls. */
  readonly observer: LoopObserver;
  /** What the person should know of going back that was cut off. */
  readonly notices: readonly string[];
}

export async function openCheckpoints(options: CheckpointOptions): Promise<OpenedCheckpoints> {
  const late = new LateCheckpoints(options);
  const notices = exists(sidecars(options.transcript.path).checkpoints) ? await late.openNow() : [];
  return { checkpoints: late, snapshots: late, observer: late.observer, notices };
}

class LateCheckpoints implements Checkpoints, FileSnapshots {
  readonly #options: CheckpointOptions;
  #opened: Promise<{ readonly checkpoints: SessionCheckpoints; readonly notices: readonly string[] }> | undefined;
  /** Place of the message the running turn began with. */
  #turn: number | undefined;

  constructor(options: CheckpointOptions) {
    this.#options = options;
  }

  async openNow(): Promise<readonly string[]> {
    await this.#get();
    return (await this.#opened!).notices;
  }

  get observer(): LoopObserver {
    return {
      name: "checkpoints",
      turnBegins: async () => {
        this.#turn = this.#options.transcript.messages.length;
        if (this.#opened) await (await this.#get()).begin(this.#turn);
        return undefined;
      },
      callBegins: async (call) => {
        if (!(call.reads ?? call.readOnly)) await (await this.#get()).callBegins(call);
        return undefined;
      },
      callEnded: async (call) => {
        if (!(call.reads ?? call.readOnly)) await (await this.#get()).callEnded();
      },
    };
  }

  async before(change: FileChange): Promise<() => Promise<void>> {
    return await (await this.#get()).before(change);
  }

  async describe(boundaries: readonly TurnBoundary[]) {
    return await (await this.#get()).describe(boundaries);
  }

  async plan(to: TurnBoundary | undefined, options?: { readonly path?: string }) {
    return await (await this.#get()).plan(to, options);
  }

  async commit(plan: CodePlan, options?: CommitOptions) {
    return await (await this.#get()).commit(plan, options);
  }

  async undoable() {
    return await (await this.#get()).undoable();
  }

  async planUndo() {
    return await (await this.#get()).planUndo();
  }

  async copyTo(transcriptPath: string) {
    await (await this.#get()).copyTo(transcriptPath);
  }

  async #get(): Promise<SessionCheckpoints> {
    this.#opened ??= this.#open();
    try {
      return (await this.#opened).checkpoints;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async #open() {
    const { SessionCheckpoints } = await import("./checkpoints/checkpoints.ts");
    const opened = await SessionCheckpoints.open(this.#options);
    if (this.#turn !== undefined) await opened.checkpoints.begin(this.#turn);
    return opened;
  }
}
