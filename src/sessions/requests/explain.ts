/**
 * How well the endpoint's cache served a session, request by request: what came from it, what could have come, and in
 * plain words why the two differ. What could have come follows from the prefixes: an endpoint that was just asked the
 * beginning of a request need not read it again.
 */
import { type Change, countShared, type MessagePart, type RequestRecord } from "./record.ts";

export interface ExplainedRequest {
  /** From 1, in the order they were sent. */
  readonly number: number;
  readonly at: number;
  readonly model: string;
  readonly source: string;
  readonly input?: number;
  readonly hit?: number;
  readonly write?: number;
  /** Input tokens that the requests before it had in common with it; an estimate where only a part is. */
  readonly expected?: number;
  /** The hit is about what was expected. */
  readonly asExpected: boolean;
  readonly cause: Cause;
  /** One sentence. */
  readonly why: string;
  /** Where the prefix broke. */
  readonly change?: Change;
}

export type Cause =
  | "first"
  | "model"
  | "system"
  | "tools"
  | "folded"
  | "message"
  | "effort"
  | "expected"
  | "short"
  | "time"
  | "endpoint"
  | "unreported"
  | "failed";

export interface CacheReport {
  readonly requests: readonly ExplainedRequest[];
  /** Over the requests whose endpoint says what came from its cache. */
  readonly totals: {
    readonly input: number;
    readonly hit: number;
    readonly expected: number;
    /** Tokens read anew although they could have come from the cache. */
    readonly missed: number;
    /** 0 to 1; undefined where nothing was reported. */
    readonly rate?: number;
  };
}

/** Endpoints cache in blocks of 64 to 1024 tokens and nothing shorter than about as much. */
const BLOCK = 1024;
/** Some forget after this long without use. Milliseconds. */
const SHORTEST_LIFE = 5 * 60_000;

export function explainCache(records: readonly RequestRecord[]): CacheReport {
  const requests = records.map((record, at) => explain(record, records.slice(0, at), at + 1));
  const told = requests.filter(({ input, hit }) => input !== undefined && hit !== undefined);
  const sum = (of: (request: ExplainedRequest) => number) => told.reduce((total, request) => total + of(request), 0);
  const [input, hit] = [sum((one) => one.input!), sum((one) => one.hit!)];
  return {
    requests,
    totals: {
      input,
      hit,
      expected: sum((one) => one.expected ?? 0),
      missed: sum((one) => one.asExpected ? 0 : Math.max(0, (one.expected ?? 0) - one.hit!)),
      ...(input > 0 ? { rate: hit / input } : {}),
    },
  };
}

function explain(record: RequestRecord, earlier: readonly RequestRecord[], number: number): ExplainedRequest {
  const { at, model, source, input, cacheHit: hit, cacheWrite: write } = record;
  const before = earlier.findLast((one) => one.source === source);
  const sameModel = earlier.findLast((one) => one.source === source && one.model === model && one.input !== undefined);
  const expected = sameModel ? expectedHit(record, sameModel) : 0;
  const asExpected = hit === undefined || hit >= expected * 0.98 - BLOCK;
  const change = before && changeBetween(record, before);
  const { cause, why } = causeOf(record, { before, sameModel, change, expected, asExpected, earlier });
  return {
    number,
    at,
    model,
    source,
    ...(input === undefined ? {} : { input, expected: Math.min(expected, input) }),
    ...(hit === undefined ? {} : { hit }),
    ...(write === undefined ? {} : { write }),
    asExpected,
    cause,
    why,
    ...(change ? { change } : {}),
  };
}

const fixedSize = ({ system, tools }: RequestRecord): number => system.size + tools.size;
const sizeOf = (messages: readonly MessagePart[]): number => messages.reduce((sum, { size }) => sum + size, 0);

/** Tokens of the earlier request that are the beginning of this one too. */
function expectedHit(record: RequestRecord, before: RequestRecord): number {
  if (before.system.digest !== record.system.digest || before.tools.digest !== record.tools.digest) return 0;
  const shared = countShared(before.messages, record.messages);
  if (shared === before.messages.length) return before.input!;
  const whole = fixedSize(before) + sizeOf(before.messages);
  return Math.floor(
    before.input! * (fixedSize(before) + sizeOf(before.messages.slice(0, shared))) / Math.max(1, whole),
  );
}

/** As it was seen when it was sent, else as far as the digests tell. */
function changeBetween(record: RequestRecord, before: RequestRecord): Change | undefined {
  if (record.change) return record.change;
  if (before.system.digest !== record.system.digest) return { part: "system" };
  if (before.tools.digest !== record.tools.digest) return { part: "tools" };
  const shared = countShared(before.messages, record.messages);
  return shared === before.messages.length ? undefined : { part: "message", index: shared };
}

interface Situation {
  readonly before: RequestRecord | undefined;
  readonly sameModel: RequestRecord | undefined;
  readonly change: Change | undefined;
  readonly expected: number;
  readonly asExpected: boolean;
  readonly earlier: readonly RequestRecord[];
}

function causeOf(record: RequestRecord, situation: Situation): { readonly cause: Cause; readonly why: string } {
  const { before, sameModel, change, expected, asExpected } = situation;
  if (record.failure !== undefined) {
    return { cause: "failed", why: `The request brought no answer (${record.failure}).` };
  }
  if (record.input === undefined) return { cause: "unreported", why: "The endpoint counted no tokens." };
  if (record.cacheHit === undefined) {
    return { cause: "unreported", why: "The endpoint does not say what came from its cache." };
  }
  if (before === undefined) {
    return {
      cause: "first",
      why: record.cacheHit > 0
        ? "The first request; its beginning was known from another session."
        : "The first request: there was nothing it could have in common with.",
    };
  }
  if (sameModel === undefined || (before.model !== record.model && !asExpected)) {
    return {
      cause: "model",
      why: `The model changed from ${before.model} to ${record.model}; each has a cache of its own.`,
    };
  }
  if (change) return { cause: causeOfChange(change, situation, record), why: tell(change, situation, record) };
  if (before.effort !== record.effort && !asExpected) {
    return {
      cause: "effort",
      why: `The effort changed from ${before.effort ?? "auto"} to ${record.effort ?? "auto"}; ` +
        "some endpoints read the messages anew then.",
    };
  }
  if (asExpected) return { cause: "expected", why: "It extends the request before, which came from the cache." };
  if (expected < 2 * BLOCK) {
    return { cause: "short", why: `Endpoints cache nothing this short, or in blocks of up to ${BLOCK} tokens.` };
  }
  const idle = record.at - sameModel.at;
  if (idle >= SHORTEST_LIFE) {
    return {
      cause: "time",
      why: `Nothing changed, but ${span(idle)} had passed since the request before; the endpoint has forgotten.`,
    };
  }
  return {
    cause: "endpoint",
    why: "Every byte of the request before was sent again unchanged; the endpoint did not keep it, or another of its " +
      "machines answered.",
  };
}

function wasFolded(record: RequestRecord, { before, earlier }: Situation): boolean {
  const since = earlier.slice(before ? earlier.lastIndexOf(before) + 1 : 0);
  return record.source === "executor" && since.some(({ source, failure }) => source === "compaction" && !failure);
}

function causeOfChange(change: Change, situation: Situation, record: RequestRecord): Cause {
  if (change.part === "message") return wasFolded(record, situation) ? "folded" : "message";
  return change.part;
}

function tell(change: Change, situation: Situation, record: RequestRecord): string {
  const at = change.byte === undefined ? "" : ` at byte ${change.byte}`;
  if (change.part === "system") {
    return `The system prompt changed${at}; it stands before everything else, so nothing of the cache fits.`;
  }
  if (change.part === "tools") {
    const which = change.tool === undefined ? "" : ` with ${change.tool}`;
    return `The list of tools changed${
      which && `, beginning${which}`
    }; it stands before the messages, so none of them fits.`;
  }
  const index = change.index ?? 0;
  if (wasFolded(record, situation)) {
    return `The conversation was folded: from message ${index + 1} on it is a summary now. This is paid once.`;
  }
  const { before } = situation;
  const role = before?.messages[index]?.role ?? "?";
  const what = change.what === undefined || change.what === "rest" ? "" : ` in its ${change.what}`;
  const other = record.messages[index];
  const event = other === undefined
    ? "is no longer there"
    : other.role === role
    ? `is another than before${what}${at}`
    : `is one of ${other.role} now`;
  return `Message ${index + 1} of ${before?.messages.length ?? "?"} (${role}) ${event}; what follows it was read anew.`;
}

function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
