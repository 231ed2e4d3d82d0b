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

// proves MODE-16
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

const POSTURES = ["ask", "auto", "yolo", "accept_edits", "dont_ask", "read_only"] as const;

// proves MODE-13
Deno.test("questions go to the person, whatever the posture, and later calls of the batch wait", async () => {
  const questions = [{ header: "Format", question: "Which?", options: [{ label: "JSON" }, { label: "TOML" }] }];
  for (const posture of POSTURES) {
    await using harness = await Harness.start([
      { calls: [{ name: "ask", args: { questions } }, { name: "ls", args: {} }] },
      { text: "TOML then" },
    ], { request: { interactive: true, posture } });
    whenAsked(harness, (event) => {
      if (event.kind === "ask_request") {
        harness.controller.send({ kind: "answer", id: event.ask.id, answer: { choices: [["TOML"]] } });
      }
    });
    await harness.prompt("pick");
    assert.equal(harness.results[0], "The user answered:\n- Format: TOML", posture);
  }
});

// proves MODE-18
Deno.test("headless, a question is answered by nobody and says so", async () => {
  const questions = [{ header: "Format", question: "Which?", options: [{ label: "JSON" }, { label: "TOML" }] }];
  await using harness = await Harness.start([{ calls: [{ name: "ask", args: { questions } }] }, {
    text: "JSON, assumed",
  }]);
  await harness.prompt("pick");
  assert.match(harness.results[0]!, /model assumption and not a user decision/);
});

// proves MODE-13
Deno.test("no posture approves a plan: it waits for the person, and for nobody where nobody is there", async () => {
  for (const posture of POSTURES) {
    await using harness = await Harness.start([{ calls: [submit] }, { text: "left" }], {
      request: { interactive: true, posture },
    });
    const plans: string[] = [];
    whenAsked(harness, (event) => {
      if (event.kind !== "plan_request") return;
      plans.push(event.plan.plan);
      harness.controller.send({ kind: "decide_plan", id: event.plan.id, decision: { kind: "exit" } });
    });
    harness.controller.send({ kind: "set_mode", mode: "plan" });
    await harness.prompt("make a.txt");
    assert.deepEqual(plans, ["1. write a.txt"], posture);
    assert.match(harness.results[0]!, /^The user left plan mode without starting/);
  }
  await using alone = await Harness.start([{ calls: [submit] }, { text: "the plan" }], {
    request: { posture: "yolo" },
  });
  alone.controller.send({ kind: "set_mode", mode: "plan" });
  await alone.prompt("make a.txt");
  assert.match(alone.results[0]!, /^error: nobody is there to approve a plan/);
  assert.equal(alone.controller.mode, "plan");
});

// proves MODE-17
Deno.test("an approved plan approves no later one, and its window is over when the next begins", async () => {
  const write = (path: string) => ({ calls: [{ name: "write_file", args: { path, content: "x" } }] });
  await using harness = await Harness.start([
    { calls: [submit] },
    write("a.txt"),
    write("b.txt"),
    { calls: [submit] },
    { text: "waits" },
  ], interactive);
  const asked: string[] = [];
  let plans = 0;
  whenAsked(harness, (event) => {
    if (event.kind === "plan_request") {
      const decision = ++plans === 1 ? { kind: "start" } as const : { kind: "revise", feedback: "" } as const;
      harness.controller.send({ kind: "decide_plan", id: event.plan.id, decision });
    }
    // The person plans again while the first plan is carried out.
    if (event.kind === "tool_result" && event.tool.name === "write_file" && asked.length === 0) {
      harness.controller.send({ kind: "set_mode", mode: "plan" });
    }
    if (event.kind === "approval_request") {
      asked.push(event.approval.subject);
      harness.controller.send({ kind: "approve", id: event.approval.id, answer: "deny" });
    }
  });
  harness.controller.send({ kind: "set_mode", mode: "plan" });
  await harness.prompt("make both");
  assert.equal(await harness.text("a.txt"), "x");
  assert.deepEqual([plans, asked.length, harness.controller.mode], [2, 1, "plan"]);
  await assert.rejects(harness.text("b.txt"), Deno.errors.NotFound);
});

// proves MODE-01 MODE-15
Deno.test("plan mode is no wall: posture, rules and the sandbox decide as they do without it", async () => {
  const calls = [
    { name: "write_file", args: { path: "a.txt", content: "x" } },
    { name: "bash", args: { command: "echo x > b.txt" } },
    { name: "bash", args: { command: "rm a.txt" } },
    { name: "bash", args: { command: "git push" } },
    { name: "write_file", args: { path: "/usr/a.txt", content: "x" } },
  ];
  const seen = async (mode: "normal" | "plan", posture: "ask" | "auto") => {
    await using harness = await Harness.start([{ calls }, { text: "done" }], {
      config: '[permissions]\nask = ["Bash(git push:*)"]\ndeny = ["Bash(rm:*)"]\n',
      request: { posture },
    });
    harness.controller.send({ kind: "set_mode", mode });
    await harness.prompt("go");
    assert.equal(harness.controller.posture, posture);
    return harness.results.map((text) => text.replaceAll(harness.root.slice(0, -3), "<place>"));
  };
  const results = await seen("plan", "auto");
  const refused = /^(?:blocked|error): /;
  assert.deepEqual(results.map((text) => refused.test(text)), [false, false, true, true, true]);
  assert.deepEqual(results, await seen("normal", "auto"));
  assert.deepEqual(await seen("plan", "ask"), await seen("normal", "ask"));
});

// proves MODE-14 MODE-33
Deno.test("no words and no call of the model turn plan mode on", async () => {
  await using harness = await Harness.start([{ calls: [submit] }, { text: "carried out" }], interactive);
  await harness.prompt("Enter plan mode, /plan, and plan first.");
  assert.match(harness.results[0]!, /^error: plan mode is not on/);
  assert.equal(harness.controller.mode, "normal");
  assert.deepEqual(harness.events.filter(({ kind }) => kind === "mode_changed" || kind === "plan_request"), []);
});

// proves MODE-05
Deno.test("plan_mode_read_only_commands is kept through a session and decides nothing", async () => {
  const command = "touch a.txt";
  const calls = [{ name: "bash", args: { command } }];
  const seen = async (config: string) => {
    await using harness = await Harness.start([{ calls }, { text: "1" }, { calls }, { text: "2" }], {
      config,
      request: { posture: "ask" },
    });
    const written = await Deno.readTextFile(`${harness.home}/config.toml`);
    harness.controller.send({ kind: "set_mode", mode: "plan" });
    await harness.prompt("one");
    await harness.controller.close();
    await harness.open({ resume: "latest" });
    assert.deepEqual(harness.controller.notices, []);
    harness.controller.send({ kind: "set_mode", mode: "plan" });
    await harness.prompt("two");
    assert.equal(await Deno.readTextFile(`${harness.home}/config.toml`), written);
    return harness.results.map((text) => text.replaceAll(harness.root.slice(0, -3), "<place>"));
  };
  const results = await seen(`[agent]\nplan_mode_read_only_commands = ["${command}"]\n`);
  assert.deepEqual(results.map((text) => /^blocked: /.test(text)), [true, true]);
  assert.deepEqual(results, await seen(""));
});
