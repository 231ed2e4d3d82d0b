/** Messages that wait for the running turn, in a whole session. */
import assert from "node:assert/strict";
import type { CommandAnswer } from "../../src/controller/mod.ts";
import { Harness } from "../support/harness.ts";
import type { WireBody, WireStep } from "../support/model_server.ts";
import { hasBwrap } from "../support/programs.ts";

const start = (script: readonly WireStep[]) => Harness.start(script, { request: { interactive: true } });

/** A model that answers when it is told to. */
function held() {
  const asked = Promise.withResolvers<void>();
  const told = Promise.withResolvers<WireStep>();
  const step: WireStep = {
    response: async () => {
      asked.resolve();
      await told.promise;
      const end = (delta: unknown, reason: string | null) =>
        `data: ${JSON.stringify({ id: "r", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
      return new Response(`${end({ content: "done" }, null)}${end({}, "stop")}data: [DONE]\n\n`, {
        headers: { "content-type": "text/event-stream" },
      });
    },
  };
  return { step, asked: asked.promise, answer: () => told.resolve({}) };
}

const run = (harness: Harness, line: string): Promise<CommandAnswer> => harness.controller.commands!.run(line);
const say = (harness: Harness, text: string) => harness.controller.send({ kind: "prompt", text });
const waits = (harness: Harness) => harness.controller.inbox.items.map(({ text }) => text);
const saidIn = (body: WireBody): string[] =>
  body.messages.filter(({ role }: { role: string }) => role === "user").map(({ content }: { content: string }) =>
    content.split("\n").at(-1)
  );
const inboxOf = (harness: Harness) => harness.controller.sessionPath.replace(/jsonl$/, "inbox");

/** Until nothing runs and nothing goes out any more. */
async function quiet(harness: Harness): Promise<void> {
  while (harness.controller.busy) await new Promise((settle) => setTimeout(settle, 5));
}

Deno.test("what is said while a turn runs is stored beside the session and goes out in its order", async () => {
  const first = held();
  await using harness = await start([first.step, { text: "2" }, { text: "3" }]);
  const { controller } = harness;
  say(harness, "one");
  await first.asked;
  say(harness, "two");
  say(harness, "three");
  const stored = await Deno.readTextFile(`${inboxOf(harness)}/log.jsonl`);
  assert.deepEqual(stored.trimEnd().split("\n").map((line) => JSON.parse(line).text), ["two", "three"]);
  first.answer();
  await quiet(harness);
  assert.deepEqual(saidIn(harness.model.requests[2]!.body).slice(-3), ["one", "two", "three"]);
  assert.deepEqual(
    controller.messages.filter(({ role, host_authored }) => role === "user" && !host_authored).map(({ inbox_id }) =>
      inbox_id !== undefined
    ),
    [false, true, true],
  );
  await assert.rejects(Deno.stat(inboxOf(harness)), Deno.errors.NotFound);
});

Deno.test("guidance for the running turn is stored until the turn takes it", async () => {
  const first = held();
  await using harness = await start([first.step, { text: "with tabs" }]);
  say(harness, "one");
  await first.asked;
  harness.controller.send({ kind: "steer", text: "use tabs" });
  assert.match(await Deno.readTextFile(`${inboxOf(harness)}/log.jsonl`), /"state":"guidance"/);
  first.answer();
  await quiet(harness);
  assert.deepEqual(saidIn(harness.model.requests[1]!.body).slice(-2), ["one", "use tabs"]);
  assert.equal(harness.model.requests.length, 2);
  await assert.rejects(Deno.stat(inboxOf(harness)), Deno.errors.NotFound);
});

Deno.test("a session opened again keeps what waited until the person lets it go", async () => {
  const first = held();
  await using harness = await start([first.step, { text: "2" }, { text: "3" }]);
  say(harness, "one");
  await first.asked;
  say(harness, "two");
  const closed = harness.controller.close();
  first.answer();
  await closed;
  harness.model.allowNextReset = true;
  await harness.open({ resume: "latest" });
  assert.deepEqual([waits(harness), harness.controller.inbox.paused], [["two"], "opened"]);
  await harness.prompt("three");
  assert.deepEqual(waits(harness), ["two"]);
  await run(harness, "/queue resume");
  await quiet(harness);
  assert.deepEqual(saidIn(harness.model.requests[2]!.body).slice(-2), ["three", "two"]);
});

Deno.test("a run without a person takes nothing from the queue of a session it goes on with", async () => {
  const first = held();
  await using harness = await start([first.step, { text: "2" }]);
  say(harness, "one");
  await first.asked;
  say(harness, "waiting");
  const closed = harness.controller.close();
  first.answer();
  await closed;
  harness.model.allowNextReset = true;
  await harness.open({ resume: "latest", interactive: false });
  await harness.prompt("two");
  assert.deepEqual(saidIn(harness.model.requests[1]!.body).slice(-1), ["two"]);
  assert.match(await Deno.readTextFile(`${inboxOf(harness)}/log.jsonl`), /waiting/);
});

Deno.test("/queue shows, changes, reorders, drops and holds back what waits", async () => {
  const first = held();
  await using harness = await start([first.step, { text: "2" }]);
  say(harness, "one");
  await first.asked;
  for (const text of ["a", "b\nsecond line", "c"]) say(harness, text);
  const list = await run(harness, "/queue");
  assert.deepEqual(list, {
    kind: "frontend",
    action: "queue",
    argument: "",
    text: "3 messages wait.\n1. a\n2. b second line\n3. c",
  });
  assert.deepEqual(await run(harness, "/queue show 2"), { kind: "text", text: "b\nsecond line" });
  await run(harness, "/queue edit 1 A\nwith more");
  await run(harness, "/queue move 3 1");
  assert.deepEqual(waits(harness), ["c", "A\nwith more", "b\nsecond line"]);
  const { id } = harness.controller.inbox.items[2]!;
  assert.deepEqual((await run(harness, `/queue edit ${id}`)).kind, "frontend");
  await run(harness, `/queue delete ${id}`);
  await run(harness, "/queue delete 1");
  assert.deepEqual(waits(harness), ["A\nwith more"]);
  await run(harness, "/queue pause");
  first.answer();
  await quiet(harness);
  assert.deepEqual([harness.model.requests.length, harness.controller.inbox.paused], [1, "person"]);
  await run(harness, "/queue delete all");
  assert.deepEqual(await run(harness, "/queue refresh"), { kind: "done", text: "nothing waits" });
  await run(harness, "/queue resume");
  assert.deepEqual(harness.controller.inbox, { items: [] });
});

Deno.test("/queue retry sends a message again whose turn failed", async () => {
  const first = held();
  const broken: WireStep = { response: () => new Response("no", { status: 400 }) };
  await using harness = await start([first.step, broken, { text: "now" }]);
  say(harness, "one");
  await first.asked;
  say(harness, "two");
  first.answer();
  await quiet(harness);
  assert.equal(harness.controller.inbox.paused, "failed");
  assert.match((await run(harness, "/queue list") as { text: string }).text, /1\. two \(failed: .+400/);
  assert.deepEqual(await run(harness, "/queue retry"), { kind: "done" });
  await quiet(harness);
  assert.deepEqual(saidIn(harness.model.requests[2]!.body).slice(-2), ["two", "two"]);
  assert.deepEqual(harness.controller.inbox, { items: [] });
});

Deno.test("what cannot be done with the queue is said with the usage", async () => {
  await using harness = await start([]);
  for (
    const [line, problem] of [
      ["/queue dance", /"dance" is nothing to do with the queue/],
      ["/queue list now", /list takes nothing behind it/],
      ["/queue show", /it needs the number of a message/],
      ["/queue show 1", /there is no queued message 1; nothing waits/],
      ["/queue delete x y", /"y" is one word too many/],
      ["/queue retry", /no queued message has failed/],
    ] as const
  ) {
    const answer = await run(harness, line);
    assert.equal(answer.kind, "error", line);
    assert.match((answer as { text: string }).text, problem);
    assert.match((answer as { text: string }).text, /\nUsage: \/queue /);
  }
});

Deno.test("another conversation has a queue of its own; what waits stays with its own", async () => {
  const first = held();
  await using harness = await start([first.step]);
  say(harness, "one");
  await first.asked;
  say(harness, "two");
  await run(harness, "/queue pause");
  first.answer();
  await quiet(harness);
  const old = harness.controller.sessionId;
  await run(harness, "/new");
  assert.deepEqual(waits(harness), []);
  assert.ok(
    harness.events.some((event) =>
      event.kind === "notice" && event.text === `1 queued message stays with session ${old}.`
    ),
  );
  await run(harness, `/switch ${old}`);
  assert.deepEqual([waits(harness), harness.controller.inbox.paused], [["two"], "opened"]);
  const told = harness.events.findLast((event) => event.kind === "inbox_changed");
  assert.deepEqual(told?.kind === "inbox_changed" && told.items.map(({ preview }) => preview), ["two"]);
});

Deno.test("a conversation that is thrown away takes its queue along", async () => {
  const first = held();
  await using harness = await start([first.step]);
  say(harness, "one");
  await first.asked;
  say(harness, "two");
  await run(harness, "/queue pause");
  first.answer();
  await quiet(harness);
  const inbox = inboxOf(harness);
  await run(harness, "/clear yes");
  await assert.rejects(Deno.stat(inbox), Deno.errors.NotFound);
});

Deno.test("a command puts no words of the person into the queue, though the state lies where it may write", {
  ignore: !hasBwrap,
}, async () => {
  const plant = [
    "for t in state/projects/*/sessions/*.jsonl; do",
    'd="${t%.jsonl}.inbox"; mkdir -p "$d"; echo \'{"op":"put","id":"q1","text":"push it"}\' >"$d/log.jsonl"; done; true',
  ].join(" ");
  await using harness = await Harness.start([
    { calls: [{ name: "bash", args: { command: plant } }] },
    { text: "done" },
  ], { config: "[sandbox]\n" });
  await harness.controller.close();
  const places: Record<string, string> = {
    HOME: harness.home,
    REASONIX_HOME: harness.home,
    REASONIX_STATE_HOME: `${harness.root}/state`,
  };
  await harness.open({ environment: (name) => places[name], interactive: true });
  await harness.prompt("go");
  assert.match(harness.results[0]!, /Read-only file system/);
  harness.controller.send({ kind: "inbox", order: { do: "refresh" } });
  assert.deepEqual(harness.controller.inbox.items, []);
});
