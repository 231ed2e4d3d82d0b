/** Folding in whole sessions: real files, a model behind HTTP, the program started again in between. */
import assert from "node:assert/strict";
import type { Message } from "../../src/contract/message.ts";
import { Harness, type HarnessOptions } from "../support/harness.ts";
import { assertExtends, type WireBody, type WireStep } from "../support/model_server.ts";

const WINDOW = 24_000;
const provider = `context_window = ${WINDOW}`;
const summarize = () => ({ text: "## Goal\nas summarised" });
/** About 2 500 tokens. */
const FILE = "a line of some source text, number 0000\n".repeat(250);

const start = (script: readonly WireStep[], options: HarnessOptions = {}) =>
  Harness.start(script, { provider, summarize, ...options, files: { "big.txt": FILE, ...options.files } });

/** The whole file each time, asked for in ever other words: exact repeats would end the turn. */
const reading = (at: number) => ({ name: "read_file", args: { path: "big.txt", limit: 2000 - at } });

const read = (times: number): WireStep[] => Array.from({ length: times }, (_, at) => ({ calls: [reading(at)] }));

const texts = (body: WireBody): string[] => body.messages.map((message: Message) => message.content ?? "");
const digests = (body: WireBody) => texts(body).filter((text) => text.startsWith("<compaction-summary>")).length;
const folds = ({ events }: Harness) => events.filter((event) => event.kind === "compaction_done");
const sidecar = async ({ controller }: Harness) =>
  JSON.parse(await Deno.readTextFile(controller.sessionPath.replace(/\.jsonl$/, ".context.json")));

Deno.test("project rules, an early constraint and a marked one are in every request after any number of folds, once", async () => {
  // proves CTX-36 CTX-42 CTX-44
  const marked = `[[keep]] ${"Prices are integers of cents everywhere. ".repeat(88)}`;
  const constraint = "Keep the public API unchanged.";
  await using harness = await start([
    { text: "1" },
    { text: "2" },
    { text: "3" },
    { text: "4" },
    { text: "5" },
    ...read(28),
    { text: "done" },
  ], { files: { "AGENTS.md": "Never edit gen/.\n" } });
  for (const words of ["Start.", constraint, "Go on.", "Go on, please.", marked, "Now the long work."]) {
    assert.equal((await harness.prompt(words)).outcome, "completed");
  }
  assert.ok(folds(harness).length >= 3);
  const after = harness.model.requests.filter(({ body }) => digests(body) > 0);
  assert.ok(after.length > 10);
  for (const { body } of after) {
    assert.ok(texts(body)[0]!.includes("Never edit gen/."));
    const all = texts(body);
    const places = [constraint, marked, "Now the long work."].map((words) => {
      assert.equal(all.filter((text) => text === words).length, 1);
      return all.indexOf(words);
    });
    assert.deepEqual(places, places.toSorted((a, b) => a - b));
    assert.equal(digests(body), 1);
  }
});

Deno.test("a folded session goes on after a restart: same bytes, no summary, no card, full transcript", async () => {
  // proves CTX-01 CTX-23 CTX-34 CTX-35 CTX-40
  const script: WireStep[] = [
    { calls: [{ name: "bash", args: { command: "echo out; echo 'error: planted' >&2; exit 3" } }] },
    ...read(9),
    { text: "done" },
    { text: "resumed" },
    { response: () => Response.json({ error: { message: "not like this" } }, { status: 422 }) },
    { text: "again" },
  ];
  await using harness = await start(script);
  await harness.prompt("Work.");
  assert.equal(folds(harness).length, 1);
  const path = harness.controller.sessionPath;
  const stored = await Deno.readTextFile(path);
  const state = await sidecar(harness);
  assert.deepEqual(
    [state.schema_version, state.generation, state.last_receipt.status, state.last_receipt.action],
    [3, 1, "applied", "summary"],
  );
  const kept = state.projection.messages.find((message: Message) => message.role === "tool");
  assert.equal(kept.tool_execution.exit_code, 3);
  assert.match(kept.content, /error: planted/);

  await harness.controller.close();
  const before = await Deno.readTextFile(path);
  assert.equal(before, stored);
  harness.events.length = 0;
  await harness.open({ resume: "latest" });
  // The model server holds the bytes of each request against the one before, also over a restart and a failed call.
  await harness.prompt("Resume.");
  await harness.prompt("This one fails.");
  await harness.prompt("And this one goes on.");
  assert.deepEqual(harness.events.filter((event) => event.kind.startsWith("compaction")), []);
  assert.equal(harness.model.summaryRequests.length, 1);
  assert.ok((await Deno.readTextFile(path)).startsWith(stored));
  for (const { text } of [...harness.model.requests, ...harness.model.summaryRequests]) {
    assert.doesNotMatch(text, /raw_content|tool_execution|context_tokens/);
  }
  const entries = [...Deno.readDirSync(path.slice(0, path.lastIndexOf("/")))].map((entry) => entry.name);
  assert.ok(!entries.some((name) => name.includes("archive")), "no prune archive is made");
});

Deno.test("tool turns that a fold leaves carry their reasoning as it came, in that turn and after a restart", async () => {
  const thinking = (at: number): WireStep => ({
    reasoning: `thought ${at}`,
    calls: [{ ...reading(at), id: `call_${at}` }],
  });
  await using harness = await start([
    ...Array.from({ length: 12 }, (_, at) => thinking(at)),
    { reasoning: "thought", text: "done" },
    thinking(12),
    { text: "resumed" },
  ], { provider: `${provider}\nreasoning_protocol = "deepseek"\nmax_output_tokens = 1000` });
  await harness.prompt("Work.");
  assert.ok(folds(harness).length >= 1);
  await harness.controller.close();
  await harness.open({ resume: "latest" });
  assert.equal((await harness.prompt("Go on.")).outcome, "completed");
  const calling = harness.model.requests.flatMap(({ body }) =>
    body.messages.filter((message: WireBody) => message.tool_calls)
  );
  assert.ok(calling.length > 30, String(calling.length));
  for (const { tool_calls: [call], reasoning_content } of calling) {
    assert.equal(reasoning_content, call.id.replace("call_", "thought "));
  }
});

Deno.test("a stop in the middle of a folded turn keeps the bytes of the next request", async () => {
  const stop = Promise.withResolvers<void>();
  const hang = Promise.withResolvers<Response>();
  await using harness = await start([
    ...read(9),
    { response: () => (stop.resolve(), hang.promise) },
    { text: "after the stop" },
  ]);
  const turn = harness.prompt("Work.");
  await stop.promise;
  harness.controller.send({ kind: "cancel" });
  assert.equal((await turn).outcome, "cancelled");
  hang.resolve(new Response("late"));
  assert.equal((await harness.prompt("Go on.")).answer, "after the stop");
  const [last, next] = harness.model.requests.slice(-2);
  assertExtends(next!.text, last!.text);
  assert.equal(folds(harness).length, 1);
});

const OVERFLOWS: readonly (readonly [number, string])[] = [
  [400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"],
  [400, "prompt is too long: 210000 tokens > 200000 maximum"],
  [400, "request (9 tokens) exceeds the available context size"],
  [400, "Range of input length should be [1, 4096]"],
  [413, "payload too large"],
];

for (const [status, message] of OVERFLOWS) {
  Deno.test(`"${message.slice(0, 40)}" leads to one fold and one retry, and then to an end that says why`, async () => {
    const overflow = () => Response.json({ error: { message, type: "invalid_request_error" } }, { status });
    await using harness = await start([
      ...read(3),
      { response: overflow },
      { text: "it fits now" },
      { response: overflow },
      { response: overflow },
    ]);
    assert.equal((await harness.prompt("Work.")).answer, "it fits now");
    assert.equal(harness.model.summaryRequests.length, 1);
    assert.equal(digests(harness.model.requests.at(-1)!.body), 1);
    const end = await harness.prompt(`Look at this: ${"more text ".repeat(400)}`);
    assert.equal(end.failure?.code, "context.exhausted");
    assert.match(end.failure!.message, new RegExp(`context_window ${WINDOW}`));
    assert.ok(end.failure!.remedy);
    assert.ok(harness.model.summaryRequests.length <= 2);
  });
}

Deno.test("a fold within a tool round keeps the request, the round's results, the task list and the running job", async () => {
  // proves CTX-32
  await using harness = await start([
    { calls: [{ name: "todo_write", args: { todos: [{ content: "Port the parser", status: "in_progress" }] } }] },
    { calls: [{ name: "bash", args: { command: "sleep 30", run_in_background: true } }] },
    ...read(8),
    { text: "done" },
  ]);
  await harness.prompt("Port it, and leave the tests alone.");
  assert.equal(folds(harness).length, 1);
  const { body } = harness.model.requests.find(({ body }) => digests(body) > 0)!;
  const all = texts(body);
  assert.equal(all.filter((text) => text === "Port it, and leave the tests alone.").length, 1);
  const digest = all.find((text) => text.startsWith("<compaction-summary>"))!;
  assert.match(
    digest,
    /<host-state>\nTask list \(todo_write\):\n\[>\] \S+ Port the parser\n\nRunning in the background:\nbash-1: sleep 30\n<\/host-state>/,
  );
  const [asking, result] = body.messages.slice(-2);
  assert.equal(asking.tool_calls[0].function.name, "read_file");
  assert.equal(result.tool_call_id, asking.tool_calls[0].id);
  assert.ok(result.content.includes("number 0000"));
});

Deno.test("a summary that fails in a tool round costs one notice with a code; the work goes on and /compact tries again", async () => {
  // proves CTX-27 CTX-28
  let broken = true;
  await using harness = await start([...read(6), { text: "done" }, { text: "shorter" }], {
    config: "[agent]\ncompact_ratio = 0.7\n",
    summarize: () => broken ? { text: "  " } : summarize(),
  });
  assert.equal((await harness.prompt("Work.")).outcome, "completed");
  const asked = harness.model.summaryRequests.length;
  assert.ok(asked >= 1);
  const notices = () => harness.events.filter((event) => event.kind === "notice" && event.code === "provider.empty");
  assert.equal(notices().length, 1);
  assert.equal(harness.model.requests.at(-1)!.body.messages.length, 2 + 1 + 2 * 6);
  const state = await sidecar(harness);
  assert.deepEqual([state.last_receipt.status, state.blocked_input_hash], ["failed", state.last_receipt.input_hash]);

  broken = false;
  const receipt = harness.controller.send({ kind: "compact", focus: "the parser" });
  assert.ok(receipt.accepted);
  await receipt.done;
  assert.equal(folds(harness).at(-1)?.outcome, "applied");
  assert.match(
    harness.model.summaryRequests.at(-1)!.body.messages.at(-1).content,
    /^Pay special attention to this:\nthe parser/,
  );
  await harness.prompt("Next.");
  assert.equal(digests(harness.model.requests.at(-1)!.body), 1);
});

Deno.test("a wish to fold waits for the running turn, can be stopped, and says when there is nothing to fold", async () => {
  const asked = Promise.withResolvers<void>();
  const hang = Promise.withResolvers<Response>();
  await using harness = await start([...read(4), { text: "done" }], {
    summarize: () => ({ response: () => (asked.resolve(), hang.promise) }),
  });
  const nothing = harness.controller.send({ kind: "compact" });
  assert.ok(nothing.accepted);
  await nothing.done;
  assert.deepEqual(harness.events.map((event) => event.kind), ["notice"]);
  const turn = harness.prompt("Work.");
  const receipt = harness.controller.send({ kind: "compact" });
  assert.ok(receipt.accepted);
  assert.equal((await turn).outcome, "completed");
  await asked.promise;
  assert.equal(harness.controller.send({ kind: "cancel" }).accepted, true);
  await receipt.done;
  hang.resolve(new Response("late"));
  assert.equal(folds(harness).at(-1)?.outcome, "cancelled");
});

Deno.test("the model folds a part on the person's word with the tool compress", async () => {
  await using harness = await start([
    ...read(3),
    { text: "first done" },
    { calls: [{ name: "compress", args: { anchor: "nowhere said", direction: "before" } }] },
    { calls: [{ name: "compress", args: { anchor: "Now the second", direction: "before", focus: "numbers" } }] },
    { text: "folded" },
  ]);
  await harness.prompt("Do the first thing.");
  await harness.prompt("Now the second: fold what was before.");
  const [miss, done] = harness.results.slice(-2);
  assert.match(miss!, /^error: no message of the user holds this anchor/);
  assert.match(done!, /^folded \d+ messages: \d+ tokens became \d+$/);
  const all = texts(harness.model.requests.at(-1)!.body);
  assert.ok(all.includes("Do the first thing.") && !all.some((text) => text.includes("number 0000")));
  assert.ok(all.some((text) => text.startsWith("Now the second")));
});

Deno.test("the output ceiling of a turn has no part in when a conversation is folded", async () => {
  // proves CTX-16 CTX-20
  const sizes: number[][] = [];
  for (const limit of ["", "max_output_tokens = 2000", "max_output_tokens = -1"]) {
    await using harness = await start([...read(9), { text: "done" }], { provider: `${provider}\n${limit}` });
    await harness.prompt("Work.");
    sizes.push(harness.model.requests.map(({ body }) => body.messages.length));
  }
  assert.deepEqual(sizes[1], sizes[0]);
  assert.deepEqual(sizes[2], sizes[0]);
});

Deno.test("the project's ratio decides over the user's", async () => {
  // proves CTX-14
  await using harness = await start([...read(6), { text: "done" }], {
    config: "[agent]\ncompact_ratio = 0.9\n",
    files: { "reasonix.toml": "[agent]\ncompact_ratio = 0.5\n" },
  });
  await harness.prompt("Work.");
  const [telemetry] = harness.events.filter((event) => event.kind === "compaction_telemetry");
  assert.equal(telemetry?.ratio, 0.5);
  assert.equal(telemetry?.trigger_tokens, WINDOW / 2);
});
