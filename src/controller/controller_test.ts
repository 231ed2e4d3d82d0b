import assert from "node:assert/strict";
import type { TurnSummary } from "../agent/mod.ts";
import type { ApprovalRequest } from "../contract/decision.ts";
import { ReasonixError } from "../contract/errors.ts";
import type { Event } from "../contract/event.ts";
import { fakeRuntime, type RunTurn } from "../../tests/support/fake_runtime.ts";
import { MemoryTranscript } from "../../tests/support/memory_transcript.ts";
import { createController, EventLog, Questions, type Runtime } from "./mod.ts";
import type { OpenRuntime } from "./runtime.ts";

async function setUp(runTurn: RunTurn, options: Partial<Runtime> & { open?: OpenRuntime } = {}) {
  const log = new EventLog(() => "s1");
  const events: Event[] = [];
  log.subscribe((event) => events.push(event));
  const questions = new Questions(log.emit);
  const { open, ...more } = options;
  const first = fakeRuntime(runTurn, more);
  const controller = await createController(
    {
      log,
      questions,
      open: (conversation, how) => conversation.kind === "new" ? Promise.resolve(first) : open!(conversation, how),
    },
    { conversation: { kind: "new" } },
  );
  return { controller, events, questions, log };
}

const done = (answer: string): TurnSummary => ({ outcome: "completed", answer, rounds: 1 });
const approval: ApprovalRequest = {
  id: "a1",
  callId: "c1",
  tool: "bash",
  subject: "ls",
  why: { by: "fallback", text: "a writer" },
};

Deno.test("prompts run one after the other, each as a turn of its own", async () => {
  const order: string[] = [];
  const { controller, events } = await setUp(async (text) => {
    order.push(`start ${text}`);
    await Promise.resolve();
    order.push(`end ${text}`);
    return done(text);
  });
  const first = controller.send({ kind: "prompt", text: "one" });
  const second = controller.send({ kind: "prompt", text: "two" });
  assert.equal(controller.busy, true);
  assert.ok(first.accepted && second.accepted);
  assert.deepEqual([await first.turn, await second.turn], [done("one"), done("two")]);
  assert.deepEqual(order, ["start one", "end one", "start two", "end two"]);
  assert.deepEqual(events.map((e) => [e.kind, e.turnId, e.seq, e.sessionId]), [["turn_status", "t1", 1, "s1"], [
    "turn_status",
    "t2",
    2,
    "s1",
  ]]);
  assert.equal(controller.busy, false);
});

Deno.test("cancel aborts the running turn only", async () => {
  const { controller } = await setUp((text, signal) =>
    text === "two" ? Promise.resolve(done(text)) : new Promise((settle) => {
      signal.addEventListener("abort", () => settle({ outcome: "cancelled", answer: "", rounds: 1 }));
    })
  );
  assert.deepEqual(controller.send({ kind: "cancel" }), { accepted: false, reason: "no turn is running" });
  const first = controller.send({ kind: "prompt", text: "one" });
  const second = controller.send({ kind: "prompt", text: "two" });
  await new Promise((settle) => setTimeout(settle));
  controller.send({ kind: "cancel" });
  assert.ok(first.accepted && second.accepted);
  assert.equal((await first.turn)?.outcome, "cancelled");
  assert.equal((await second.turn)?.outcome, "completed");
});

Deno.test("guidance that no turn takes becomes a turn", async () => {
  const { controller } = await setUp((text) => Promise.resolve(done(text)));
  const receipt = controller.send({ kind: "steer", text: "also this" });
  assert.ok(receipt.accepted);
  assert.deepEqual(await receipt.turn, done("also this"));
});

Deno.test("close gives control back though turn and closers hang, and refuses what comes later", async () => {
  const { controller } = await setUp(() => new Promise(() => {}), { close: () => new Promise(() => {}) });
  controller.send({ kind: "prompt", text: "hangs" });
  await controller.close();
  assert.deepEqual(controller.send({ kind: "prompt", text: "late" }), {
    accepted: false,
    reason: "the session is closed",
  });
});

Deno.test("the first answer to a question wins", async () => {
  const { controller, questions, events } = await setUp(() => Promise.resolve(done("")));
  const answer = questions.request(approval, new AbortController().signal);
  assert.deepEqual(controller.send({ kind: "approve", id: "a1", answer: "session" }), { accepted: true });
  assert.equal(controller.send({ kind: "approve", id: "a1", answer: "deny" }).accepted, false);
  assert.equal(await answer, "session");
  assert.deepEqual(events.map((e) => e.kind), ["approval_request", "approval_settled"]);
});

Deno.test("a stopped turn parks its open question", async () => {
  const { questions, events } = await setUp(() => Promise.resolve(done("")));
  const stop = new AbortController();
  const answer = questions.request(approval, stop.signal);
  stop.abort(new DOMException("stop", "AbortError"));
  await assert.rejects(answer, { name: "AbortError" });
  assert.deepEqual(events.at(-1)?.kind === "approval_settled" && events.at(-1), {
    sessionId: "s1",
    turnId: "t0",
    seq: 2,
    kind: "approval_settled",
    id: "a1",
    answer: "parked",
  });
});

Deno.test("a listener that throws is dropped and named once; the others go on", async () => {
  const { log, events } = await setUp(() => Promise.resolve(done("")));
  log.subscribe(() => {
    throw new Error("pipe closed");
  });
  log.emit({ kind: "turn_started" });
  log.emit({ kind: "turn_started" });
  assert.deepEqual(events.map((e) => e.kind), ["turn_started", "notice", "turn_started"]);
});

Deno.test("a change of model waits for no turn, takes effect, and is told", async () => {
  const { controller, events } = await setUp((text) => Promise.resolve(done(text)));
  const receipt = controller.send({ kind: "set_model", model: "p/other", effort: "high" });
  assert.ok(receipt.accepted);
  await receipt.done;
  assert.deepEqual(controller.model, { ref: "p/other", contextWindow: 2000, effort: "high" });
  assert.deepEqual(events.map((e) => e.kind), ["model_changed"]);
});

Deno.test("model and conversation cannot change under a running turn", async () => {
  const { controller } = await setUp(() => new Promise(() => {}));
  controller.send({ kind: "prompt", text: "hangs" });
  assert.equal(controller.send({ kind: "set_model", model: "x" }).accepted, false);
  assert.equal(controller.send({ kind: "open_session", session: "new" }).accepted, false);
  await controller.close();
});

Deno.test("another conversation opens with the posture in force; one that does not open leaves all as it was", async () => {
  const other = new MemoryTranscript([{ role: "user", content: "old" }]);
  const { controller, events } = await setUp((text) => Promise.resolve(done(text)), {
    open: (conversation) =>
      conversation.kind === "stored" && conversation.ref === "gone"
        ? Promise.reject(new ReasonixError("session.not_found", "no session matches"))
        : Promise.resolve(fakeRuntime((text) => Promise.resolve(done(text)), { transcript: other })),
  });
  controller.send({ kind: "set_posture", posture: "auto" });
  const failing = controller.send({ kind: "open_session", session: { ref: "gone" } });
  assert.ok(failing.accepted);
  await assert.rejects(failing.done!, { code: "session.not_found" });
  assert.deepEqual(controller.messages, []);
  const opening = controller.send({ kind: "open_session", session: { ref: "old" } });
  assert.ok(opening.accepted);
  await opening.done;
  assert.deepEqual([controller.messages, controller.posture], [other.messages, "auto"]);
  assert.deepEqual(events.map((e) => e.kind), ["posture_changed", "session_opened"]);
});
