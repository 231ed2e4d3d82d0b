/** The whole retry policy: how often each class of failure is tried again, how long each wait is, what ends a run. */
import type { Failure, FailureClass } from "./attempt_failure.ts";

/** Classes of one group share one count. */
type Group = "header" | "dial" | "silence" | "auth" | "body" | "doubt";

const POLICY: Readonly<Record<Exclude<FailureClass, "final">, { readonly group: Group; readonly retries: number }>> = {
  status: { group: "header", retries: 10 },
  drop: { group: "header", retries: 10 },
  dial: { group: "dial", retries: 2 },
  silent: { group: "silence", retries: 1 },
  stall: { group: "silence", retries: 1 },
  auth: { group: "auth", retries: 2 },
  cut: { group: "body", retries: 5 },
  upstream: { group: "body", retries: 5 },
  empty: { group: "body", retries: 5 },
  doubt: { group: "doubt", retries: 1 },
};

/** Attempts of a stream that may be shown and voided: the first and its recoveries. */
export const MAX_STREAM_ATTEMPTS = POLICY.cut.retries + 1;

const FIRST_DELAY_MS = 200;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
const JITTER_MS = 250;
/** A longer `Retry-After` ends the run: waiting unseen for minutes helps nobody. */
export const MAX_RETRY_AFTER_MS = 60_000;

/** Classes that clear up quickly as a rule: their first retry does not wait long. */
const QUICK: ReadonlySet<FailureClass> = new Set([
  "drop",
  "dial",
  "silent",
  "cut",
  "stall",
  "upstream",
  "empty",
  "doubt",
]);

export interface Retry {
  /** Which retry of its group this is, from 1. */
  readonly attempt: number;
  readonly max: number;
  readonly delayMs: number;
}

/** Counts the retries of one model call. */
export interface RetryBudget {
  /** Undefined: no try is left. */
  next(failure: Failure): Retry | undefined;
}

export function createRetryBudget(random: () => number): RetryBudget {
  const used = new Map<Group, number>();
  return {
    next(failure) {
      if (failure.class === "final") return undefined;
      if ((failure.retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) return undefined;
      const { group, retries } = POLICY[failure.class];
      const max = failure.retries ?? retries;
      const attempt = (used.get(group) ?? 0) + 1;
      if (attempt > max) return undefined;
      used.set(group, attempt);
      return { attempt, max, delayMs: Math.round(delayOf(failure, attempt) + random() * JITTER_MS) };
    },
  };
}

function delayOf(failure: Failure, attempt: number): number {
  if (failure.retryAfterMs !== undefined) return failure.retryAfterMs;
  const quick = QUICK.has(failure.class) || (failure.status !== undefined && failure.status >= 500);
  if (attempt === 1 && quick) return FIRST_DELAY_MS;
  return Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt - 1));
}

/**
 * `Retry-After` in seconds or as an HTTP date, or `Retry-After-Ms`; undefined for what makes no sense, such as `-1`.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const ms = headers.get("retry-after-ms")?.trim();
  if (ms !== undefined && /^\d+(\.\d+)?$/.test(ms)) return Math.ceil(Number(ms));
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  if (!/[a-z]{3}/i.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) || date <= now ? undefined : date - now;
}
