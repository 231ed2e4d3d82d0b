/**
 * Lines of `<id>.run-journal.ndjson`: that a turn, a request and its calls began and ended. Names of tools, ids, counts
 * and digests; nothing of what was said, asked for or answered.
 */
import type { TurnOutcome } from "../../contract/event.ts";
import { digestText, foldDigest } from "../../lib/digest64.ts";
import { isCount, isRecord, parseJson } from "../../lib/json.ts";
import { type Evidence, type EvidenceLedger, KEPT_EVIDENCE } from "./evidence.ts";

export type CallOutcome = "completed" | "failed" | "timed_out" | "cancelled" | "background";

export type JournalRecord =
  /** What came of everything before: with it a journal begins when it is written anew. */
  | ({ readonly kind: "snapshot" } & EvidenceLedger)
  | { readonly kind: "turn"; readonly id: string; readonly at: number }
  | { readonly kind: "request"; readonly digest: string; readonly messages: number }
  | {
    readonly kind: "call";
    readonly id: string;
    readonly name: string;
    /** Of the arguments. */
    readonly digest: string;
    /** It may change something. */
    readonly writer: boolean;
    readonly mutationGeneration: number;
  }
  | {
    readonly kind: "end";
    readonly id: string;
    /** Of the result. */
    readonly digest: string;
    readonly outcome: CallOutcome;
    /** The call was a check of what was done. */
    readonly check: boolean;
    readonly mutationGeneration: number;
  }
  | { readonly kind: "turn_end"; readonly outcome: TurnOutcome };

export function formatRecord(record: JournalRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Reads a line without its line end. Undefined for one that makes no sense. */
export function parseRecord(line: string): JournalRecord | undefined {
  const value = parseJson(line);
  if (!isRecord(value)) return undefined;
  const { kind, id, at, digest, messages, name, writer, outcome, check, mutationGeneration: generation } = value;
  switch (kind) {
    case "snapshot":
      return toSnapshot(value);
    case "turn":
      return isText(id) && isCount(at) ? { kind, id, at } : undefined;
    case "request":
      return isText(digest) && isCount(messages) ? { kind, digest, messages } : undefined;
    case "call":
      if (!isText(id) || !isText(name) || !isText(digest) || typeof writer !== "boolean" || !isCount(generation)) {
        return undefined;
      }
      return { kind, id, name, digest, writer, mutationGeneration: generation };
    case "end":
      if (!isText(id) || !isText(digest) || !isCount(generation) || typeof check !== "boolean") return undefined;
      if (!CALL_OUTCOMES.has(outcome)) return undefined;
      return { kind, id, digest, outcome: outcome as CallOutcome, check, mutationGeneration: generation };
    case "turn_end":
      return TURN_OUTCOMES.has(outcome) ? { kind, outcome: outcome as TurnOutcome } : undefined;
    default:
      return undefined;
  }
}

/** An id as it stands in the journal: one that a model or an endpoint made long or strange is told by its digest. */
export function toJournalId(id: string): string {
  return /^[\w.:-]{1,96}$/.test(id) ? id : `digest:${digestOf(id)}`;
}

/** Characters that are digested; of a longer text the rest counts by its length. */
const DIGESTED = 16 * 1024;

export function digestOf(text: string): string {
  const start = text.length > DIGESTED ? `${text.length}\n${text.slice(0, DIGESTED)}` : text;
  return digestText(foldDigest(0n, start));
}

const CALL_OUTCOMES: ReadonlySet<unknown> = new Set<CallOutcome>([
  "completed",
  "failed",
  "timed_out",
  "cancelled",
  "background",
]);
const TURN_OUTCOMES: ReadonlySet<unknown> = new Set<TurnOutcome>(["completed", "cancelled", "failed", "paused"]);

function toSnapshot({ generation, evidence }: Record<string, unknown>): JournalRecord | undefined {
  if (!isCount(generation) || !Array.isArray(evidence)) return undefined;
  return { kind: "snapshot", generation, evidence: evidence.filter(isEvidence).slice(-KEPT_EVIDENCE) };
}

function isEvidence(value: unknown): value is Evidence {
  return isRecord(value) && isText(value.identity) && isText(value.call) && isCount(value.mutationGeneration) &&
    isCount(value.closedGeneration);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
