/**
 * What the model sees in place of the older part of a conversation, and how that is remembered across runs. The
 * transcript itself is never changed by any of this.
 */
import type { Message } from "./message.ts";

/** The view is `messages` followed by the transcript from `coveredCount` on. */
export interface Projection {
  /** Form of the transcript's own messages, with their execution records and without full texts of bounded results. */
  readonly messages: readonly Message[];
  /** Messages of the transcript when the projection was made. */
  readonly transcriptVersion: number;
  readonly projectionVersion: number;
  readonly coveredCount: number;
  /** Proves that the transcript still begins with what is covered. 32 hex digits. */
  readonly coveredPrefixHash: string;
  readonly summaryHash: string;
  readonly sourceTokens: number;
  readonly projectionTokens: number;
  readonly viewInputHash: string;
  readonly viewOutputHash: string;
  /** Unix time in milliseconds. */
  readonly createdAt: number;
}

/** `tool`: the model asked on the person's behalf. `overflow`: the endpoint said that the input is too long. */
export type FoldTrigger = "auto" | "manual" | "tool" | "overflow";

export interface SummaryUsage {
  readonly calls: number;
  readonly requestAttempts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens?: number;
  readonly cacheHitTokens?: number;
  readonly cacheMissTokens?: number;
}

/** What became of one attempt to fold. */
export interface FoldReceipt {
  readonly operationId: string;
  /** `blocked`: the summary was cut or would not have helped. `failed`: there was none. `noop`: nothing was asked. */
  readonly status: "planned" | "applied" | "noop" | "blocked" | "failed";
  readonly action: "summary" | "noop";
  readonly trigger: FoldTrigger;
  readonly generation: number;
  readonly coveredCount: number;
  /** Of what was to be covered: equal input is not paid for twice. */
  readonly inputHash: string;
  readonly outputHash?: string;
  readonly inputTokens: number;
  readonly resultTokens?: number;
  readonly savedTokens?: number;
  readonly summaryHash?: string;
  readonly reason?: string;
  readonly code?: string;
  /** Output cap of the last summary request. */
  readonly summaryCap?: number;
  readonly triggerTokens: number;
  /** Unix time in milliseconds. */
  readonly createdAt: number;
  readonly summaryUsage?: SummaryUsage;
}

export interface ContextState {
  /** Counts accepted projections. */
  readonly generation: number;
  readonly projection?: Projection;
  readonly lastReceipt?: FoldReceipt;
  /** Tokens a character, as the first fold counted the turns it kept: what was kept once stays kept. */
  readonly keepFactor?: number;
}

export interface ContextStore {
  /** Undefined where there is nothing, or nothing that can be read. */
  load(): Promise<ContextState | undefined>;
  /** In one step or not at all. Rejects when it could not be written. */
  save(state: ContextState): Promise<void>;
}

/** What became of a fold, for the one who asked. */
export interface FoldReport {
  readonly outcome: "applied" | "noop" | "blocked" | "failed" | "cancelled";
  /** One sentence for people. */
  readonly text: string;
  readonly code?: string;
  readonly sourceTokens: number;
  /** Absent where nothing changed. */
  readonly resultTokens?: number;
}

/** Folds a chosen part of the conversation, for a tool. */
export interface Compression {
  /** Throws `ToolError` for an anchor that is no place in the conversation. */
  compress(
    request: { readonly anchor: string; readonly direction: "before" | "after"; readonly focus?: string },
    signal: AbortSignal,
  ): Promise<FoldReport>;
}
