import assert from "node:assert/strict";
import type { ScriptedAnswer } from "../../../tests/support/scripted_provider.ts";
import { ScriptedProvider } from "../../../tests/support/scripted_provider.ts";
import { summarize, type SummaryOptions } from "./summarize.ts";

function ask(answers: readonly ScriptedAnswer[], options: Partial<SummaryOptions> = {}) {
  const left = [...answers];
  const provider = new ScriptedProvider([], { summarize: () => left.shift()! });
  const signal = new AbortController().signal;
  return summarize("text", { provider, cap: 1000, signal, progress: () => {}, ...options });
}

const NEVER = new Promise<never>(() => {});

Deno.test("a model that hangs is given up after the limit, with a code", async () => {
  const { usage: _, ...summary } = await ask([{ hold: NEVER }], { limitMs: 20 });
  assert.deepEqual(summary, {
    kind: "failure",
    status: "failed",
    code: "provider.stalled",
    reason: "no summary came within 0 s",
    calls: 1,
    cap: 1000,
  });
});

Deno.test("a provider that does not even settle when it is stopped holds nothing up", async () => {
  const provider = {
    name: "deaf",
    model: "m",
    contextWindow: 1000,
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => NEVER }) }),
  };
  assert.equal((await ask([], { provider, limitMs: 20 })).kind, "failure");
});

Deno.test("a stop is a stop and not a failure", async () => {
  const stop = new AbortController();
  const asked = ask([{ hold: NEVER }], { signal: stop.signal });
  stop.abort();
  await assert.rejects(asked, { code: "turn.cancelled" });
});

Deno.test("usage of both calls is added up when the first was cut", async () => {
  const summary = await ask([{ text: "a", finish: "length" }, { text: "## Goal\nb" }]);
  assert.deepEqual([summary.kind, summary.calls, summary.cap, summary.usage?.prompt], ["text", 2, 2000, 200]);
});
