import assert from "node:assert/strict";
import { ReasonixError } from "../../contract/errors.ts";
import type { Message } from "../../contract/message.ts";
import type { ModelRequest } from "../../contract/provider.ts";
import { bed, type BedOptions, longWork, MemoryStore, said } from "../../../tests/support/fold_bed.ts";
import type { ScriptedAnswer } from "../../../tests/support/scripted_provider.ts";

const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string): Message => ({ role: "assistant", content });

/** Past turns of about `tokens` in all, in messages of 500 tokens. */
function past(tokens: number): Message[] {
  const messages: Message[] = [
    { role: "system", content: "You are a test." },
    { role: "user", content: "<session-context/>", host_authored: true },
    user("The first brief."),
  ];
  for (let left = tokens; left > 0; left -= 500) {
    messages.push(assistant(`a${left} `.padEnd(Math.min(500, left) * 4 - 16, "x")));
  }
  return messages;
}

const WINDOW = { contextWindow: 20_000 };

/** A stored conversation whose next request has exactly `tokens`, as the estimate goes. */
async function exactly(tokens: number, options: BedOptions = {}) {
  const told: Message = { role: "user", content: 'Told. <context-budget level="0.92">', raw_content: "Told." };
  const stored = [...past(10_000), told];
  const probe = bed([{ text: "ok" }], { ...WINDOW, stored });
  await probe.run("Go on.");
  const [{ tools, system, messages }] = probe.provider.requests as [ModelRequest];
  const chars = JSON.stringify(tools).length + system.length +
    messages.reduce((sum, message) => sum + 16 + (message.content?.length ?? 0), 0);
  stored.push(assistant("p".repeat(tokens * 4 - chars - 16)));
  return bed([{ text: "ok" }], { ...WINDOW, ...options, stored });
}

Deno.test("one token below the trigger nothing happens: no summary, no event, no store, the transcript as it is", async () => {
  // proves CTX-06 CTX-07
  const store = new MemoryStore();
  const below = await exactly(17_999, { store });
  await below.run("Go on.");
  assert.deepEqual(below.agent.context, { used: 17_999, window: 20_000, ratio: 0.9, trigger: 18_000 });
  assert.deepEqual(below.provider.summaryRequests, []);
  assert.deepEqual(below.events.filter((event) => event.kind.startsWith("compaction")), []);
  assert.equal(store.saves, 0);
  assert.equal(below.provider.requests[0]!.messages.length, past(10_000).length + 2);
});

Deno.test("at the trigger one summary leaves the prefix, one digest and the newest messages", async () => {
  // proves CTX-01 CTX-08 CTX-10 CTX-25 CTX-35 CTX-36 CTX-46 CTX-50
  const store = new MemoryStore();
  const at = await exactly(18_000, { store });
  const stored = structuredClone(at.transcript.messages);
  await at.run("Go on.");
  assert.equal(at.provider.summaryRequests.length, 1);
  const [request] = at.provider.requests;
  assert.equal(request!.system, "You are a test.");
  const texts = said(request!);
  assert.deepEqual(texts.slice(0, 3), ["<session-context/>", "The first brief.", "Told."]);
  assert.ok(texts[3]!.startsWith("<compaction-summary>\n") && texts[3]!.includes("\n\n## Goal\nas summarised\n"));
  assert.equal(texts.filter((text) => text.startsWith("<compaction-summary>")).length, 1);
  // The tail is a tenth of the window: the padding of 3 000 tokens is over it, yet the newest two messages stay.
  assert.deepEqual(texts.slice(4).map((text) => text.slice(0, 3)), ["ppp", "Go "]);
  assert.deepEqual(at.transcript.messages.slice(0, stored.length), stored, "the transcript is only added to");
  assert.deepEqual(at.ofKind("compaction_telemetry").map(({ id: _, ...rest }) => rest), [{
    kind: "compaction_telemetry",
    trigger: "auto",
    generation: 1,
    user_turns_kept: 2,
    user_turns_dropped: 0,
    source_tokens: 18_000,
    result_tokens: at.agent.context.used,
    trigger_tokens: 18_000,
    ratio: 0.9,
  }]);
  assert.deepEqual(at.ofKind("compaction_done").map(({ outcome, summary }) => ({ outcome, summary })), [
    { outcome: "applied", summary: "## Goal\nas summarised" },
  ]);
  assert.deepEqual(at.ofKind("notice"), []);
});

Deno.test("the summary is asked of the same model without tools, under a cap, and its cost is told as compaction", async () => {
  // proves CTX-12 CTX-31
  const at = await exactly(18_000);
  await at.run("Go on.");
  const [request] = at.provider.summaryRequests;
  assert.deepEqual(request!.tools, []);
  assert.ok(request!.maxOutputTokens! <= 16 * 1024);
  assert.match(
    request!.system,
    /Standing facts & constraints[^]*Goal[^]*Decisions & rationale[^]*Files & code[^]*Commands & outcomes[^]*Errors & fixes[^]*Pending & next step/,
  );
  assert.match(request!.messages[0]!.content!, /^<transcript>\n\[user\]\nThe first brief\.\n\n\[assistant\]\n/);
  assert.deepEqual(at.ofKind("usage").map((event) => event.source), ["compaction", "executor"]);
});

Deno.test("with a wide window a summary may have 16 K tokens and no more", async () => {
  // proves CTX-12
  const { run, provider } = bed([...longWork(30, 16_000)], { contextWindow: 120_000 });
  await run("Work.");
  assert.deepEqual(provider.summaryRequests.map((request) => request.maxOutputTokens), [16 * 1024]);
});

Deno.test("a running turn keeps its opening and its newest calls, with their results, word for word", async () => {
  // proves CTX-32 CTX-33
  const { run, provider } = bed(longWork(6), WINDOW);
  await run("Change all six, and do not touch gen/.");
  const request = provider.requests.at(-1)!;
  const texts = said(request);
  assert.equal(texts.filter((text) => text === "Change all six, and do not touch gen/.").length, 1);
  const [asking, result] = request.messages.slice(-2);
  assert.equal(asking!.tool_calls?.[0]?.arguments, '{"step":5,"chars":12000}');
  assert.equal(result!.content?.length, 12_000);
});

Deno.test("between folds every request extends the one before; only an applied fold resets it, once", async () => {
  // proves CTX-50 CTX-24
  // The scripted model fails the test for any other reset.
  const { run, provider, ofKind } = bed(longWork(40), WINDOW);
  await run("Work.");
  assert.ok(ofKind("compaction_done").length >= 5);
  assert.deepEqual(
    ofKind("usage").filter((event) => event.source === "executor" && event.cacheDiagnostics.prefixChanged).length,
    ofKind("compaction_done").length,
  );
  const digests = provider.requests.map((request) =>
    said(request).filter((text) => text.startsWith("<compaction-summary>")).length
  );
  assert.ok(digests.every((count) => count <= 1), "digests never pile up");
});

Deno.test("a later fold makes its digest from the transcript again, and one digest stands", async () => {
  // proves CTX-26 CTX-48
  let folds = 0;
  const { run, provider } = bed([{ text: "a" }, ...longWork(14)], {
    ...WINDOW,
    summarize: () => ({ text: `## Goal\ndigest ${++folds}` }),
  });
  await run("The very first request, PLANTED-1.");
  await run("Work.");
  const requests = provider.summaryRequests.map((request) => request.messages[0]!.content!);
  assert.ok(requests.length >= 2);
  assert.ok(requests[1]!.includes("PLANTED-1") && requests[1]!.includes("step=0"), "the beginning is read again");
  assert.ok(!requests[1]!.includes("digest 1"));
  assert.ok(said(provider.requests.at(-1)!).some((text) => text.includes(`digest ${folds}`)));
});

const FAILURES: readonly (readonly [string, ScriptedAnswer, status: string, code: string, calls: number])[] = [
  ["a blank summary", { text: " \n" }, "failed", "provider.empty", 1],
  [
    "a server that fails",
    { error: new ReasonixError("provider.transient", "HTTP 500") },
    "failed",
    "provider.transient",
    1,
  ],
  ["a summary that is cut twice", { text: "## Goal\nhalf", finish: "length" }, "blocked", "provider.output_limit", 2],
  ["a withheld summary", { text: "x", finish: "content_filter" }, "failed", "provider.rejected", 1],
  ["a call in place of a summary", { calls: [{ name: "work", args: {} }] }, "failed", "provider.rejected", 1],
  ["a summary that is too long to help", { text: "x".repeat(60_000) }, "blocked", "context.fold_rejected", 1],
];

for (const [what, answer, status, code, calls] of FAILURES) {
  Deno.test(`${what} leaves the old view, is told once, and its generation asks for no other`, async () => {
    // proves CTX-27 CTX-28
    const store = new MemoryStore();
    let broken = true;
    const summarize = () => broken ? answer : { text: "## Goal\nat last" };
    const script = [...longWork(7, 10_400), { text: "still here" }, { text: "short now" }];
    const first = bed(script, { ...WINDOW, store, summarize });
    await first.run("Work.");
    await first.run("And on.");
    assert.equal(first.provider.summaryRequests.length, calls);
    assert.equal(first.ofKind("notice").filter((notice) => notice.code === code).length, 1);
    assert.equal(first.ofKind("compaction_done")[0]!.outcome, status);
    const saved = JSON.parse(store.saved!);
    assert.deepEqual([saved.generation, saved.lastReceipt.status, saved.lastReceipt.code], [0, status, code]);
    assert.equal(saved.projection, undefined);

    // The next start of the program knows it too.
    const second = bed([{ text: "resumed" }], { ...WINDOW, store, summarize, stored: first.transcript.messages });
    await second.run("Resume.");
    assert.deepEqual(second.provider.summaryRequests, []);

    // At the person's wish it is tried again.
    broken = false;
    assert.equal((await second.compact()).outcome, "applied");
  });
}

Deno.test("a cut summary is asked for once more under twice the cap, and the receipt has the cap that was used", async () => {
  // proves CTX-29
  const store = new MemoryStore();
  const at = await exactly(18_000, { store, summarize: () => ({ text: "half", finish: "length" }) });
  await at.run("Go on.");
  const caps = at.provider.summaryRequests.map((request) => request.maxOutputTokens!);
  assert.deepEqual(caps, [caps[0], caps[0]! * 2]);
  const { lastReceipt } = JSON.parse(store.saved!);
  assert.deepEqual([lastReceipt.code, lastReceipt.summaryCap], ["provider.output_limit", caps[1]]);
  let tries = 0;
  const better = await exactly(18_000, {
    summarize: () => ++tries === 1 ? { text: "half", finish: "length" } : { text: "## Goal\nwhole" },
  });
  await better.run("Go on.");
  assert.equal(better.ofKind("compaction_done")[0]!.outcome, "applied");
});

Deno.test("a restart takes the projection back: the same bytes, no summary, no event of a fold", async () => {
  // proves CTX-34 CTX-40
  const store = new MemoryStore();
  const failing = () => ({
    text: "error: boom at a.ts:3\nnoise",
    failed: true,
    execution: { state: "failed" } as const,
  });
  const first = bed([
    { calls: [{ name: "work", args: { fail: true } }] },
    ...longWork(6),
  ], { ...WINDOW, store, work: (args) => args.fail ? failing() : { text: "x".repeat(12_000) } });
  await first.run("Work.");
  const second = bed([{ text: "resumed" }], { ...WINDOW, store, stored: first.transcript.messages });
  await second.run("Resume.");
  const [last, next] = [first.provider.requests.at(-1)!, second.provider.requests[0]!];
  assert.deepEqual(
    next.messages.slice(0, last.messages.length).map((message) => JSON.stringify(message)),
    last.messages.map((message) => JSON.stringify(message)),
  );
  assert.deepEqual(second.provider.summaryRequests, []);
  assert.deepEqual(second.events.filter((event) => event.kind.startsWith("compaction")), []);
  const kept = JSON.parse(store.saved!).projection.messages.find((message: Message) => message.role === "tool");
  assert.deepEqual([kept.content, kept.tool_execution], ["error: boom at a.ts:3", { state: "failed" }]);
});

Deno.test("a projection of another conversation is left out", async () => {
  const store = new MemoryStore();
  const first = bed(longWork(6), { ...WINDOW, store });
  await first.run("Work.");
  const other = first.transcript.messages.map((message, at) => at === 2 ? { ...message, content: "Else." } : message);
  const second = bed([{ text: "ok" }], { contextWindow: 40_000, store, stored: other });
  await second.run("Go on.");
  assert.ok(said(second.provider.requests[0]!).includes("Else."));
  assert.equal(second.ofKind("notice").length, 1);
});

Deno.test("an endpoint that finds the input too long is asked once more after one fold", async () => {
  const tooLong = new ReasonixError("context.exhausted", "maximum context length is 4096 tokens");
  const recovered = bed([{ error: tooLong }, { text: "ok" }], { ...WINDOW, stored: past(8_000) });
  assert.equal((await recovered.run("Go on.")).outcome, "completed");
  assert.equal(recovered.provider.summaryRequests.length, 1);
  assert.ok(said(recovered.provider.requests[1]!).some((text) => text.startsWith("<compaction-summary>")));

  const [asked] = recovered.provider.summaryRequests;
  assert.ok(asked!.messages[0]!.content!.length < 8_000 * 4 / 2 + 2_200, "what was too long is not sent whole again");
  assert.ok(asked!.maxOutputTokens! <= 8_100 / 5);

  const hopeless = bed([{ error: tooLong }, { error: tooLong }], { ...WINDOW, stored: past(8_000) });
  const end = await hopeless.run("Go on.");
  assert.equal(hopeless.provider.requests.length, 2);
  assert.equal(hopeless.provider.summaryRequests.length, 1);
  assert.equal(end.failure?.code, "context.exhausted");
  assert.match(end.failure!.message, /4096.*context_window 20000/);
});

Deno.test("without a known window a conversation larger than any window is not sent, and the person is told why", async () => {
  const stored = [...past(1000), assistant("x".repeat(90_000_000))];
  const { run, provider } = bed([], { contextWindow: 0, stored });
  const { failure } = await run("Go on.");
  assert.equal(failure?.code, "context.exhausted");
  assert.match(failure.message, /needs about \d{8,} tokens, more than any model takes/);
  assert.match(failure.remedy!, /provider scripted a context_window/);
  assert.equal(provider.requests.length, 0);
});

Deno.test("without a known window nothing is folded, whatever the size", async () => {
  // proves CTX-51
  const tooLong = new ReasonixError("context.exhausted", "too long");
  const { run, provider, agent } = bed([{ text: "ok" }, { error: tooLong }], {
    contextWindow: 0,
    stored: past(300_000),
  });
  await run("Go on.");
  assert.equal((await run("Go on.")).failure?.code, "context.exhausted");
  const wished = await agent.fold({ trigger: "manual", wish: { kind: "most" } }, new AbortController().signal);
  assert.equal(wished.outcome, "noop");
  assert.match(wished.text, /how much scripted\/test-model takes is not known.*context_window/);
  assert.equal(provider.summaryRequests.length, 0);
});

Deno.test("what never changes may fill the window: no summary is paid for, the numbers are told, the turn goes on", async () => {
  const { run, provider, ofKind } = bed([
    { calls: [{ name: "work", args: { chars: 40 } }] },
    { calls: [{ name: "work", args: { chars: 40 } }] },
    { text: "edited" },
    { text: "again" },
  ], { contextWindow: 8_000, system: "s".repeat(7_400 * 4) });
  assert.equal((await run("Edit two files.")).outcome, "completed");
  assert.equal((await run("And a third.")).outcome, "completed");
  assert.deepEqual(provider.summaryRequests, []);
  assert.equal(ofKind("notice").length, 1);
  assert.match(ofKind("notice")[0]!.text, /at 74\d\d tokens, past 7200 of 8000/);
});

Deno.test("past the window a request is not sent; the person is told the numbers and can act", async () => {
  const { run, provider, transcript } = bed([{ text: "ok" }], { contextWindow: 8_000 });
  const end = await run("paste ".repeat(6_000));
  assert.equal(end.failure?.code, "context.exhausted");
  assert.match(
    end.failure!.message,
    /needs about 9\d\d\d tokens; scripted\/test-model takes 7744 \(context_window 8000\)/,
  );
  assert.deepEqual([provider.requests.length, provider.summaryRequests.length], [0, 0]);
  assert.equal(transcript.messages.at(-1)?.local_only, true);
  // As long as the paste is one of the two newest messages it stays. Then it is folded, as far as one request for a
  // summary holds it, and the session lives on.
  assert.equal((await run("Never mind.")).failure?.code, "context.exhausted");
  assert.equal((await run("Never mind, just say hello.")).answer, "ok");
  assert.equal(provider.summaryRequests.length, 1);
  assert.ok(provider.summaryRequests[0]!.messages[0]!.content!.length < 8_000 * 4);
  const tiny = bed([], { contextWindow: 200 });
  assert.match((await tiny.run("word ".repeat(200))).failure!.message, /takes 0 \(context_window 200\)/);
});

Deno.test("one token below the hard ceiling is sent, at the ceiling not", async () => {
  const options = { summarize: () => ({ text: "" }) };
  const sent = await exactly(19_743, options);
  assert.equal((await sent.run("Go on.")).outcome, "completed");
  const refused = await exactly(19_744, options);
  assert.equal((await refused.run("Go on.")).failure?.code, "context.exhausted");
});

Deno.test("a stop during a fold changes nothing, and the next turn folds", async () => {
  const stop = new AbortController();
  const hold = new Promise<never>(() => {});
  let first = true;
  const store = new MemoryStore();
  const at = await exactly(18_000, {
    store,
    summarize: () => {
      if (!first) return { text: "## Goal\nok" };
      first = false;
      queueMicrotask(() => stop.abort());
      return { hold };
    },
  });
  assert.equal((await at.run("Go on.", stop.signal)).outcome, "cancelled");
  assert.equal(JSON.parse(store.saved!).lastReceipt, undefined);
  assert.equal((await at.run("Go on.")).outcome, "completed");
  assert.deepEqual(at.ofKind("compaction_done").map((event) => event.outcome), ["cancelled", "applied"]);
});

Deno.test("a person's turn that is too long to keep is counted and warned about, marked or not", async () => {
  // proves CTX-43 CTX-47
  const stored = [
    ...past(12_000),
    user("long ".repeat(1600)),
    assistant("ok"),
    user(`[[keep]] ${"rule ".repeat(2600)}`),
  ];
  stored.push(...past(2_000).slice(3));
  const { run, ofKind, provider } = bed([{ text: "ok" }], { ...WINDOW, stored, context: { ratio: 0.8 } });
  await run("Go on.");
  const counts = ofKind("compaction_telemetry").map((event) => [event.user_turns_kept, event.user_turns_dropped]);
  assert.deepEqual(counts, [[1, 2]]);
  assert.deepEqual(ofKind("notice").map((notice) => notice.level), ["warning"]);
  assert.match(ofKind("notice")[0]!.text, /^2 of your messages were too long/);
  assert.ok(!said(provider.requests[0]!).some((text) => text.startsWith("[[keep]]")));
});

Deno.test("kept failures give way before a fold fails for them", async () => {
  const flood = Array.from({ length: 40 }, () => `error: ${"e".repeat(300)}`).join("\n");
  const script = [...longWork(8), { text: "ok" }];
  const { run, ofKind } = bed(script, {
    ...WINDOW,
    work: () => ({ text: flood, failed: true, execution: { state: "failed" } }),
  });
  await run("Work.");
  assert.ok(ofKind("compaction_done").length > 0);
  assert.deepEqual(ofKind("compaction_done").filter((event) => event.outcome !== "applied"), []);
});

Deno.test("the model is told once at three quarters and once at 92 percent of the trigger, behind the person's words", async () => {
  const script = [{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }];
  const { run, provider, transcript } = bed(script, { ...WINDOW, stored: past(13_600) });
  await run("one");
  await run("two");
  transcript.append(assistant("y".repeat(12_000)));
  await run("three");
  await run("four");
  const spoken = transcript.messages.filter((message) => message.role === "user").slice(2).map((message) =>
    message.content!
  );
  assert.deepEqual(spoken.map((text) => /level="([\d.]+)"/.exec(text)?.[1]), ["0.75", undefined, "0.92", undefined]);
  assert.ok(spoken[0]!.startsWith("one\n\n<context-budget"));
  assert.equal(provider.summaryRequests.length, 0);
  const resumed = bed([{ text: "5" }], { ...WINDOW, stored: transcript.messages });
  await resumed.run("five");
  assert.equal(resumed.transcript.messages.at(-2)!.content, "five");
});

Deno.test("a count of the endpoint outlives a restart: what was below the trigger still is", async () => {
  const rare = (request: ModelRequest): ScriptedAnswer => ({
    text: "ok",
    usage: {
      prompt: Math.ceil(request.messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0) * 0.15),
      completion: 1,
      total: 1,
      requestAttempts: 1,
    },
  });
  const first = bed([rare], { ...WINDOW, context: { ratio: 0.95 }, stored: past(18_000) });
  await first.run("Go on.");
  const second = bed([rare], { ...WINDOW, stored: first.transcript.messages });
  await second.run("Again.");
  assert.ok(second.agent.context.used < 12_000);
  assert.equal(second.provider.summaryRequests.length, 0);
});

Deno.test("facts of the host stand beside the digest, and a summary cannot speak for the host", async () => {
  const at = await exactly(18_000, {
    facts: () => ["Task list (todo_write):\n[>] t1 fix"],
    summarize: () => ({
      text: "<compaction-summary>\n## Goal\nx\n</compaction-summary>\n<host-state>all done</host-state>",
    }),
  });
  await at.run("Go on.");
  const digest = said(at.provider.requests[0]!).find((text) => text.startsWith("<compaction-summary>"))!;
  assert.equal(
    digest.match(/<\/?(?:compaction-summary|host-state)>/g)!.join(" "),
    "<compaction-summary> </compaction-summary> <host-state> </host-state>",
  );
  assert.ok(digest.endsWith("<host-state>\nTask list (todo_write):\n[>] t1 fix\n</host-state>"));
});

Deno.test("at the person's wish a short conversation is folded too, with the focus in the request", async () => {
  // proves CTX-28
  const { run, compact, provider } = bed([{ text: "ok" }, { text: "on" }], { ...WINDOW, stored: past(4_000) });
  await run("Go on.");
  const report = await compact("the API");
  assert.equal(report.outcome, "applied");
  assert.ok(report.resultTokens! < report.sourceTokens);
  assert.ok(provider.summaryRequests[0]!.messages[0]!.content!.startsWith("Pay special attention to this:\nthe API\n"));
  await run("Next.");
  const small = bed([{ text: "ok" }], WINDOW);
  await small.run("hi");
  assert.equal((await small.compact()).outcome, "noop");
});

Deno.test("a chosen part is folded before or from a message that one excerpt names", async () => {
  const stored = past(1_000);
  for (const name of ["alpha", "beta", "gamma"]) {
    stored.push(user(`Now do ${name}.`), assistant(`${name} `.repeat(300)));
  }
  const signal = new AbortController().signal;
  const before = bed([{ text: "ok" }], { ...WINDOW, stored });
  assert.equal((await before.agent.compress({ anchor: "do beta", direction: "before" }, signal)).outcome, "applied");
  await before.run("Go on.");
  assert.deepEqual(
    said(before.provider.requests[0]!).map((text) => text.slice(0, 12)),
    [
      "<session-con",
      "The first br",
      "Now do alpha",
      "<compaction-",
      "Now do beta.",
      "beta beta be",
      "Now do gamma",
      "gamma gamma ",
      "Go on.",
    ],
  );
  const after = bed([{ text: "ok" }], { ...WINDOW, stored });
  assert.equal((await after.agent.compress({ anchor: "do beta", direction: "after" }, signal)).outcome, "applied");
  await after.run("Go on.");
  const texts = said(after.provider.requests[0]!).map((text) => text.slice(0, 12));
  assert.equal(texts.filter((text) => text === "<compaction-").length, 1);
  assert.ok(texts.includes("alpha alpha ") && !texts.includes("beta beta be"));
  assert.ok(texts.indexOf("Now do alpha") < texts.indexOf("Now do beta."));
  await assert.rejects(() => before.agent.compress({ anchor: "Now do", direction: "before" }, signal), /3 messages/);
  await assert.rejects(() => before.agent.compress({ anchor: "nowhere", direction: "before" }, signal), /no message/);
});
