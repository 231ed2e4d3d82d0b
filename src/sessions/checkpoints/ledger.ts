/**
 * What the log of a conversation's checkpoints says: a pure fold over its records. Sequence numbers tell what came
 * before what; they count records and mean nothing beyond one reading.
 */
import type { Coverage, CoverageGap, GapReason, TurnBoundary } from "../../contract/checkpoint.ts";
import { type Entry, isSameEntry } from "./entry.ts";
import type { CheckpointRecord, TransactionKind, TransactionState, TransactionStep } from "./record.ts";

export interface SavedFile {
  readonly before: Entry;
  readonly unsaved?: GapReason;
}

export interface Checkpoint extends TurnBoundary {
  readonly prompt: string;
  /** First touches, in their order. */
  readonly files: ReadonlyMap<string, SavedFile>;
  readonly gaps: readonly CoverageGap[];
}

export interface Transaction {
  readonly id: string;
  readonly kind: TransactionKind;
  readonly conversation: boolean;
  readonly steps: readonly TransactionStep[];
  readonly undoes?: string;
  readonly state: TransactionState;
}

/** Gaps that say that something else may have written files. */
const OTHER_WRITERS: ReadonlySet<GapReason> = new Set([
  "bash_side_effect",
  "mcp_external",
  "hook_write",
  "background_writer_cross_turn",
]);

interface Building {
  readonly message: number;
  readonly at: number;
  readonly prompt: string;
  readonly files: Map<string, SavedFile>;
  readonly gaps: CoverageGap[];
}

export class Ledger {
  readonly #checkpoints: Building[] = [];
  readonly #left = new Map<string, { readonly entry: Entry; readonly seq: number }>();
  readonly #transactions = new Map<string, Transaction>();
  #expired = 0;
  #seq = 0;
  #otherWriterSeq = -1;
  #lastLeftSeq = 0;
  #foreign = 0;

  add(record: CheckpointRecord): void {
    this.#seq++;
    const current = this.#checkpoints.at(-1);
    switch (record.type) {
      case "checkpoint": {
        const { message, at, prompt } = record;
        this.#checkpoints.push({ message, at, prompt, files: new Map(), gaps: [] });
        return;
      }
      case "file": {
        const { path, before, unsaved } = record;
        if (current?.files.has(path)) return;
        current?.files.set(path, { before, ...(unsaved ? { unsaved } : {}) });
        return;
      }
      case "left":
        this.#left.set(record.path, { entry: record.after, seq: this.#seq });
        this.#lastLeftSeq = this.#seq;
        return;
      case "gap": {
        const { reason, subject } = record;
        if (!this.#isKnown(record)) current?.gaps.push({ reason, ...(subject === undefined ? {} : { subject }) });
        if (OTHER_WRITERS.has(reason)) this.#otherWriterSeq = this.#seq;
        return;
      }
      case "expired":
        this.#expired = Math.max(this.#expired, record.count);
        return;
      case "transaction": {
        const { type: _, ...transaction } = record;
        this.#transactions.set(record.id, { ...transaction, state: "prepared" });
        return;
      }
      case "state": {
        const known = this.#transactions.get(record.id);
        if (known === undefined) return;
        this.#transactions.set(record.id, { ...known, state: record.state });
        if (record.state !== "committed") return;
        for (const { path, to } of known.steps) this.#left.set(path, { entry: to, seq: this.#seq });
        return;
      }
      case "foreign":
        this.#foreign++;
    }
  }

  /** Changes with every record: a plan made before is stale. */
  get revision(): number {
    return this.#seq;
  }

  /** In the order they were opened. */
  get checkpoints(): readonly Checkpoint[] {
    return this.#checkpoints;
  }

  /** Contents of the first so many may be gone. */
  get expired(): number {
    return this.#expired;
  }

  /** Some records are of a version that is not understood. */
  get hasForeign(): boolean {
    return this.#foreign > 0;
  }

  get transactions(): readonly Transaction[] {
    return [...this.#transactions.values()];
  }

  /** What the agent left at a path it has touched. */
  left(path: string): Entry | undefined {
    return this.#left.get(path)?.entry;
  }

  /** Paths the agent has touched. */
  get touched(): Iterable<string> {
    return this.#left.keys();
  }

  /** Something else than the file tools may have written since the path was left. */
  otherWriterSince(path: string): boolean {
    return this.#otherWriterSeq > (this.#left.get(path)?.seq ?? 0);
  }

  /** Places in `checkpoints`, from the first that was opened at that turn or later. */
  from(to: TurnBoundary): number {
    const at = this.#checkpoints.findIndex((one) => one.at >= to.at);
    return at < 0 ? this.#checkpoints.length : at;
  }

  of(turn: TurnBoundary): Checkpoint | undefined {
    return this.#checkpoints.findLast((one) => one.at === turn.at && one.message === turn.message);
  }

  /** The transaction that may still be taken back. */
  get undoable(): Transaction | undefined {
    const last = this.transactions.findLast(({ state, kind }) => kind !== "undo" && state !== "aborted");
    return last?.state === "committed" ? last : undefined;
  }

  /** The same thing said twice in a turn is one gap, unless files were left in between. */
  hasGap({ reason, subject }: CoverageGap): boolean {
    if (OTHER_WRITERS.has(reason) && this.#otherWriterSeq < this.#lastLeftSeq) return false;
    return this.#isKnown({ reason, subject });
  }

  #isKnown({ reason, subject }: { readonly reason: GapReason; readonly subject?: string | undefined }): boolean {
    return this.#checkpoints.at(-1)?.gaps.some((gap) => gap.reason === reason && gap.subject === subject) ?? false;
  }

  isAsLeft(path: string, entry: Entry): boolean {
    const left = this.left(path);
    return left !== undefined && isSameEntry(left, entry);
  }
}

export function coverageOf(checkpoint: Checkpoint | undefined, options: { readonly expired: boolean }): Coverage {
  if (checkpoint === undefined) return "complete";
  const lost = options.expired && [...checkpoint.files.values()].some(({ before }) => before.kind === "file");
  if (checkpoint.gaps.length === 0 && !lost) return "complete";
  return checkpoint.files.size === 0 || lost ? "none" : "partial";
}
