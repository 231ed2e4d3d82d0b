import assert from "node:assert/strict";
import type { Gate } from "../contract/decision.ts";
import { ReasonixError, Refusal, ToolError } from "../contract/errors.ts";
import type { EventBody } from "../contract/event.ts";
import type { Message } from "../contract/message.ts";
import type { LoopObserver } from "../contract/observer.ts";
import type { Tool, ToolContext, ToolOutput, ToolSet } from "../contract/tool.ts";
import { MemoryInbox } from "../../tests/support/memory_inbox.ts";
import { MemoryTranscript } from "../../tests/support/memory_transcript.ts";
import { ScriptedProvider, type ScriptStep } from "../../tests/support/scripted_provider.ts";
import { type AgentSettings, createAgent } from "./agent.ts";

function tool(
  name: string,
  execute: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolOutput> | ToolOutput,
  more: Partial<Tool> = {},
): Tool {
  return {
    name,
    description: name,
    schema: { type: "object" },
    readOnly: true,
    direct: true,
    ...more,
    execute: async (a, c) => await execute(a, c),
  };
}

function toolSet(...tools: Tool[]): ToolSet {
  return {
    schemas: tools.filter((t) => t.direct).map((t) => ({
      name: t.name,
      description: t.description,
      parameters: t.schema,
    })),
    names: tools.map((t) => t.name),
    find: (name) => tools.find((t) => t.name === name),
    nearest: () => undefined,
    violations: (_tool, args) =>
      Promise.resolve(
        typeof args === "object" && args !== null && !Array.isArray(args) && !("bad" in args)
          ? undefined
          : { fingerprint: "f00d", lines: ["/bad: additionalProperties; expected none"] },
      ),
  };
}

const openGate: Gate = {
  posture: "auto",
  check: () => Promise.resolve({ allowed: true, why: { by: "fallback", text: "test" } }),
};

function setUp(
  script: readonly ScriptStep[],
  options: {
    tools?: ToolSet;
    gate?: Gate;
    settings?: Partial<AgentSettings>;
    stored?: Message[];
    observers?: LoopObserver[];
    guidance?: MemoryInbox;
  } = {},
) {
  const provider = new ScriptedProvider(script);
  const transcript = new MemoryTranscript(options.stored);
  const events: EventBody[] = [];
  const agent = createAgent({
    provider,
    tools: options.tools ?? toolSet(tool("look", () => ({ text: "seen" }))),
    gate: options.gate ?? openGate,
    transcript,
    observers: options.observers,
    guidance: options.guidance,
    emit: (body) => events.push(body),
    now: () => 7,
  }, {
    opening: { system: "You are a test.", sessionContext: "<session-context/>" },
    maxSteps: 0,
    ...options.settings,
  });
  return {
    agent,
    provider,
    transcript,
    events,
    run: (text: string, signal = new AbortController().signal) => agent.runTurn(text, signal),
  };
}

const resultsOf = (transcript: MemoryTranscript) =>
  transcript.messages.filter((m) => m.role === "tool").map((m) => m.content);

Deno.test("a turn without calls ends with the model's text and one done event", async () => {
  // proves LOOP-01 LOOP-02
  const { run, events, transcript } = setUp([{ text: "hello" }]);
  assert.deepEqual(await run("hi"), { outcome: "completed", answer: "hello", rounds: 1 });
  assert.deepEqual(events.map((e) => e.kind), [
    "user_message",
    "turn_started",
    "turn_phase",
    "text",
    "usage",
    "message",
    "turn_done",
  ]);
  assert.deepEqual(transcript.messages.map((m) => m.role), ["system", "user", "user", "assistant"]);
});

Deno.test("read-only neighbours run together, a writer alone, and results keep call order", async () => {
  // proves LOOP-03
  const running: string[] = [];
  const overlaps: string[][] = [];
  const both = Promise.withResolvers<void>();
  const slow = (name: string, readOnly: boolean) =>
    tool(name, async () => {
      running.push(name);
      overlaps.push([...running]);
      if (running.length === 2) both.resolve();
      if (name === "a") await both.promise;
      running.splice(running.indexOf(name), 1);
      return { text: `${name} done` };
    }, { readOnly });
  const { run, transcript } = setUp([
    { calls: [{ name: "a", args: {} }, { name: "b", args: {} }, { name: "write", args: {} }, { name: "b", args: {} }] },
    { text: "ok" },
  ], { tools: toolSet(slow("a", true), slow("b", true), slow("write", false)) });
  await run("go");
  assert.deepEqual(overlaps, [["a"], ["a", "b"], ["write"], ["b"]]);
  assert.deepEqual(resultsOf(transcript), ["a done", "b done", "write done", "b done"]);
});

Deno.test("what a call has done is stored before the next one begins", async () => {
  const seen: unknown[] = [];
  const write = tool("write", () => {
    seen.push(resultsOf(transcript));
    return { text: `write ${seen.length}` };
  }, { readOnly: false });
  const calls = [1, 2, 3].map(() => ({ name: "write", args: {} }));
  const { run, transcript } = setUp([{ calls }, { text: "ok" }], { tools: toolSet(write) });
  await run("go");
  assert.deepEqual(seen, [[], ["write 1"], ["write 1", "write 2"]]);
  assert.deepEqual(resultsOf(transcript), ["write 1", "write 2", "write 3"]);
});

Deno.test("a request leaves while the disk still works on the results before it; its answer waits for them", async () => {
  const written = Promise.withResolvers<void>();
  const { run, transcript, provider } = setUp([{ calls: [{ name: "look", args: {} }] }, { text: "Done." }]);
  let syncs = 0;
  transcript.sync = () => ++syncs === 1 ? written.promise : Promise.resolve();
  const running = run("go");
  while (provider.requests.length < 2) await new Promise((done) => setTimeout(done, 1));
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(transcript.messages.at(-1)?.role, "tool");
  written.reject(new ReasonixError("session.write_failed", "no space left"));
  const { outcome, failure } = await running;
  assert.deepEqual([outcome, failure?.code], ["failed", "session.write_failed"]);
  assert.equal(transcript.messages.at(-1)?.role, "tool");
});

Deno.test("an answer that could not be stored is not told as stored, and what cannot be recorded is not done", async () => {
  const ran: string[] = [];
  const write = (name: string) =>
    tool(name, () => {
      ran.push(name);
      return { text: name };
    }, { readOnly: false });
  const script: ScriptStep[] = [
    { text: "I write.", calls: [{ name: "a", args: {} }, { name: "b", args: {} }] },
    { text: "Done." },
  ];
  for (const [room, message, done] of [[3, [], []], [4, ["I write."], ["a"]], [6, ["I write."], ["a", "b"]]] as const) {
    ran.length = 0;
    const { run, transcript, events } = setUp(script, { tools: toolSet(write("a"), write("b")) });
    const append = transcript.append.bind(transcript);
    transcript.append = (message) => {
      if (transcript.messages.length >= room) throw new ReasonixError("session.write_failed", "no space left");
      append(message);
    };
    const { outcome, failure } = await run("go");
    assert.deepEqual([outcome, failure?.code], ["failed", "session.write_failed"]);
    const told = events.flatMap((event) => event.kind === "message" ? [event.text] : []);
    assert.deepEqual([told, ran], [[...message], [...done]]);
  }
});

Deno.test("an unknown tool, bad arguments, a failure, a refusal and a defect are results the model reads", async () => {
  // proves TOOL-07 ARCH-05
  const tools = toolSet(
    tool("fails", () => {
      throw new ToolError("no such thing", { output: "tail" });
    }),
    tool("walled", () => {
      throw new Refusal("workspace.write_outside_scope", "outside the workspace", { remedy: "Use --add-dir." });
    }),
    tool("broken", () => {
      throw new TypeError("x is undefined");
    }),
  );
  const { run, transcript } = setUp([
    {
      calls: [
        { name: "nothing", args: {} },
        { name: "fails", args: { bad: 1 } },
        { name: "fails", args: '{"path":"a.txt","content":"li' },
        { name: "fails", args: [] },
        { name: "fails", args: {} },
        { name: "walled", args: {} },
        { name: "broken", args: {} },
      ],
    },
    { text: "sorry" },
  ], { tools });
  await run("go");
  const results = resultsOf(transcript);
  assert.match(results[0]!, /^error: unknown tool "nothing"; the tools are: fails, walled, broken$/);
  assert.match(
    results[1]!,
    /^error: the arguments do not fit fails \(schema f00d\); the call was not executed\.\n\/bad:/,
  );
  assert.match(results[2]!, /^error: the arguments of fails are not complete JSON .* not executed/);
  assert.match(results[3]!, /^error: the arguments do not fit fails/);
  assert.equal(results[4], "error: no such thing\ntail");
  assert.equal(results[5], "blocked: outside the workspace Use --add-dir.");
  assert.match(results[6]!, /^error: broken failed unexpectedly: x is undefined$/);
});

Deno.test("a refused call carries its code and remedy in the event and the transcript", async () => {
  const gate: Gate = {
    posture: "ask",
    check: () =>
      Promise.resolve({
        allowed: false,
        code: "permission.unattended",
        message: "needs approval",
        remedy: "Run with --auto.",
        why: { by: "fallback", text: "writer" },
      }),
  };
  const { run, transcript, events } = setUp([{ calls: [{ name: "look", args: {} }] }, { text: "no" }], { gate });
  await run("go");
  assert.deepEqual(transcript.messages.find((m) => m.role === "tool")?.tool_failure, {
    code: "permission.unattended",
    blocked: true,
    remedy: "Run with --auto.",
  });
  const result = events.find((e) => e.kind === "tool_result");
  assert.equal(result?.tool.refusalCode, "permission.unattended");
  assert.equal(result?.tool.runState, "not_started");
});

Deno.test("a gate that throws has answered no", async () => {
  const gate: Gate = { posture: "yolo", check: () => Promise.reject(new Error("boom")) };
  const { run, transcript } = setUp([{ calls: [{ name: "look", args: {} }] }, { text: "no" }], { gate });
  await run("go");
  assert.match(resultsOf(transcript)[0]!, /^blocked: the permission check failed \(boom\)/);
});

Deno.test("empty and null arguments are a call without parameters", async () => {
  const seen: unknown[] = [];
  const tools = toolSet(tool("look", (args) => {
    seen.push(args);
    return { text: "ok" };
  }));
  const { run } = setUp([{ calls: [{ name: "look", args: "" }, { name: "look", args: "null" }] }, { text: "done" }], {
    tools,
  });
  await run("go");
  assert.deepEqual(seen, [{}, {}]);
});

Deno.test("a giant result is bounded once, keeps both ends and stays readable in full", async () => {
  // proves CTX-22
  const text = `start\n${"x".repeat(79) + "\n"}`.repeat(1000) + "E: link failed";
  const tools = toolSet(tool("look", () => ({ text })));
  const { run, transcript, provider } = setUp([{ calls: [{ name: "look", args: {} }] }, { text: "ok" }], { tools });
  await run("go");
  const stored = transcript.messages.find((m) => m.role === "tool")!;
  assert.ok(new TextEncoder().encode(stored.content!).length <= 16_000);
  assert.match(stored.content!, /^start\n/);
  assert.match(stored.content!, /E: link failed$/);
  assert.match(
    stored.content!,
    /\[truncated tool=look call_id=call_1 result_ref=tr-[0-9a-f]{24} original_bytes=86014 /,
  );
  assert.equal(new TextDecoder().decode(await transcript.results.read("call_1", stored.result_ref!)), text);
  assert.equal(provider.requests[1]!.messages.at(-1), stored);
});

Deno.test("control bytes of a result become visible symbols before the model sees them", async () => {
  const tools = toolSet(tool("look", () => ({ text: "A\u001b[2J\u0007B\u009bC\tD" })));
  const { run, transcript } = setUp([{ calls: [{ name: "look", args: {} }] }, { text: "ok" }], { tools });
  await run("go");
  assert.equal(resultsOf(transcript)[0], "A\u241b[2J\u2407B\ufffdC\tD");
});

Deno.test("a call cut at the output limit never runs; the complete one does and the model is told", async () => {
  const ran: unknown[] = [];
  const tools = toolSet(tool("write", (args) => {
    ran.push(args);
    return { text: "ok" };
  }, { readOnly: false }));
  const { run, provider } = setUp([
    {
      calls: [{ name: "write", args: { a: 1 } }, { name: "write", args: '{"path":"a.txt","content":"line 1\\nli' }],
      finish: "length",
    },
    { text: "done" },
  ], { tools });
  await run("go");
  assert.deepEqual(ran, [{ a: 1 }]);
  const [call, result, notice] = provider.requests[1]!.messages.slice(-3);
  assert.equal(call?.tool_calls?.length, 1);
  assert.deepEqual([result?.role, result?.content], ["tool", "ok"]);
  assert.match(notice?.content ?? "", /^<host-notice>A tool call of your last answer reached the output limit/);
  assert.equal(notice?.host_authored, true);
});

Deno.test("calls that are cut at the output limit again and again end the turn", async () => {
  const cut: ScriptStep = { calls: [{ name: "look", args: '{"a":"' }], finish: "length" };
  const { run } = setUp([cut, cut, cut, cut]);
  assert.equal((await run("go")).failure?.code, "provider.output_limit");
});

Deno.test("cut arguments under a normal finish do not run and are replayed as {}", async () => {
  const { run, provider, transcript } = setUp([
    { calls: [{ name: "look", args: '{"path":"a.txt","content":"li' }] },
    { text: "done" },
  ]);
  await run("go");
  assert.match(resultsOf(transcript)[0]!, /cut off/);
  assert.equal(provider.requests[1]!.messages.at(-2)?.tool_calls?.[0]?.arguments, "{}");
  assert.equal(transcript.messages.at(-3)?.tool_calls?.[0]?.arguments, '{"path":"a.txt","content":"li');
});

Deno.test("answers without text or calls are nudged three times, then the turn fails", async () => {
  const { run, events } = setUp([{ reasoning: "hm" }, { reasoning: "hm" }, { reasoning: "hm" }, { reasoning: "hm" }]);
  const summary = await run("go");
  assert.equal(summary.outcome, "failed");
  assert.equal(summary.failure?.code, "turn.empty_answer");
  assert.equal(events.filter((e) => e.kind === "turn_done").length, 1);
});

Deno.test("the round limit brings one answer without tools and a pause", async () => {
  // proves LOOP-04 LOOP-07
  const { run, provider } = setUp([
    { calls: [{ name: "look", args: {} }] },
    { calls: [{ name: "look", args: {} }] },
    { text: "half done" },
  ], { settings: { maxSteps: 2 } });
  const summary = await run("go");
  assert.equal(summary.outcome, "paused");
  assert.equal(summary.answer, "half done");
  assert.equal(summary.failure?.code, "turn.max_steps");
  assert.deepEqual(provider.requests.map((r) => r.toolChoice), ["auto", "auto", "none"]);
});

Deno.test("a spent budget brings one answer without tools and a pause, and the next message has a fresh one", async () => {
  const usage = { prompt: 90, completion: 10, total: 100, requestAttempts: 1 };
  const { run, provider, events } = setUp([
    { calls: [{ name: "look", args: {} }], usage },
    { calls: [{ name: "look", args: {} }], usage },
    { text: "half done", usage },
    { calls: [{ name: "look", args: {} }], usage },
    { text: "done", usage },
  ], { settings: { budget: { tokens: 200, minutes: 0, cost: 0 } } });
  const first = await run("go");
  assert.deepEqual([first.outcome, first.answer, first.failure?.code], ["paused", "half done", "turn.budget"]);
  assert.match(first.failure?.message ?? "", /200 of 200 tokens are spent \(agent\.task_token_budget\)/);
  assert.deepEqual(provider.requests.map((r) => r.toolChoice), ["auto", "auto", "none"]);
  assert.ok(events.some((event) => event.kind === "notice" && event.code === "turn.budget"));
  assert.equal((await run("go on")).answer, "done");
});

Deno.test("an endpoint that counts nothing spends a budget all the same, by what its requests are taken to have", async () => {
  const usage = { prompt: 0, completion: 0, total: 0, requestAttempts: 1 };
  const look = { calls: [{ name: "look", args: {} }], usage };
  const { run, events } = setUp([look, look, { text: "half done", usage }, { text: "never", usage }], {
    settings: { budget: { tokens: 1, minutes: 0, cost: 0 } },
  });
  assert.equal((await run("go")).failure?.code, "turn.budget");
  const told = events.find((event) => event.kind === "usage");
  assert.ok(told?.estimated && told.promptTokens > 0 && told.totalTokens >= told.promptTokens);
});

Deno.test("guidance joins the running turn before the next round, once, and its message names what it was", async () => {
  const held = Promise.withResolvers<ToolOutput>();
  const tools = toolSet(tool("look", () => held.promise));
  const guidance = new MemoryInbox();
  const { run, agent, provider, transcript } = setUp([{ calls: [{ name: "look", args: {} }] }, { text: "ok" }], {
    tools,
    guidance,
  });
  assert.equal(agent.takesGuidance, false);
  const turn = run("go");
  await new Promise((settle) => setTimeout(settle));
  assert.equal(agent.takesGuidance, true);
  guidance.add("later");
  const { id } = guidance.add("use tabs", { state: "guidance" });
  held.resolve({ text: "seen" });
  await turn;
  assert.equal(provider.requests[1]!.messages.at(-1)?.content, "use tabs");
  assert.deepEqual(transcript.messages.filter(({ inbox_id }) => inbox_id !== undefined), [
    { role: "user", content: "use tabs", steer: true, inbox_id: id, createdAt: 7 },
  ]);
  assert.deepEqual(guidance.items.map(({ text }) => text), ["later"]);
  assert.equal(agent.takesGuidance, false);
});

Deno.test("guidance that comes with the last answer brings another round", async () => {
  const guidance = new MemoryInbox();
  const { run, provider, events } = setUp([
    () => {
      guidance.add("one more thing", { state: "guidance" });
      return { text: "done" };
    },
    { text: "and that" },
  ], { guidance });
  assert.equal((await run("go")).answer, "and that");
  assert.equal(provider.requests[1]!.messages.at(-1)?.content, "one more thing");
  assert.deepEqual(events.filter(({ kind }) => kind === "user_message"), [
    { kind: "user_message", text: "go" },
    { kind: "user_message", text: "one more thing", steer: true },
  ]);
});

Deno.test("a message from the inbox leaves it when it is stored, and stays when the turn does not begin", async () => {
  const guidance = new MemoryInbox();
  const [first, second] = [guidance.add("one"), guidance.add("bad")];
  const refusing: LoopObserver = {
    name: "hook",
    turnBegins: ({ text }) => Promise.resolve(text === "bad" ? { refusal: "not today" } : undefined),
  };
  const { agent, transcript } = setUp([{ text: "ok" }], { guidance, observers: [refusing] });
  const signal = new AbortController().signal;
  for (const { id, text } of [first, second]) await agent.runTurn(text, signal, { inboxId: id });
  assert.deepEqual(guidance.items, [second]);
  assert.deepEqual(transcript.messages.flatMap(({ inbox_id }) => inbox_id ?? []), [first.id]);
});

Deno.test("stopping gives control back though provider and tool hang, and the next turn works", async () => {
  const never = new Promise<never>(() => {});
  const stop = new AbortController();
  const { run, transcript, provider } = setUp([{ hold: never }, { text: "fresh" }]);
  const turn = run("go", stop.signal);
  await new Promise((settle) => setTimeout(settle));
  stop.abort();
  assert.equal((await turn).outcome, "cancelled");
  assert.equal((await run("again")).answer, "fresh");
  assert.match(provider.requests[1]!.messages.at(-1)?.content ?? "", /<interrupted-turn-recovery>\nThe person stopped/);
  assert.equal(transcript.messages.at(-2)?.raw_content, "again");
});

Deno.test("a tool that ignores the stop is given up; its call has an interrupted result and the rest did not run", async () => {
  const stop = new AbortController();
  const tools = toolSet(
    tool("hangs", () => {
      setTimeout(() => stop.abort());
      return new Promise<never>(() => {});
    }, { readOnly: false }),
    tool("after", () => ({ text: "must not run" }), { readOnly: false }),
  );
  const { run, transcript } = setUp([{ calls: [{ name: "hangs", args: {} }, { name: "after", args: {} }] }], { tools });
  const summary = await run("go", stop.signal);
  assert.equal(summary.outcome, "cancelled");
  assert.deepEqual(resultsOf(transcript), [
    "error: stopped by the person before it finished; its effect is unknown",
    "error: not run: the turn was stopped",
  ]);
  assert.deepEqual(transcript.messages.at(-1)?.interrupted_turn?.interrupted_tools, [{ id: "call_1", name: "hangs" }]);
});

Deno.test("a provider's failure ends the turn with its code, and nothing half is stored", async () => {
  const error = new ReasonixError("provider.interrupted", "the stream of scripted broke off", { retry: true });
  const { run, transcript } = setUp([{ text: "par", error }]);
  const summary = await run("go");
  assert.deepEqual(summary.failure, { code: "provider.interrupted", message: "the stream of scripted broke off" });
  assert.deepEqual(transcript.messages.filter((m) => m.role === "assistant").map((m) => m.local_only), [true]);
});

Deno.test("a call that brings the same again and again earns a hint, then an end with a summary", async () => {
  let number = 0;
  const look = tool("look", () => ({ text: "as before" }));
  const step = tool("step", () => ({ text: `at ${++number}` }));
  const again: ScriptStep = { calls: [{ name: "look", args: {} }] };
  const on: ScriptStep = { calls: [{ name: "step", args: {} }] };
  const script = [...Array(12).fill(on), again, again, on, ...Array(10).fill(again), { text: "I am stuck." }];
  const { run, transcript, provider } = setUp(script, { tools: toolSet(look, step) });
  const { failure, answer } = await run("go");
  assert.deepEqual([failure?.code, answer], ["turn.repeats", "I am stuck."]);
  assert.match(failure!.message, /the same calls brought the same 10 times in a row/);
  const told = resultsOf(transcript).map((text) => text!.includes("[host] The same call has brought the same result"));
  assert.deepEqual(told, [...Array(17).fill(false), ...Array(8).fill(true)]);
  assert.equal(provider.requests.at(-1)!.toolChoice, "none");
});

Deno.test("work that goes on is asked for as often as it takes", async () => {
  const wait = tool("wait", () => ({ text: "still running" }));
  const again: ScriptStep = { calls: [{ name: "wait", args: {} }] };
  const { run } = setUp([...Array(15).fill(again), { text: "done" }], { tools: toolSet(wait) });
  assert.equal((await run("go")).outcome, "completed");
});

Deno.test("three equal failing batches in a row earn one hint", async () => {
  const fails = tool("look", () => {
    throw new ToolError("no");
  });
  const again: ScriptStep = { calls: [{ name: "look", args: {} }] };
  const { run, transcript } = setUp([again, again, again, { text: "stop" }], { tools: toolSet(fails) });
  await run("go");
  assert.deepEqual(resultsOf(transcript).map((text) => /\[host\]/.test(text!)), [false, false, true]);
});

Deno.test("a stored conversation with open calls, orphans and shuffled results goes out valid and unchanged on disk", async () => {
  const stored: Message[] = [
    { role: "system", content: "old opening" },
    { role: "user", content: "first" },
    {
      role: "assistant",
      tool_calls: [{ id: "a", name: "look", arguments: "{}" }, { id: "b", name: "look", arguments: "{}" }],
    },
    { role: "tool", tool_call_id: "b", name: "look", content: "B" },
    { role: "tool", tool_call_id: "zzz", name: "look", content: "orphan" },
    { role: "user", content: "second" },
  ];
  const before = structuredClone(stored);
  const { run, provider, transcript } = setUp([{ text: "ok" }], { stored });
  await run("third");
  assert.equal(provider.requests[0]!.system, "old opening");
  assert.deepEqual(provider.requests[0]!.messages.map((m) => m.content), [
    "first",
    undefined,
    "error: the turn was interrupted before this call finished; its effect is unknown",
    "B",
    "second",
    "third",
  ]);
  assert.deepEqual(transcript.messages.slice(0, before.length), before);
});

Deno.test("thirty rounds extend the request each time and never reset the prefix", async () => {
  const rounds: ScriptStep[] = Array.from({ length: 30 }, (_, at) => ({ calls: [{ name: "look", args: { at } }] }));
  const { run, provider, events } = setUp([...rounds, { text: "done" }]);
  assert.equal((await run("go")).rounds, 31);
  assert.equal(provider.requests.length, 31);
  const usage = events.filter((e) => e.kind === "usage");
  assert.equal(usage.some((e) => e.cacheDiagnostics.prefixChanged), false);
  assert.equal(new Set(usage.map((e) => e.cacheDiagnostics.prefixHash)).size, 31);
});

Deno.test("observers put blocks around the person's words, which are kept apart", async () => {
  const observers: LoopObserver[] = [
    {
      name: "one",
      turnBegins: ({ first }) => Promise.resolve({ before: [`<block first="${first}"/>`], after: ["(recall)"] }),
    },
    { name: "two", turnBegins: () => Promise.reject(new Error("no disk")) },
  ];
  const { run, provider, transcript, events } = setUp([{ text: "ok" }], { observers });
  await run("go");
  assert.equal(provider.requests[0]!.messages.at(-1)?.content, '<block first="true"/>\n\ngo\n\n(recall)');
  assert.equal(transcript.messages.findLast((m) => m.role === "user")?.raw_content, "go");
  assert.ok(events.some((e) => e.kind === "notice" && e.text === "two failed: no disk"));
});

Deno.test("an observer can refuse a turn and a call; one that fails to check a call has refused it", async () => {
  const ran: string[] = [];
  const tools = toolSet(tool("look", (args) => {
    ran.push(String(args.at));
    return { text: "seen" };
  }));
  const seen: unknown[] = [];
  const observers: LoopObserver[] = [{
    name: "guard",
    turnBegins: ({ text }) => Promise.resolve(text === "bad" ? { refusal: "not today" } : undefined),
    callBegins: ({ args }) => {
      if (args.at === 2) throw new Error("crash");
      return Promise.resolve(args.at === 1 ? { code: "hook.blocked", message: "no" } : undefined);
    },
    callEnded: (call, output) => Promise.resolve(void seen.push([call.callId, output.text])),
    turnEnded: (end) => Promise.resolve(void seen.push(end.outcome)),
  }];
  const calls = [1, 2, 3].map((at) => ({ name: "look", args: { at } }));
  const { run, transcript } = setUp([{ calls }, { text: "ok" }], { tools, observers });
  assert.equal((await run("bad")).failure?.code, "turn.refused");
  await run("go");
  assert.deepEqual(ran, ["3"]);
  assert.deepEqual(resultsOf(transcript), ["blocked: no", "blocked: guard could not check this call: crash", "seen"]);
  assert.deepEqual(seen, ["failed", ["call_3", "seen"], "completed"]);
});
