/** Token counts in one normal form, whatever a protocol calls them. */

export type UsageSource = "executor" | "planner" | "subagent" | "compaction" | "classifier";

export interface Usage {
  /** All input tokens, cached ones included. */
  readonly prompt: number;
  readonly completion: number;
  readonly total: number;
  /** Input tokens read from a cache; undefined where the provider says nothing about caching. */
  readonly cacheHit?: number;
  /** Input tokens not read from a cache; undefined as above. */
  readonly cacheMiss?: number;
  /** Input tokens written to a cache at a price of their own. */
  readonly cacheWrite?: number;
  readonly reasoning?: number;
  /** HTTP requests sent for this answer, retries included. */
  readonly requestAttempts: number;
  /** True when the provider reported nothing and these are estimates. */
  readonly estimated?: boolean;
}

/** Price per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheHit?: number;
  /** Input that is written to a cache, where that has a price of its own. */
  readonly cacheWrite?: number;
  readonly currency: string;
}

export interface Cost {
  readonly amount: number;
  readonly currency: string;
}

/** Undefined where there is no price: unknown is not zero. */
export function costOf(usage: Usage, price: Price | undefined): Cost | undefined {
  if (!price) return undefined;
  const hit = usage.cacheHit ?? 0;
  const miss = usage.cacheMiss ?? usage.prompt - hit;
  const written = Math.min(usage.cacheWrite ?? 0, miss);
  const amount = ((miss - written) * price.input + written * (price.cacheWrite ?? price.input) +
    hit * (price.cacheHit ?? price.input) + usage.completion * price.output) / 1e6;
  return { amount, currency: price.currency };
}

export function addUsage(a: Usage, b: Usage): Usage {
  const sum = (x?: number, y?: number) => x === undefined && y === undefined ? undefined : (x ?? 0) + (y ?? 0);
  return {
    prompt: a.prompt + b.prompt,
    completion: a.completion + b.completion,
    total: a.total + b.total,
    cacheHit: sum(a.cacheHit, b.cacheHit),
    cacheMiss: sum(a.cacheMiss, b.cacheMiss),
    cacheWrite: sum(a.cacheWrite, b.cacheWrite),
    reasoning: sum(a.reasoning, b.reasoning),
    requestAttempts: a.requestAttempts + b.requestAttempts,
    ...(a.estimated || b.estimated ? { estimated: true } : {}),
  };
}
