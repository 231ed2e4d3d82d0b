/** Token counts of one request: the normal form of what endpoints report, and the estimate where they report nothing. */
import { addUsage, type Usage } from "../contract/usage.ts";
import type { WireUsage } from "./wire.ts";

/** More than any request holds: a report that claims it is not believed, or it would leave no room to go on. */
const MOST_TOKENS = 1e9;

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined;

const part = (object: unknown, key: string): unknown =>
  typeof object === "object" && object !== null ? (object as Record<string, unknown>)[key] : undefined;

/**
 * Usage as chat endpoints send it: OpenAI's nested form, DeepSeek's hit and miss counts, Anthropic's keys. Forms that
 * say the same thing at once count once. Undefined when nothing in it is a count.
 */
export function toUsage(raw: unknown): WireUsage | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  if (Object.values(raw).some((value) => typeof value === "number" && value > MOST_TOKENS)) return undefined;
  const get = (key: string) => count(part(raw, key));
  const cacheWrite = get("cache_creation_input_tokens") ??
    count(part(part(raw, "prompt_tokens_details"), "cache_write_tokens")) ??
    count(part(part(raw, "input_tokens_details"), "cache_write_tokens"));
  const anthropicRead = get("cache_read_input_tokens");
  const exclusive = get("prompt_tokens") === undefined && get("input_tokens") !== undefined &&
    (anthropicRead !== undefined || get("cache_creation_input_tokens") !== undefined);
  const input = get("prompt_tokens") ?? get("input_tokens");
  const completion = get("completion_tokens") ?? get("output_tokens");
  const total = get("total_tokens");
  if (input === undefined && completion === undefined && total === undefined) return undefined;
  const prompt = exclusive
    ? input! + (anthropicRead ?? 0) + (cacheWrite ?? 0)
    : input ?? Math.max(0, (total ?? 0) - (completion ?? 0));
  const hit = get("prompt_cache_hit_tokens") ??
    count(part(part(raw, "prompt_tokens_details"), "cached_tokens")) ??
    count(part(part(raw, "input_tokens_details"), "cached_tokens")) ??
    anthropicRead ?? get("cached_tokens");
  const cacheHit = hit === undefined ? undefined : Math.min(hit, prompt);
  return {
    prompt,
    completion: completion ?? 0,
    total: total ?? prompt + (completion ?? 0),
    ...(cacheHit === undefined
      ? {}
      : { cacheHit, cacheMiss: Math.min(get("prompt_cache_miss_tokens") ?? prompt - cacheHit, prompt - cacheHit) }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...optional(
      "reasoning",
      count(part(part(raw, "completion_tokens_details"), "reasoning_tokens")) ??
        count(part(part(raw, "output_tokens_details"), "reasoning_tokens")) ??
        count(part(part(raw, "output_tokens_details"), "thinking_tokens")) ?? get("reasoning_tokens"),
    ),
  };
}

function optional<K extends string>(key: K, value: number | undefined): { readonly [P in K]?: number } {
  return value === undefined ? {} : { [key]: value } as { readonly [P in K]?: number };
}

/** Bytes or characters of one token, roughly, for code and English. */
const PER_TOKEN = 4;

function estimateUsage(promptBytes: number, outputChars: number): WireUsage {
  const prompt = Math.ceil(promptBytes / PER_TOKEN);
  const completion = Math.ceil(outputChars / PER_TOKEN);
  return { prompt, completion, total: prompt + completion };
}

/** Sums the requests of one model call. */
export interface UsageMeter {
  /** One more request went out. */
  sent(): void;
  /** Adds what one request cost. `reported` undefined: an estimate from the sizes, flagged. */
  add(
    reported: WireUsage | undefined,
    sizes: { readonly promptBytes: number; readonly outputChars: number },
  ): Usage;
  /** Undefined while no request cost anything. */
  sum(): Usage | undefined;
}

export function createUsageMeter(): UsageMeter {
  let requests = 0;
  let total: Usage | undefined;
  return {
    sent: () => {
      requests++;
    },
    add(reported, sizes) {
      const one: Usage = reported
        ? { ...reported, requestAttempts: 1 }
        : { ...estimateUsage(sizes.promptBytes, sizes.outputChars), requestAttempts: 1, estimated: true };
      total = total ? addUsage(total, one) : one;
      return one;
    },
    sum: () => total && { ...total, requestAttempts: requests },
  };
}
