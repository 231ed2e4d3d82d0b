import assert from "node:assert/strict";
import type { Gate } from "../contract/decision.ts";
import { PlanPhase } from "./plan_phase.ts";

function setUp() {
  const seen: string[] = [];
  const gated: string[] = [];
  const phase = new PlanPhase({
    changed: (mode) => seen.push(mode),
    window: (open) => seen.push(open ? "open" : "shut"),
  });
  const gate: Gate = {
    posture: "auto",
    check: ({ tool }) => {
      gated.push(tool);
      return Promise.resolve({ allowed: true, why: { by: "fallback", text: "yes" } });
    },
  };
  const check = (tool: string, readOnly: boolean) =>
    phase.before(gate).check({ callId: "c", tool, readOnly, args: {} }, new AbortController().signal);
  return { phase, seen, gated, check };
}

// proves MODE-02 MODE-04
Deno.test("plan mode refuses what belongs to execution and MCP writers, before any permission, and nothing else", async () => {
  const { phase, gated, check } = setUp();
  const allowed = async (tool: string, readOnly: boolean) => (await check(tool, readOnly)).allowed;
  assert.equal(await allowed("complete_step", true), true);
  phase.set("plan");
  assert.equal(await allowed("complete_step", true), false);
  assert.equal(await allowed("mcp__db__drop", false), false);
  assert.equal(await allowed("mcp__db__read", true), true);
  assert.equal(await allowed("write_file", false), true);
  assert.deepEqual(gated, ["complete_step", "mcp__db__read", "write_file"]);
});

Deno.test("an approved plan opens the window and the end of the turn shuts it; the mode does not come back", async () => {
  const { phase, seen } = setUp();
  phase.set("plan");
  assert.match(
    (await phase.observer.turnBegins!({ id: "t1", text: "x", first: true }, new AbortController().signal))!.before![0]!,
    /<plan-mode>/,
  );
  phase.approve();
  await phase.observer.turnEnded!({ outcome: "completed", answer: "" });
  assert.deepEqual(seen, ["shut", "plan", "shut", "normal", "open", "shut"]);
  assert.equal(
    await phase.observer.turnBegins!({ id: "t1", text: "x", first: false }, new AbortController().signal),
    undefined,
  );
});

Deno.test("leaving plan mode without a plan opens no window", () => {
  const { phase, seen } = setUp();
  phase.set("plan");
  phase.leave();
  assert.equal(seen.includes("open"), false);
  assert.equal(phase.mode, "normal");
});
