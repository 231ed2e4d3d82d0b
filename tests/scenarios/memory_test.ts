// The memory in whole sessions: what runs unasked, what is asked, what the model is sent.
import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";
import type { WireAnswer, WireBody, WireStep } from "../support/model_server.ts";
import { sha256 } from "../../src/lib/bytes.ts";

const FACT = {
  description: "The staging database listens on port 5544",
  body: "Use `make staging-db`; port 5544, user app.",
  type: "project",
};
const remember = (args: Record<string, unknown>, id?: string): WireAnswer => ({
  calls: [{ name: "remember", args: { ...FACT, ...args }, ...(id ? { id } : {}) }],
});

const memoryFolder = ({ home, root }: Harness) => `${home}/projects/${root.replaceAll("/", "-")}/memory`;

function facts(harness: Harness): string[] {
  try {
    return [...Deno.readDirSync(memoryFolder(harness))].map(({ name }) => name)
      .filter((name) => name.endsWith(".md") && name !== "MEMORY.md").sort();
  } catch {
    return [];
  }
}

/** Of the first fact that the conversation saved. */
function savedId(body: WireBody): string {
  return /id=(mem-[0-9a-f]+)/.exec(JSON.stringify(body.messages))![1]!;
}

/** Answers every question, and keeps them. */
function answerAll(harness: Harness, answer: "once" | "deny") {
  const asked: { tool: string; subject: string; diff?: string; offers: boolean; why: string }[] = [];
  harness.controller.subscribe((event) => {
    if (event.kind !== "approval_request") return;
    const { tool, subject, diff, id, why, sessionRule, alwaysRule, prefixRule } = event.approval;
    const offers = [sessionRule, alwaysRule, prefixRule].some((rule) => rule !== undefined);
    asked.push({ tool, subject, ...(diff ? { diff } : {}), offers, why: why.by });
    queueMicrotask(() => harness.controller.send({ kind: "approve", id, answer }));
  });
  return asked;
}

Deno.test("a harmless new project fact is saved unasked in every posture but read-only, headless too", async () => {
  // proves MEM-17
  for (const posture of ["ask", "auto", "yolo", "accept_edits", "dont_ask"] as const) {
    await using harness = await Harness.start([remember({}), { text: "ok" }], { request: { posture } });
    await harness.prompt("note the staging port");
    assert.match(
      harness.results[0]!,
      /^Saved memory id=mem-[0-9a-f]{32} revision=1 \(project background\) as project\//,
    );
    assert.equal(facts(harness).length, 1, posture);
  }
  await using harness = await Harness.start([remember({}), { text: "ok" }], { request: { posture: "read_only" } });
  await harness.prompt("note the staging port");
  assert.match(harness.results[0]!, /^blocked: /);
});

const GUARDED: readonly (readonly [string, Record<string, unknown>])[] = [
  ["no type", { type: undefined }],
  ["a preference", { type: "user" }],
  ["feedback", { type: "feedback" }],
  ["a global fact", { scope: "global" }],
  ["a pinned fact", { activation: "pinned" }],
  ["a long text", { body: "x ".repeat(3001) }],
  ["a key", { body: "use sk-abcdefghijklmnop1234567890" }],
  ["a private key", { body: "-----BEGIN RSA PRIVATE KEY-----\nabc" }],
  ["a password", { body: "password: hunter2hunter2" }],
  ["an address", { title: "ask ann@example.com" }],
  ["a key among the keywords", { keywords: ["ghp_abcdefghijklmnop1234567890"] }],
  ["an update", { id: "mem-0123", expected_revision: 1 }],
];

Deno.test("everything else is refused where nobody can be asked, under auto and yolo too", async () => {
  // proves MEM-18, MEM-19, MEM-21
  for (const posture of ["auto", "yolo"] as const) {
    await using harness = await Harness.start([...GUARDED.map(([, args]) => remember(args)), { text: "ok" }], {
      request: { posture },
    });
    await harness.prompt("note things");
    const outcomes = harness.results.map((text) => /^blocked: remember needs fresh human approval/.test(text));
    assert.deepEqual(GUARDED.filter((_, at) => !outcomes[at]).map(([what]) => what), []);
    assert.deepEqual(facts(harness), []);
  }
});

Deno.test("yolo still asks for every forget, with a preview, and offers no rule to remember", async () => {
  // proves MEM-19, MEM-22
  await using harness = await Harness.start([
    remember({ name: "port" }),
    { calls: [{ name: "forget", args: { name: "port" } }] },
    { calls: [{ name: "forget", args: { name: "port" } }] },
    { text: "ok" },
  ], { request: { posture: "yolo", interactive: true } });
  const asked = answerAll(harness, "deny");
  await harness.prompt("forget the port");
  assert.deepEqual(
    asked,
    Array(2).fill({
      tool: "forget",
      subject: "archive project/port.md (port) (it takes a fact out of the memory)",
      diff: "-Use `make staging-db`; port 5544, user app.",
      offers: false,
      why: "review",
    }),
  );
  assert.deepEqual(facts(harness), ["port.md"]);
});

Deno.test("an allow rule, an allowed tool and the plan window do not answer for the person", async () => {
  // proves MEM-18, MEM-20
  await using harness = await Harness.start([remember({ type: "user" }), { text: "ok" }], {
    config: '[permissions]\nallow = ["remember", "forget"]\n',
    request: { posture: "yolo", allowedTools: ["remember"] },
  });
  await harness.prompt("note");
  assert.match(harness.results[0]!, /^blocked: remember needs fresh human approval/);
});

Deno.test("a deny rule stands over the fact that would be saved unasked, and so does a question the person wants", async () => {
  await using denied = await Harness.start([remember({}), { text: "ok" }], {
    config: '[permissions]\ndeny = ["remember"]\n',
  });
  await denied.prompt("note");
  assert.match(denied.results[0]!, /^blocked: .*deny remember/);
  await using asked = await Harness.start([remember({}), { text: "ok" }], {
    config: "[memory]\nauto_confirm_project_remember = false\n",
    request: { interactive: true },
  });
  const questions = answerAll(asked, "once");
  await asked.prompt("note");
  assert.equal(questions[0]?.subject, "save a project/project fact: The staging database listens on port 5544");
  assert.equal(questions[0]?.diff, "+Use `make staging-db`; port 5544, user app.");
  assert.equal(facts(asked).length, 1);
});

Deno.test("an approved update changes the fact, a second one from the same revision is refused, a duplicate asks", async () => {
  // proves MEM-07
  await using harness = await Harness.start([
    remember({ name: "port" }, "first"),
    (body) => remember({ id: savedId(body), expected_revision: 1, body: "port 6000" }),
    (body) => remember({ id: savedId(body), expected_revision: 1, body: "port 7000" }),
    remember({ name: "port-again" }),
    { text: "ok" },
  ], { request: { interactive: true, posture: "yolo" } });
  const asked = answerAll(harness, "once");
  await harness.prompt("note");
  assert.equal(asked.length, 3);
  assert.match(harness.results[1]!, /^Updated memory id=mem-\w+ revision=2/);
  assert.match(harness.results[2]!, /^error: mem-\w+ has revision 2, not 1/);
  assert.match(asked[2]!.subject, /\(it repeats project\/port\.md\)$/);
});

Deno.test("remember and recall leave the system prompt and the tools of the requests byte for byte alone", async () => {
  // proves MEM-16
  await using harness = await Harness.start([{ text: "hi" }, remember({ name: "port" }), { text: "ok" }, {
    text: "5544",
  }]);
  await harness.prompt("hello");
  await harness.prompt("note the staging database port");
  await harness.prompt("which port does the staging database have?");
  const hashes = await Promise.all(harness.model.requests.map(async ({ body }) => [
    await sha256(JSON.stringify(body.messages[0])),
    await sha256(JSON.stringify(body.tools)),
  ]));
  assert.deepEqual(hashes, Array(4).fill(hashes[0]));
  assert.match(
    harness.results[0]!,
    /\n<memory-update>\nsaved: project\/port\.md id=mem-\w+ revision=1\n<\/memory-update>$/,
  );
});

Deno.test("recall stands behind the person's words and is stored apart from them", async () => {
  // proves MEM-11, MEM-12, MEM-13
  await using harness = await Harness.start([remember({ name: "port" }), { text: "ok" }, { text: "5544" }, {
    text: "done",
  }]);
  await harness.prompt("keep the staging database port in mind");
  await harness.prompt("which port does the staging database have?");
  const sent = harness.model.requests[2]!.body.messages.at(-1).content;
  assert.match(
    sent,
    /^which port does the staging database have\?\n\n<memory-recall>\n[\s\S]*port 5544[\s\S]*<\/memory-recall>$/,
  );
  const stored = harness.controller.messages.findLast(({ role }) => role === "user")!;
  assert.equal(stored.raw_content, "which port does the staging database have?");
  await harness.prompt("continue");
  assert.equal(harness.model.requests[3]!.body.messages.at(-1).content, "continue");
});

Deno.test("a new session begins with the pinned facts; a resumed one keeps its opening", async () => {
  await using harness = await Harness.start([remember({ name: "tone", activation: "pinned", body: "Be brief." }), {
    text: "ok",
  }, {
    text: "a",
  }, { text: "b" }], { request: { interactive: true } });
  answerAll(harness, "once");
  await harness.prompt("be brief from now on");
  await harness.controller.close();
  await harness.open({ resume: "latest" });
  await harness.prompt("something else entirely");
  await harness.controller.close();
  await harness.open({});
  harness.model.allowNextReset = true;
  await harness.prompt("something else entirely");
  const context = (at: number) => harness.model.requests[at]!.body.messages[1].content as string;
  assert.deepEqual([0, 2, 3].map((at) => context(at).includes("Be brief.")), [false, false, true]);
  assert.match(context(3), /\n- tone \(project\/tone\.md\)\n {2}The staging[\s\S]*<\/session-context>$/);
});

Deno.test("the memory tool finds, reads and lists active facts, and sends on to history when there is none", async () => {
  // proves MEM-06, MEM-09, MEM-10
  const memory = (args: Record<string, unknown>): WireStep => ({ calls: [{ name: "memory", args }] });
  await using harness = await Harness.start([
    remember({ name: "port" }),
    remember({ name: "tea", description: "Tea is in the kitchen", body: "Green and black." }),
    { calls: [{ name: "forget", args: { name: "tea" } }] },
    memory({ operation: "search", query: "staging PORT" }),
    memory({ operation: "search", query: "tea kitchen" }),
    memory({ operation: "list" }),
    memory({ operation: "read", name: "port" }),
    memory({ operation: "search" }),
    { text: "ok" },
  ], { request: { interactive: true } });
  answerAll(harness, "once");
  await harness.prompt("look");
  const [, , , found, none, list, read, bad] = harness.results;
  assert.match(
    found!,
    /^score=\d+\.\d\d id=mem-\w+ revision=1 name=port scope=project type=project title="port" file=project\/port\.md\n/,
  );
  assert.match(none!, /^No saved memories found\. Try rarer .*use history\.$/);
  assert.equal(list!.split("\n").length, 2);
  assert.match(read!, /^project\/port\.md freshness=fresh\n\n---\nid: mem-/);
  assert.match(bad!, /^error: search needs query/);
});

Deno.test("after twenty facts nobody was asked about the next one is a question", async () => {
  const steps = Array.from({ length: 21 }, (_, n) => remember({ description: `matter number ${n}`, name: `n${n}` }));
  await using harness = await Harness.start([...steps, { text: "ok" }], { request: { posture: "yolo" } });
  await harness.prompt("note everything");
  assert.deepEqual(harness.results.map((text) => text.startsWith("blocked:")), [...Array(20).fill(false), true]);
});

Deno.test("a memory that cannot be written is an error the model reads, and the turn goes on", async () => {
  await using harness = await Harness.start([remember({}), { text: "ok" }]);
  await Deno.mkdir(memoryFolder(harness).replace(/\/memory$/, ""), { recursive: true });
  await Deno.writeTextFile(memoryFolder(harness), "a file where the folder should be");
  assert.equal((await harness.prompt("note")).outcome, "completed");
  assert.match(harness.results[0]!, /^error: .*(?:no folder|cannot be used)/);
});
