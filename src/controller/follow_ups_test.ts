import assert from "node:assert/strict";
import type { TurnSummary } from "../agent/mod.ts";
import { ReasonixError } from "../contract/errors.ts";
import type { InboxOrder } from "../contract/inbox.ts";
import { MemoryInbox } from "../../tests/support/memory_inbox.ts";
import { fakeRuntime } from "../../tests/support/fake_runtime.ts";
import { createController, EventLog, Questions } from "./mod.ts";

const done: TurnSummary = { outcome: "completed", answer: "ok", rounds: 1 };

/** A session whose turns end when they are told to. */
async function setUp(inbox = new MemoryInbox()) {
  const ran: string[] = [];
  const turns: PromiseWithResolvers<TurnSummary>[] = [];
  const log = new EventLog(() => "s1");
  const told: unknown[] = [];
  log.subscribe((event) => {
    if (event.kind !== "inbox_changed") return;
    told.push([
      event.items.map(({ preview, state }) => state === "waiting" ? preview : `${state}: ${preview}`),
      event.paused,
    ]);
  });
  const runtime = fakeRuntime((text, signal, origin = {}) => {
    ran.push(text);
    // A message is stored as soon as its turn begins, but for one that a hook does not let in.
    if (origin.inboxId !== undefined && text !== "refused") inbox.taken(origin.inboxId);
    if (text === "defect") throw new Error("a defect");
    const turn = Promise.withResolvers<TurnSummary>();
    signal.addEventListener("abort", () => turn.resolve({ ...done, outcome: "cancelled" }));
    turns.push(turn);
    return turn.promise;
  }, { inbox });
  runtime.agent.takesGuidance = true;
  const controller = await createController({
    log,
    questions: new Questions(log.emit),
    open: () => Promise.resolve(runtime),
  }, {
    conversation: { kind: "new" },
  });
  return {
    controller,
    inbox,
    ran,
    told,
    agent: runtime.agent,
    say: (text: string) => controller.send({ kind: "prompt", text }),
    order: (order: InboxOrder) => controller.send({ kind: "inbox", order }),
    /** The running turn ends so. */
    end: async (summary: TurnSummary = done) => {
      await pass();
      turns.at(-1)!.resolve(summary);
      await pass();
    },
    waits: () => inbox.items.map(({ text, state }) => state === "waiting" ? text : `${state}: ${text}`),
  };
}

/** Until all that can happen has happened. */
const pass = () => new Promise((settle) => setTimeout(settle));

const failure = { code: "provider.auth", message: "the key is wrong" } as const;
const failed: TurnSummary = { outcome: "failed", answer: "", rounds: 1, failure };

Deno.test("messages wait for the running turn in the inbox and go out one after the other", async () => {
  const { say, ran, waits, end, controller } = await setUp();
  assert.equal("queued" in say("one"), false);
  const second = say("two");
  say("three");
  assert.ok(second.accepted && second.queued);
  await end();
  assert.deepEqual([ran, waits()], [["one", "two"], ["three"]]);
  await end();
  assert.deepEqual(await second.turn, done);
  await end();
  assert.deepEqual([ran, waits(), controller.busy], [["one", "two", "three"], [], false]);
});

Deno.test("after a stop nothing goes out by itself; the person lets it go", async () => {
  const { say, order, ran, end, controller } = await setUp();
  say("one");
  say("two");
  await pass();
  controller.send({ kind: "cancel" });
  await end();
  assert.deepEqual([ran, controller.inbox.paused], [["one"], "stopped"]);
  say("another");
  await end();
  assert.deepEqual(ran, ["one", "another"]);
  order({ do: "resume" });
  await end();
  assert.deepEqual([ran, controller.inbox], [["one", "another", "two"], { items: [] }]);
});

Deno.test("a message whose turn failed can be sent again, and what waits behind it does not go before that", async () => {
  const { say, order, ran, end, waits, controller } = await setUp();
  say("one");
  say("two");
  say("three");
  await end();
  await end(failed);
  assert.deepEqual([waits(), controller.inbox.paused], [["failed: two", "three"], "failed"]);
  assert.equal(controller.inbox.items[0]!.failure, "the key is wrong");
  assert.deepEqual(order({ do: "retry", id: controller.inbox.items[1]!.id }), {
    accepted: false,
    reason: "the turn of this message has not failed",
  });
  order({ do: "retry", id: controller.inbox.items[0]!.id });
  await end();
  await end();
  assert.deepEqual([ran, waits()], [["one", "two", "two", "three"], []]);
});

Deno.test("a message that is not let in waits as failed, and is not tried again and again", async () => {
  const { say, ran, end, waits } = await setUp();
  say("one");
  say("refused");
  await end();
  await end(failed);
  assert.deepEqual([ran, waits()], [["one", "refused"], ["failed: refused"]]);
});

Deno.test("a turn that ends in a defect holds back what waits", async () => {
  const { say, ran, waits, controller } = await setUp();
  const receipt = say("defect");
  say("two");
  assert.ok(receipt.accepted);
  await assert.rejects(receipt.turn!, { message: "a defect" });
  await pass();
  assert.deepEqual([ran, waits(), controller.inbox.paused], [["defect"], ["two"], "failed"]);
});

Deno.test("what waited in a conversation that is opened waits until the person lets it go", async () => {
  const inbox = new MemoryInbox();
  inbox.add("from before");
  const { controller, order, ran, say, end } = await setUp(inbox);
  assert.equal(controller.inbox.paused, "opened");
  say("now");
  await end();
  assert.deepEqual(ran, ["now"]);
  order({ do: "resume" });
  await end();
  assert.deepEqual(ran, ["now", "from before"]);
});

Deno.test("guidance waits for the turn that runs, and is an ordinary message when that did not take it", async () => {
  const { controller, say, ran, end, waits, agent } = await setUp();
  say("one");
  say("two");
  assert.deepEqual(controller.send({ kind: "steer", text: "use tabs" }), { accepted: true });
  controller.send({ kind: "steer", text: "and no semicolons" });
  assert.deepEqual(waits(), ["guidance: use tabs", "guidance: and no semicolons", "two"]);
  await end();
  assert.deepEqual([ran, waits()], [["one", "use tabs"], ["and no semicolons", "two"]]);
  agent.takesGuidance = false;
  const late = controller.send({ kind: "steer", text: "late" });
  assert.ok(late.accepted && late.queued);
});

Deno.test("waiting messages are changed, moved, dropped and held back", async () => {
  const { controller, say, order, ran, end, waits } = await setUp();
  say("one");
  for (const text of ["a", "b", "c", "d"]) say(text);
  const id = (text: string) => controller.inbox.items.find((item) => item.text === text)!.id;
  const dropped = id("b");
  order({ do: "edit", id: id("a"), text: "A" });
  order({ do: "delete", id: dropped });
  order({ do: "move", id: id("d"), to: 0 });
  assert.deepEqual(waits(), ["d", "A", "c"]);
  assert.deepEqual(order({ do: "delete", id: dropped }), {
    accepted: false,
    reason: "this message is not in the queue any more",
  });
  order({ do: "pause" });
  await end();
  assert.deepEqual(ran, ["one"]);
  order({ do: "resume" });
  await end();
  assert.deepEqual(ran, ["one", "d", "A"]);
});

Deno.test("a message that is being changed does not go out before that is done, and the ones behind it do not pass", async () => {
  const { controller, say, order, ran, end } = await setUp();
  say("one");
  say("two");
  say("three");
  const { id } = controller.inbox.items[0]!;
  order({ do: "hold", id });
  await end();
  assert.deepEqual([ran, controller.busy], [["one"], false]);
  order({ do: "edit", id, text: "two, better" });
  await end();
  assert.deepEqual(ran, ["one", "two, better", "three"]);
});

Deno.test("a dropped message tells who waited for its turn; so does the end of the session", async () => {
  const { controller, say, order, end } = await setUp();
  say("one");
  const [second, third] = [say("two"), say("three")];
  assert.ok(second.accepted && second.queued && third.accepted);
  order({ do: "delete", id: second.queued });
  assert.equal((await second.turn)!.outcome, "cancelled");
  const closed = controller.close();
  await end();
  await closed;
  assert.equal((await third.turn)!.outcome, "cancelled");
});

Deno.test("a full queue says no with its code", async () => {
  const { inbox, say } = await setUp();
  say("one");
  inbox.refusal = new ReasonixError("inbox.full", "64 messages wait already", { remedy: "Let some go out first." });
  assert.deepEqual(say("two"), {
    accepted: false,
    reason: "64 messages wait already. Let some go out first.",
    code: "inbox.full",
  });
});

Deno.test("every change is told whole", async () => {
  const { say, told, order, controller } = await setUp();
  say("one");
  say("two\n  lines");
  controller.send({ kind: "steer", text: "x" });
  order({ do: "pause" });
  assert.deepEqual(told, [
    [["two lines"], undefined],
    [["guidance: x", "two lines"], undefined],
    [["guidance: x", "two lines"], "person"],
  ]);
});
