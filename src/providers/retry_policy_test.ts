import assert from "node:assert/strict";
import { ReasonixError } from "../contract/errors.ts";
import type { Failure, FailureClass } from "./attempt_failure.ts";
import { createRetryBudget, parseRetryAfter } from "./retry_policy.ts";

const failure = (kind: FailureClass, rest: Partial<Failure> = {}): Failure => ({
  class: kind,
  cause: "connection_closed",
  error: new ReasonixError("provider.transient", "x"),
  ...rest,
});

function delays(kind: FailureClass, rest: Partial<Failure> = {}): number[] {
  const budget = createRetryBudget(() => 0);
  const made: number[] = [];
  for (let retry = budget.next(failure(kind, rest)); retry; retry = budget.next(failure(kind, rest))) {
    made.push(retry.delayMs);
  }
  return made;
}

const LONG = [1000, 2000, 4000, 8000, 15000, 15000, 15000, 15000, 15000];

Deno.test("each class of failure has its number of retries and its waits", () => {
  assert.deepEqual({
    serverError: delays("status", { status: 503 }),
    rateLimit: delays("status", { status: 429 }),
    drop: delays("drop"),
    dial: delays("dial"),
    silent: delays("silent"),
    stall: delays("stall"),
    cut: delays("cut"),
    empty: delays("empty"),
    rejected: delays("final"),
    newKey: delays("auth", { retries: 0 }),
    oldKey: delays("auth"),
  }, {
    serverError: [200, ...LONG],
    rateLimit: [500, ...LONG],
    drop: [200, ...LONG],
    dial: [200, 1000],
    silent: [200],
    stall: [200],
    cut: [200, 1000, 2000, 4000, 8000],
    empty: [200, 1000, 2000, 4000, 8000],
    rejected: [],
    newKey: [],
    oldKey: [500, 1000],
  });
});

Deno.test("silence before and after the headers share one retry", () => {
  const budget = createRetryBudget(() => 0);
  assert.ok(budget.next(failure("silent")));
  assert.equal(budget.next(failure("stall")), undefined);
});

Deno.test("chance adds a quarter of a second at most", () => {
  assert.equal(createRetryBudget(() => 0.999).next(failure("cut"))!.delayMs, 450);
});

Deno.test("Retry-After is read in seconds, in milliseconds and as a date, and nonsense is ignored", () => {
  const now = Date.UTC(2030, 0, 1);
  const read = (headers: Record<string, string>) => parseRetryAfter(new Headers(headers), now);
  assert.equal(read({ "retry-after": "2" }), 2000);
  assert.equal(read({ "retry-after": "0.5" }), 500);
  assert.equal(read({ "retry-after-ms": "1500", "retry-after": "9" }), 1500);
  assert.equal(read({ "retry-after": "Tue, 01 Jan 2030 00:00:03 GMT" }), 3000);
  for (const value of ["-1", "soon", "", "1e9x", "Tue, 01 Jan 2019 00:00:03 GMT"]) {
    assert.equal(read({ "retry-after": value }), undefined, value);
  }
});
