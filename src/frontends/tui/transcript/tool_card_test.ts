import assert from "node:assert/strict";
import { PLAIN_LOOK } from "../../../../tests/support/plain_look.ts";
import type { ToolView } from "../../../contract/event.ts";
import { toolCard, toolSubject } from "./tool_card.ts";

const view = (name: string, args: unknown, more: Partial<ToolView> = {}): ToolView => ({
  ...{ id: "c1", name, args: JSON.stringify(args), readOnly: true, runState: "completed", ...more },
});

Deno.test("questions are told by their words, and a plan where it is shown", () => {
  const questions = [{ question: "Which colour?", options: [] }, { question: "And what else?" }];
  assert.equal(toolSubject(view("ask", { questions })), "Which colour? · And what else?");
  assert.equal(toolSubject(view("exit_plan_mode", { plan: "# Plan\n\n1. this" })), "");
  assert.equal(toolSubject(view("bash", { command: "ls\n-la" })), "ls -la");
});

Deno.test("lines of an output that was cut are not counted", () => {
  const output = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
  const above = (more: Partial<ToolView>) =>
    toolCard(
      { kind: "tool", key: 1, progress: "", tool: view("bash", { command: "x" }, { output, ...more }) },
      80,
      PLAIN_LOOK,
    )[1];
  assert.deepEqual([above({}), above({ truncated: true })], ["    … 14 lines above", "    … more above"]);
});
