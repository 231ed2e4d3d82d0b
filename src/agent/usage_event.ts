/** Usage as it is told: with its cost, and with how full the context is. */
import type { EventBody, UsageView } from "../contract/event.ts";
import type { Provider } from "../contract/provider.ts";
import { costOf, type Usage, type UsageSource } from "../contract/usage.ts";

export interface UsageFacts {
  readonly provider: Provider;
  readonly source: UsageSource;
  readonly contextTokens: number;
  readonly cacheDiagnostics: UsageView["cacheDiagnostics"];
}

export function toUsageEvent(usage: Usage, facts: UsageFacts): EventBody {
  const { provider, source, contextTokens, cacheDiagnostics } = facts;
  const cost = costOf(usage, provider.price);
  return {
    kind: "usage",
    promptTokens: usage.prompt,
    completionTokens: usage.completion,
    totalTokens: usage.total,
    ...(usage.cacheHit === undefined ? {} : { cacheHitTokens: usage.cacheHit }),
    ...(usage.cacheMiss === undefined ? {} : { cacheMissTokens: usage.cacheMiss }),
    ...(usage.cacheWrite === undefined ? {} : { cacheWriteTokens: usage.cacheWrite }),
    ...(usage.reasoning === undefined ? {} : { reasoningTokens: usage.reasoning }),
    requestAttempts: usage.requestAttempts,
    ...(usage.estimated ? { estimated: true } : {}),
    source,
    ...(cost ? { cost } : {}),
    contextTokens,
    contextWindow: provider.contextWindow,
    cacheDiagnostics,
  };
}
