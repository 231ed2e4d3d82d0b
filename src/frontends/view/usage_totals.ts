/** Sums of a session. What is unknown is counted as unknown, never as nothing. */
import type { UsageView } from "../../contract/event.ts";
import type { UsageTotals } from "./state.ts";

export function addUsage(totals: UsageTotals, usage: UsageView): UsageTotals {
  const { cost, cacheHitTokens } = usage;
  return {
    promptTokens: totals.promptTokens + usage.promptTokens,
    completionTokens: totals.completionTokens + usage.completionTokens,
    cacheKnownTokens: totals.cacheKnownTokens + (cacheHitTokens === undefined ? 0 : usage.promptTokens),
    cacheHitTokens: totals.cacheHitTokens + (cacheHitTokens ?? 0),
    cost: cost ? { ...totals.cost, [cost.currency]: (totals.cost[cost.currency] ?? 0) + cost.amount } : totals.cost,
    unpriced: totals.unpriced + (cost ? 0 : 1),
    requests: totals.requests + 1,
  };
}

/** 0 to 1; undefined while no provider has told. */
export function cacheHitRate({ cacheKnownTokens, cacheHitTokens }: UsageTotals): number | undefined {
  return cacheKnownTokens === 0 ? undefined : cacheHitTokens / cacheKnownTokens;
}
