import assert from "node:assert/strict";
import fc from "fast-check";
import type { Event, EventBody } from "../../contract/event.ts";
import { createViewState, fold, type ViewState } from "./mod.ts";

const START = { sessionId: "s1", model: { ref: "p/m", contextWindow: 1000 }, posture: "ask" } as const;
const call = { id: "c1", name: "bash", args: '{"command":"ls"}', readOnly: false };
const approval = {
  id: "a1",
  callId: "c1",
  tool: "bash",
  subject: "ls",
  why: { by: "fallback", text: "a writer" },
} as const;

function play(...bodies: readonly EventBody[]): ViewState {
  return bodies.reduce<ViewState>(
    (state, body, at) => fold(state, { sessionId: "s1", turnId: "t1", seq: at + 1, ...body } as Event),
    createViewState(START),
  );
}

Deno.test("a stream is one open item until the model goes on to something else", () => {
  const open = play({ kind: "reasoning", text: "let me " }, { kind: "reasoning", text: "see" }, {
    kind: "text",
    text: "Hi",
  });
  assert.deepEqual(open.items, [{ kind: "thinking", key: 1, text: "let me see" }]);
  assert.deepEqual(open.open, [{ item: { kind: "answer", key: 3, text: "Hi" }, done: false }]);
  assert.equal(open.activity, "writing");
});

Deno.test("what others say while an answer streams stands behind it and does not cut it", () => {
  const state = play(
    { kind: "text", text: "one wo" },
    { kind: "notice", level: "info", text: "by the way" },
    { kind: "text", text: "rd" },
    { kind: "message", text: "one word", reasoning: "" },
  );
  assert.deepEqual([state.open, state.items], [[], [
    { kind: "answer", key: 1, text: "one word" },
    { kind: "notice", key: 2, level: "info", text: "by the way" },
  ]]);
});

Deno.test("of the calls that a turn leaves open one that ran is cut off, and one that waited never ran", () => {
  const state = play(
    { kind: "tool_started", tool: { ...call, runState: "running" } },
    { kind: "tool_dispatch", tool: { ...call, id: "c2", runState: "pending" } },
    { kind: "turn_done", status: "interrupted", outcome: "cancelled", rounds: 1 },
  );
  assert.deepEqual(state.items.map((item) => item.kind === "tool" && item.tool.runState), [
    "cut_off",
    "not_started",
    false,
  ]);
});

Deno.test("calls that end out of order are shown in order", () => {
  const second = { ...call, id: "c2" };
  const state = play(
    { kind: "tool_dispatch", tool: { ...call, runState: "pending" } },
    { kind: "tool_dispatch", tool: { ...second, runState: "pending" } },
    { kind: "tool_started", tool: { ...call, runState: "running" } },
    { kind: "tool_started", tool: { ...second, runState: "running" } },
    { kind: "tool_result", tool: { ...second, runState: "completed", output: "two" } },
  );
  assert.deepEqual(state.items, []);
  const both = fold(state, {
    sessionId: "s1",
    turnId: "t1",
    seq: 9,
    kind: "tool_result",
    tool: { ...call, runState: "completed", output: "one" },
  });
  assert.deepEqual(both.items.map((item) => item.kind === "tool" && item.tool.output), ["one", "two"]);
  assert.deepEqual(both.open, []);
});

Deno.test("live output is kept by its end and goes with the result", () => {
  const running = play(
    { kind: "tool_started", tool: { ...call, runState: "running" } },
    { kind: "tool_progress", tool: { id: "c1" }, text: "x".repeat(20_000) + "end" },
  );
  const [entry] = running.open;
  assert.ok(entry?.item.kind === "tool" && entry.item.progress.length < 20_000 && entry.item.progress.endsWith("end"));
});

Deno.test("what a broken attempt wrote stays as void, what it only announced goes", () => {
  const state = play(
    { kind: "text", text: "half an ans" },
    { kind: "tool_dispatch", tool: { ...call, args: "", partial: true, runState: "pending" } },
    { kind: "stream_attempt", id: "x", action: "discard", attempt: 1, max: 5 },
    { kind: "text", text: "whole" },
  );
  assert.deepEqual(state.items.map((item) => item.kind === "answer" && [item.text, item.void]), [[
    "half an ans",
    undefined,
  ]]);
  assert.deepEqual(state.open.map(({ item }) => item.kind), ["answer"]);
  const early = play({ kind: "text", text: "half" }, {
    kind: "stream_attempt",
    id: "x",
    action: "discard",
    attempt: 1,
    max: 5,
  });
  assert.deepEqual(early.items, [{ kind: "answer", key: 1, text: "half", void: true }]);
});

Deno.test("a decision stands above what came of it", () => {
  const state = play(
    { kind: "tool_dispatch", tool: { ...call, args: "", partial: true, runState: "pending" } },
    { kind: "approval_request", approval },
    { kind: "approval_settled", id: "a1", answer: "once" },
    { kind: "tool_result", tool: { ...call, runState: "completed", output: "" } },
  );
  assert.deepEqual(state.items.map(({ kind }) => kind), ["decision", "tool"]);
  assert.deepEqual(state.questions, []);
});

Deno.test("the end of a turn leaves nothing open", () => {
  const state = play(
    { kind: "turn_status", status: "queued" },
    { kind: "text", text: "so" },
    { kind: "tool_started", tool: { ...call, runState: "running" } },
    { kind: "turn_done", status: "interrupted", outcome: "cancelled", rounds: 1 },
  );
  assert.deepEqual(state.open, []);
  assert.deepEqual(state.items.map(({ kind }) => kind), ["answer", "tool", "turn_end"]);
  assert.equal(state.activity, "idle");
  assert.equal(state.turnId, undefined);
});

Deno.test("a child run shows its calls below the one that started it, and does not end the turn", () => {
  const child = { sessionId: "s1", turnId: "t1", parentCallId: "c1" };
  const begun = play({ kind: "turn_status", status: "queued" }, {
    kind: "tool_started",
    tool: { ...call, runState: "running" },
  });
  const events: readonly Event[] = [
    { ...child, seq: 10, kind: "text", text: "child's words" },
    { ...child, seq: 11, kind: "tool_result", tool: { ...call, runState: "completed", output: "of the child" } },
    { ...child, seq: 12, kind: "turn_done", status: "completed", outcome: "completed", rounds: 1 },
  ];
  const state = events.reduce(fold, begun);
  assert.equal(state.turnId, "t1");
  assert.deepEqual(state.open.map(({ item, done }) => [item.kind, item.parentCallId, done]), [
    ["tool", undefined, false],
    ["tool", "c1", true],
  ]);
});

Deno.test("a job runs from its start to its end, and its end is written", () => {
  const started = { kind: "job_started", label: "npm run dev" } as const;
  const state = play(
    { ...started, job: "bash-1" },
    { ...started, job: "bash-2" },
    { kind: "job_ended", job: "bash-1", status: "done" },
  );
  assert.deepEqual(state.jobs, [{ id: "bash-2", label: "npm run dev" }]);
  assert.deepEqual(state.items, [{ kind: "job", key: 3, job: "bash-1", status: "done" }]);
});

Deno.test("a conversation that was cut has the task list and the size of what is left", () => {
  const todo = { content: "a step", status: "pending", level: 0, step_id: "1" } as const;
  const back = { kind: "rewound", turn: 1, text: "Back.", changes: [], conflicts: [], messages: 0 } as const;
  const cut = play({ ...back, scope: "both", todos: [todo], contextTokens: 200 });
  assert.deepEqual([cut.todos, cut.contextTokens], [[todo], 200]);
  const files = fold(cut, { sessionId: "s1", turnId: "t1", seq: 9, ...back, scope: "code" });
  assert.deepEqual([files.todos, files.contextTokens], [[todo], 200]);
});

Deno.test("unknown prices and caches are unknown in the sums, not nothing", () => {
  const usage = {
    kind: "usage",
    promptTokens: 100,
    completionTokens: 10,
    totalTokens: 110,
    requestAttempts: 1,
    source: "executor",
    contextTokens: 110,
    contextWindow: 1000,
    cacheDiagnostics: { systemHash: "", toolsHash: "", prefixHash: "", prefixChanged: false },
  } as const;
  const state = play(usage, { ...usage, cacheHitTokens: 50, cost: { amount: 0.5, currency: "USD" } });
  assert.deepEqual(state.usage, {
    promptTokens: 200,
    completionTokens: 20,
    cacheKnownTokens: 100,
    cacheHitTokens: 50,
    cost: { USD: 0.5 },
    unpriced: 1,
    requests: 2,
  });
});

Deno.test("whatever comes, finished items never change and a turn's end closes everything", () => {
  const id = fc.constantFrom("c1", "c2", "c3");
  const body: fc.Arbitrary<EventBody> = fc.oneof(
    fc.record({ kind: fc.constant("text" as const), text: fc.string() }),
    fc.record({ kind: fc.constant("reasoning" as const), text: fc.string() }),
    id.map((id): EventBody => ({ kind: "tool_dispatch", tool: { ...call, id, partial: true, runState: "pending" } })),
    id.map((id): EventBody => ({ kind: "tool_started", tool: { ...call, id, runState: "running" } })),
    id.map((id): EventBody => ({ kind: "tool_progress", tool: { id }, text: "x" })),
    id.map((id): EventBody => ({ kind: "tool_result", tool: { ...call, id, runState: "completed" } })),
    id.map((id): EventBody => ({ kind: "approval_request", approval: { ...approval, id, callId: id } })),
    id.map((id): EventBody => ({ kind: "approval_settled", id, answer: "deny" })),
    fc.constant<EventBody>({ kind: "stream_attempt", id: "x", action: "discard", attempt: 1, max: 5 }),
    fc.constant<EventBody>({ kind: "notice", level: "info", text: "n" }),
  );
  fc.assert(fc.property(fc.array(body), (bodies) => {
    let state = createViewState(START);
    let seq = 0;
    for (const next of bodies) {
      const before = state.items;
      state = fold(state, { sessionId: "s1", turnId: "t1", seq: ++seq, ...next } as Event);
      assert.deepEqual(state.items.slice(0, before.length), before);
    }
    const keys = new Set([...state.items, ...state.open.map(({ item }) => item)].map(({ key }) => key));
    assert.equal(keys.size, state.items.length + state.open.length);
    const end = { kind: "turn_done", status: "completed", outcome: "completed", rounds: 1 } as const;
    assert.deepEqual(fold(state, { sessionId: "s1", turnId: "t1", seq: ++seq, ...end }).open, []);
  }));
});
