/**
 * `<id>.context.json` beside a transcript: the folded view and how it came about. Written in one step, read tolerantly:
 * whatever does not make sense counts as absent, and what it claims to cover is proven by its reader.
 */
import type { ContextState, ContextStore, FoldReceipt, Projection } from "../contract/context.ts";
import type { Message } from "../contract/message.ts";
import { toBytes } from "../lib/bytes.ts";
import { replaceFile } from "../lib/atomic_file.ts";
import { isRecord, parseJson } from "../lib/json.ts";
import { sidecars } from "./paths.ts";
import { toMessage } from "./record.ts";
import { sideTextOf } from "./side_file.ts";

const SCHEMA_VERSION = 3;
/** Versions whose projections this one understands. */
const READABLE_UP_TO = 4;

type Json = Record<string, unknown>;

/** `place`: the transcript; its path changes once when the conversation moves to a recovery branch. */
export function createContextStore(place: { readonly path: string }): ContextStore {
  /** Keys of other programs: kept as found. */
  let others: Json = {};
  return {
    load() {
      const value = parseJson(sideTextOf(sidecars(place.path).projection) ?? "");
      if (!isRecord(value) || (numberOf(value.schema_version) ?? 0) > READABLE_UP_TO) return Promise.resolve(undefined);
      others = value;
      return Promise.resolve(readState(value));
    },

    async save(state) {
      const text = JSON.stringify({ ...others, ...writeState(state) });
      await replaceFile(sidecars(place.path).projection, toBytes(`${text}\n`), { mode: 0o600 });
    },
  };
}

function readState(value: Json): ContextState {
  const projection = readProjection(value.projection);
  const lastReceipt = readReceipt(value.last_receipt);
  const keepFactor = numberOf(value.keep_factor);
  return {
    generation: numberOf(value.generation) ?? 0,
    ...(projection ? { projection } : {}),
    ...(lastReceipt ? { lastReceipt } : {}),
    ...(keepFactor ? { keepFactor } : {}),
  };
}

function writeState(state: ContextState): Json {
  const { projection, lastReceipt: receipt } = state;
  const blocked = receipt?.status === "blocked" || receipt?.status === "failed" ? receipt : undefined;
  return {
    schema_version: SCHEMA_VERSION,
    transcript_version: projection?.transcriptVersion ?? 0,
    projection: projection && {
      messages: projection.messages,
      transcript_version: projection.transcriptVersion,
      projection_version: projection.projectionVersion,
      covered_count: projection.coveredCount,
      covered_prefix_hash: projection.coveredPrefixHash,
      summary_hash: projection.summaryHash,
      source_tokens: projection.sourceTokens,
      projection_tokens: projection.projectionTokens,
      view_input_hash: projection.viewInputHash,
      view_output_hash: projection.viewOutputHash,
      created_at: new Date(projection.createdAt).toISOString(),
    },
    generation: state.generation,
    keep_factor: state.keepFactor,
    last_receipt: receipt && writeReceipt(receipt),
    blocked_input_hash: blocked?.inputHash,
    blocked_reason: blocked?.reason,
    updated_at: new Date(receipt?.createdAt ?? projection?.createdAt ?? 0).toISOString(),
  };
}

function readProjection(value: unknown): Projection | undefined {
  if (!isRecord(value) || !Array.isArray(value.messages)) return undefined;
  const messages = value.messages.map(toMessage).filter((message): message is Message => message !== undefined);
  const coveredCount = numberOf(value.covered_count);
  const coveredPrefixHash = textOf(value.covered_prefix_hash);
  if (messages.length === 0 || messages.length < value.messages.length) return undefined;
  if (!coveredCount || !coveredPrefixHash) return undefined;
  return {
    messages,
    transcriptVersion: numberOf(value.transcript_version) ?? coveredCount,
    projectionVersion: numberOf(value.projection_version) ?? 1,
    coveredCount,
    coveredPrefixHash,
    summaryHash: textOf(value.summary_hash) ?? "",
    sourceTokens: numberOf(value.source_tokens) ?? 0,
    projectionTokens: numberOf(value.projection_tokens) ?? 0,
    viewInputHash: textOf(value.view_input_hash) ?? "",
    viewOutputHash: textOf(value.view_output_hash) ?? "",
    createdAt: timeOf(value.created_at),
  };
}

function writeReceipt(receipt: FoldReceipt): Json {
  const { summaryUsage: usage } = receipt;
  const isBlocked = receipt.status === "blocked" || receipt.status === "failed";
  return {
    operation_id: receipt.operationId,
    status: receipt.status,
    action: receipt.action,
    trigger: receipt.trigger,
    source_projection: receipt.generation,
    projection_version: receipt.status === "applied" ? receipt.generation + 1 : receipt.generation,
    covered_count: receipt.coveredCount,
    covered_prefix_hash: receipt.inputHash,
    input_hash: receipt.inputHash,
    output_hash: receipt.outputHash,
    input_tokens: receipt.inputTokens,
    result_tokens: receipt.resultTokens,
    saved_tokens: receipt.savedTokens,
    affected_tool_results: 0,
    summary_hash: receipt.summaryHash,
    summary_cap: receipt.summaryCap,
    cache_break: receipt.status === "applied",
    reason: receipt.reason,
    code: receipt.code,
    boundary: receipt.coveredCount,
    trigger_tokens: receipt.triggerTokens,
    blocked_input_hash: isBlocked ? receipt.inputHash : undefined,
    created_at: new Date(receipt.createdAt).toISOString(),
    summary_usage: usage && {
      calls: usage.calls,
      request_attempts: usage.requestAttempts,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      reasoning_tokens: usage.reasoningTokens,
      cache_hit_tokens: usage.cacheHitTokens,
      cache_miss_tokens: usage.cacheMissTokens,
    },
  };
}

const STATUSES: ReadonlySet<unknown> = new Set(["planned", "applied", "noop", "blocked", "failed"]);
const TRIGGERS: ReadonlySet<unknown> = new Set(["auto", "manual", "tool", "overflow"]);

/** What it cost is told once and not read back. */
function readReceipt(value: unknown): FoldReceipt | undefined {
  if (!isRecord(value) || !STATUSES.has(value.status)) return undefined;
  const coveredCount = numberOf(value.covered_count);
  const inputHash = textOf(value.input_hash);
  if (coveredCount === undefined || inputHash === undefined) return undefined;
  const code = textOf(value.code);
  const reason = textOf(value.reason);
  const summaryCap = numberOf(value.summary_cap);
  return {
    operationId: textOf(value.operation_id) ?? "",
    status: value.status as FoldReceipt["status"],
    action: value.action === "noop" ? "noop" : "summary",
    trigger: TRIGGERS.has(value.trigger) ? value.trigger as FoldReceipt["trigger"] : "auto",
    generation: numberOf(value.source_projection) ?? 0,
    coveredCount,
    inputHash,
    inputTokens: numberOf(value.input_tokens) ?? 0,
    triggerTokens: numberOf(value.trigger_tokens) ?? 0,
    createdAt: timeOf(value.created_at),
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(summaryCap === undefined ? {} : { summaryCap }),
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function timeOf(value: unknown): number {
  const time = typeof value === "number" ? value : Date.parse(textOf(value) ?? "");
  return Number.isFinite(time) ? time : 0;
}
