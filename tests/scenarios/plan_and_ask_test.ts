import assert from "node:assert/strict";
import type { Event } from "../../src/contract/event.ts";
import { Harness } from "../support/harness.ts";

/** Answers each question as it comes. */
function whenAsked(harness: Harness, answer: (event: Event) => void) {
  harness.controller.subscribe((event) => queueMicrotask(() => answer(event)));
}

const submit = {
  name: "use_capability",
  args: { action: "call", capability_id: "tool:exit_plan_mode", arguments: { plan: "1. write a.txt" } },
};
const interactive = { request: { interactive: true, posture: "ask" } } as const;

Deno.test("an approved plan runs its writers without a question, and only in that turn", async () => {
  await using harness = await Harness.start([
    { calls: [submit] },
    { calls: [{ name: "write_file", args: { path: "a.txt", content: "x" } }] },
    { text: "done" },
    { calls: [{ name: "write_file", args: { path: "b.txt", content: "x" } }] },
    { text: "not allowed" },
  ], interactive);
  const asked: string[] = [];
  whenAsked(harness, (event) => {
    if (event.kind === "plan_request") {
      harness.controller.send({ kind: "decide_plan", id: event.plan.id, decision: { kind: "start" } });
    }
    if (event.kind === "approval_request") {
      asked.push(event.approval.subject);
      harness.controller.send({ kind: "approve", id: event.approval.id, answer: "deny" });
    }
  });
  harness.controller.send({ kind: "set_mode", mode: "plan" });
  await harness.prompt("make a.txt");
  assert.match(harness.model.requests[0]!.body.messages.at(-1).content, /<plan-mode>/);
  assert.equal(await harness.text("a.txt"), "x");
  assert.equal(harness.controller.mode, "normal");
  assert.deepEqual(asked, []);
  await harness.prompt("and b.txt");
  assert.equal(asked.length, 1);
});

Deno.test("a plan to revise stays in plan mode with the person's words", async () => {
  await using harness = await Harness.start([{ calls: [submit] }, { text: "revising" }], interactive);
  whenAsked(harness, (event) => {
    if (event.kind !== "plan_request") return;
    harness.controller.send({
      kind: "decide_plan",
      id: event.plan.id,
      decision: { kind: "revise", feedback: "use b.txt" },
    });
  });
  harness.controller.send({ kind: "set_mode", mode: "plan" });
  await harness.prompt("make a.txt");
  assert.deepEqual(harness.results, ["The user wants the plan revised:\nuse b.txt"]);
  assert.equal(harness.controller.mode, "plan");
});

Deno.test("questions go to the person, whatever the posture, and later calls of the batch wait", async () => {
  const questions = [{ header: "Format", question: "Which?", options: [{ label: "JSON" }, { label: "TOML" }] }];
  await using harness = await Harness.start([
    { calls: [{ name: "ask", args: { questions } }, { name: "ls", args: {} }] },
    { text: "TOML then" },
  ], { request: { interactive: true, posture: "yolo" } });
  whenAsked(harness, (event) => {
    if (event.kind === "ask_request") {
      harness.controller.send({ kind: "answer", id: event.ask.id, answer: { choices: [["TOML"]] } });
    }
  });
  await harness.prompt("pick");
  assert.equal(harness.results[0], "The user answered:\n- Format: TOML");
});

Deno.test("headless, a question is answered by nobody and says so", async () => {
  const questions = [{ header: "Format", question: "Which?", options: [{ label: "JSON" }, { label: "TOML" }] }];
  await using harness = await Harness.start([{ calls: [{ name: "ask", args: { questions } }] }, {
    text: "JSON, assumed",
  }]);
  await harness.prompt("pick");
  assert.match(harness.results[0]!, /model assumption and not a user decision/);
});
