/**
 * Lines of `<id>.ckpt/log.jsonl`: what was saved before each change, what was left after it, what could not be seen, and
 * what was taken back. Only ever appended to; read tolerantly, so one bad line costs itself.
 */
import type { CoverageGap, GapReason } from "../../contract/checkpoint.ts";
import { isCount, isRecord, parseJson } from "../../lib/json.ts";
import type { Entry } from "./entry.ts";

export type TransactionKind = "rewind" | "undo" | "file_revert";
export type TransactionState = "prepared" | "committing" | "committed" | "aborted" | "undone" | "invalidated";

export interface TransactionStep {
  readonly path: string;
  readonly from: Entry;
  readonly to: Entry;
}

export type CheckpointRecord =
  /** Something is about to change for the first time in the turn that began with this message. */
  | { readonly type: "checkpoint"; readonly message: number; readonly at: number; readonly prompt: string }
  /** What stood at a path before the first change of the turn. `unsaved`: why its content is not there. */
  | {
    readonly type: "file";
    readonly path: string;
    readonly before: Entry;
    readonly encoding?: string;
    readonly unsaved?: GapReason;
  }
  /** What the agent left at a path. */
  | { readonly type: "left"; readonly path: string; readonly after: Entry }
  | ({ readonly type: "gap" } & CoverageGap)
  /** Contents of this many checkpoints, counted from the first, may be gone. */
  | { readonly type: "expired"; readonly count: number }
  | {
    readonly type: "transaction";
    readonly id: string;
    readonly kind: TransactionKind;
    readonly conversation: boolean;
    readonly steps: readonly TransactionStep[];
    /** The transaction that an `undo` takes back. */
    readonly undoes?: string;
  }
  | { readonly type: "state"; readonly id: string; readonly state: TransactionState }
  /** Written by another version: what it means is not known. */
  | { readonly type: "foreign" };

const SCHEMA_VERSION = 1;

/** One line of the ledger's file. */
export function formatRecord(record: CheckpointRecord, now: number): string {
  const head = { schema_version: SCHEMA_VERSION, type: record.type, at: now };
  switch (record.type) {
    case "checkpoint":
      return line({ ...head, message: record.message, message_at: record.at, prompt: record.prompt });
    case "file":
      return line({
        ...head,
        path: record.path,
        ...writeEntry(record.before),
        encoding: record.encoding,
        unsaved: record.unsaved,
        captureSource: "before_mutation",
      });
    case "left":
      return line({
        ...head,
        path: record.path,
        ...writeEntry(record.after),
        captureSource: "after_mutation",
      });
    case "gap":
      return line({ ...head, reason: record.reason, subject: record.subject });
    case "expired":
      return line({ ...head, count: record.count });
    case "transaction":
      return line({
        ...head,
        id: record.id,
        kind: record.kind,
        conversation: record.conversation,
        undoes: record.undoes,
        steps: record.steps.map(({ path, from, to }) => ({ path, from: writeEntry(from), to: writeEntry(to) })),
      });
    case "state":
      return line({ ...head, id: record.id, state: record.state });
    case "foreign":
      return line(head);
  }
}

/** Undefined for a line that cannot be read. */
export function parseRecord(text: string): CheckpointRecord | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  if (value.schema_version !== SCHEMA_VERSION) return { type: "foreign" };
  const { path, id } = value;
  switch (value.type) {
    case "checkpoint":
      if (!isCount(value.message) || typeof value.message_at !== "number") return undefined;
      return { type: "checkpoint", message: value.message, at: value.message_at, prompt: String(value.prompt ?? "") };
    case "file": {
      const before = readEntry(value);
      if (typeof path !== "string" || before === undefined) return undefined;
      return {
        type: "file",
        path,
        before,
        ...(typeof value.encoding === "string" ? { encoding: value.encoding } : {}),
        ...(typeof value.unsaved === "string" ? { unsaved: value.unsaved as GapReason } : {}),
      };
    }
    case "left": {
      const after = readEntry(value);
      return typeof path === "string" && after !== undefined ? { type: "left", path, after } : undefined;
    }
    case "gap":
      if (typeof value.reason !== "string") return undefined;
      return {
        type: "gap",
        reason: value.reason as GapReason,
        ...(typeof value.subject === "string" ? { subject: value.subject } : {}),
      };
    case "expired":
      return isCount(value.count) ? { type: "expired", count: value.count } : undefined;
    case "transaction": {
      const steps = Array.isArray(value.steps) ? value.steps.map(readStep) : [undefined];
      if (typeof id !== "string" || steps.includes(undefined)) return undefined;
      return {
        type: "transaction",
        id,
        kind: value.kind === "undo" || value.kind === "file_revert" ? value.kind : "rewind",
        conversation: value.conversation === true,
        steps: steps as TransactionStep[],
        ...(typeof value.undoes === "string" ? { undoes: value.undoes } : {}),
      };
    }
    case "state":
      if (typeof id !== "string" || !STATES.has(value.state)) return undefined;
      return { type: "state", id, state: value.state as TransactionState };
    default:
      return { type: "foreign" };
  }
}

const STATES: ReadonlySet<unknown> = new Set<TransactionState>([
  "prepared",
  "committing",
  "committed",
  "aborted",
  "undone",
  "invalidated",
]);

function readStep(value: unknown): TransactionStep | undefined {
  if (!isRecord(value) || typeof value.path !== "string") return undefined;
  const from = readEntry(value.from);
  const to = readEntry(value.to);
  return from && to ? { path: value.path, from, to } : undefined;
}

function writeEntry(entry: Entry) {
  const { kind } = entry;
  const existed = kind !== "absent";
  if (kind === "link") return { existed, kind, target: entry.target };
  if (kind === "folder") return { existed, kind, mode: entry.mode };
  if (kind !== "file") return { existed, kind };
  const { size, mode, sha256, modifiedMs } = entry;
  return { existed, kind, size, mode, sha256, modified_ms: modifiedMs };
}

function readEntry(value: unknown): Entry | undefined {
  if (!isRecord(value)) return undefined;
  const mode = isCount(value.mode) ? { mode: value.mode } : {};
  switch (value.kind) {
    case "absent":
    case "other":
      return { kind: value.kind };
    case "link":
      return typeof value.target === "string" ? { kind: "link", target: value.target } : undefined;
    case "folder":
      return { kind: "folder", ...mode };
    case "file":
      if (!isCount(value.size)) return undefined;
      return {
        kind: "file",
        size: value.size,
        ...mode,
        ...(typeof value.sha256 === "string" ? { sha256: value.sha256 } : {}),
        ...(typeof value.modified_ms === "number" ? { modifiedMs: value.modified_ms } : {}),
      };
    default:
      return undefined;
  }
}

function line(value: unknown): string {
  return JSON.stringify(value) + "\n";
}
