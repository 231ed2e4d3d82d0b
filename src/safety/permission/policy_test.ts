import assert from "node:assert/strict";
import { loadAnalyze } from "../shell/load.ts";
import { createPolicy } from "./policy.ts";
import { readRules, type RuleLists } from "./rule.ts";

const analyze = await loadAnalyze();

function verdict(lists: RuleLists, command: string): string {
  const policy = createPolicy({ rules: readRules(lists, { source: "user config" }).rules });
  const request = { callId: "c1", tool: "bash", readOnly: false, args: { command } };
  const { verdict, humanRequired } = policy.decide(request, { shell: analyze(command) });
  return humanRequired ? "human" : verdict;
}

const ROWS: readonly [RuleLists, string, string][] = [
  [{ allow: ["Bash"], deny: ["Bash(rm -rf*)"] }, "rm -rf x", "deny"],
  [{ allow: ["Bash"], ask: ["Bash(git push:*)"] }, "git push", "ask"],
  [{ allow: ["Bash(go test:*)"] }, "go test ./... && rm -rf tmp", "ask"],
  [{ allow: ["Bash(go test:*)"] }, "go test ./...", "allow"],
  [{ allow: ["Bash(go test:*)"] }, "go testify", "ask"],
  [{ allow: ["Bash"] }, "echo $HOME", "ask"],
  [{ allow: ["Bash"] }, "echo $(date)", "human"],
  [{ allow: ["Bash=echo $(date)"] }, "echo $(date)", "allow"],
  [{ ask: ["Bash"] }, "ls -la", "ask"],
  [{}, "git status", "allow"],
  [{ deny: ["Bash()"] }, "ls", "deny"],
];

for (const [lists, command, expected] of ROWS) {
  Deno.test(`${JSON.stringify(lists)} answers ${expected} to ${command}`, () => {
    assert.equal(verdict(lists, command), expected);
  });
}
