import assert from "node:assert/strict";
import { loadAnalyze } from "../shell/load.ts";
import { createPolicy, readRules } from "../mod.ts";

const analyze = await loadAnalyze("bash");
const { rules } = readRules({ deny: ["Bash(git push:*)"] }, { source: "test" });
const policy = createPolicy({ rules, mode: "ask" });
const verdict = (command: string) =>
  policy.decide({ callId: "c", tool: "bash", readOnly: false, args: { command } }, { shell: analyze(command) }).verdict;

Deno.test("a denied beginning is denied whatever is filled in behind it, be it nothing", () => {
  const lines = [
    "xargs git push",
    "xargs -0 -n 1 git push",
    "x=$(xargs git push\n)",
    "git push $MORE",
    "git push $(cat args)",
  ];
  assert.deepEqual(lines.filter((line) => verdict(line) !== "deny"), []);
  assert.equal(verdict("xargs git pushd"), "ask");
});
