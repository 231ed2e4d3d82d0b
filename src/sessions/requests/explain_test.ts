import assert from "node:assert/strict";
import { explainCache } from "./explain.ts";
import type { RequestRecord } from "./record.ts";

const part = (digest: string, size = 1000) => ({ digest, size });
const user = (digest: string) => ({ role: "user", ...part(digest) });

let clock = 0;
function sent(messages: readonly string[], rest: Partial<RequestRecord> = {}): RequestRecord {
  return {
    at: clock += 1000,
    model: "acme/m",
    source: "executor",
    system: part("s"),
    tools: part("t"),
    messages: messages.map(user),
    ...rest,
  };
}

const last = (...records: readonly RequestRecord[]) => {
  const { number: _n, at: _a, model: _m, source: _s, ...told } = explainCache(records).requests.at(-1)!;
  return told;
};

const FIRST = sent(["a", "b"], { input: 40_000, cacheHit: 0 });

Deno.test("a request that extends the one before and was served is as expected", () => {
  assert.deepEqual(last(FIRST, sent(["a", "b", "c"], { input: 41_000, cacheHit: 39_936 })), {
    input: 41_000,
    expected: 40_000,
    hit: 39_936,
    asExpected: true,
    cause: "expected",
    why: "It extends the request before, which came from the cache.",
  });
});

Deno.test("the first request has nothing to come from a cache", () => {
  assert.equal(last(FIRST).cause, "first");
});

for (
  const { name, record, cause, expected, why } of [
    {
      name: "another model",
      record: sent(["a", "b", "c"], { input: 41_000, cacheHit: 0, model: "acme/other" }),
      cause: "model",
      expected: 0,
      why: /from acme\/m to acme\/other/,
    },
    {
      name: "another system prompt",
      record: sent(["a", "b"], {
        input: 41_000,
        cacheHit: 0,
        system: part("x"),
        change: { part: "system", byte: 120 },
      }),
      cause: "system",
      expected: 0,
      why: /system prompt changed at byte 120/,
    },
    {
      name: "another list of tools",
      record: sent(["a", "b"], { input: 41_000, cacheHit: 0, tools: part("x"), change: { part: "tools", tool: "ls" } }),
      cause: "tools",
      expected: 0,
      why: /list of tools changed, beginning with ls/,
    },
    {
      name: "a message that is another now",
      record: sent(["a", "x", "c"], {
        input: 41_000,
        cacheHit: 29_000,
        change: { part: "message", index: 1, what: "text", byte: 7 },
      }),
      cause: "message",
      expected: 30_000,
      why: /Message 2 of 2 \(user\) is another than before in its text at byte 7/,
    },
    {
      name: "a message that is another since the program was started anew",
      record: sent(["x", "b"], { input: 41_000, cacheHit: 0 }),
      cause: "message",
      expected: 20_000,
      why: /Message 1 of 2 \(user\)/,
    },
    {
      name: "another effort",
      record: sent(["a", "b", "c"], { input: 41_000, cacheHit: 0, effort: "max" }),
      cause: "effort",
      expected: 40_000,
      why: /effort changed from auto to max/,
    },
    {
      name: "time that passed",
      record: sent(["a", "b", "c"], { input: 41_000, cacheHit: 0, at: FIRST.at + 20 * 60_000 }),
      cause: "time",
      expected: 40_000,
      why: /20 minutes/,
    },
    {
      name: "an endpoint that forgot",
      record: sent(["a", "b", "c"], { input: 41_000, cacheHit: 0 }),
      cause: "endpoint",
      expected: 40_000,
      why: /sent again unchanged/,
    },
  ] as const
) {
  Deno.test(`a miss after ${name} is explained`, () => {
    const told = last(FIRST, record);
    assert.deepEqual([told.cause, told.expected], [cause, expected]);
    assert.match(told.why, why);
  });
}

Deno.test("a fold is told as one, and its own request is not held against the conversation", () => {
  const folded = explainCache([
    FIRST,
    sent(["whole"], { source: "compaction", system: part("summary"), input: 30_000, cacheHit: 0 }),
    sent(["a", "digest"], { input: 9_000, cacheHit: 8_000 }),
  ]);
  assert.deepEqual(folded.requests.map(({ cause }) => cause), ["first", "first", "folded"]);
});

Deno.test("what an endpoint does not say is not taken for nothing", () => {
  const { requests, totals } = explainCache([sent(["a"], { input: 40_000 }), sent(["a", "b"], { input: 41_000 })]);
  assert.deepEqual(requests.map(({ cause }) => cause), ["unreported", "unreported"]);
  assert.deepEqual(totals, { input: 0, hit: 0, expected: 0, missed: 0 });
});

Deno.test("totals count what could have come and did not", () => {
  const { totals } = explainCache([
    FIRST,
    sent(["a", "b", "c"], { input: 50_000, cacheHit: 40_000 }),
    sent(["a", "b", "c", "d"], { input: 60_000, cacheHit: 0 }),
  ]);
  assert.deepEqual(totals, { input: 150_000, hit: 40_000, expected: 90_000, missed: 50_000, rate: 40_000 / 150_000 });
});
