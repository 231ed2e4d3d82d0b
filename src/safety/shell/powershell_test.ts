import assert from "node:assert/strict";
import { loadAnalyze } from "./load.ts";
import { createPolicy } from "../permission/policy.ts";
import { readRules, type RuleLists } from "../permission/rule.ts";

const analyze = await loadAnalyze("pwsh");

function verdict(lists: RuleLists, command: string): string {
  const policy = createPolicy({ rules: readRules(lists, { source: "t" }).rules, foldCase: true });
  const request = { callId: "c1", tool: "bash", readOnly: false, args: { command } };
  const decision = policy.decide(request, { shell: analyze(command) });
  return decision.humanRequired ? "person" : decision.verdict;
}

function classes(commands: readonly string[]): readonly (readonly [string, string])[] {
  return commands.map((command) => [command, analyze(command).class]);
}

function all(commands: readonly string[], expected: string): void {
  assert.deepEqual(classes(commands), commands.map((command) => [command, expected]));
}

Deno.test("known cmdlets with plain words only read", () => {
  all([
    "Get-ChildItem -Recurse src",
    "get-content a.txt | Select-String x | Measure-Object -Line",
    "ls; cat a; pwd",
    "Get-Date 2> $null",
    "git status",
    "git log --oneline | Select-Object -First 5",
    "Test-Path 'a b'",
    "Get-Process # Remove-Item x",
  ], "read_only");
});

Deno.test("other commands with plain words are static", () => {
  all(
    ["npm test", "Remove-Item x", "npm run build; npm test", "cargo build 2>&1", "git push", "Set-Content a 'x y'"],
    "static",
  );
});

Deno.test("variables and files as streams are dynamic", () => {
  all(["npm run $x", 'npm run "a $x"', "Get-Date > f", "Get-Date -OutVariable x"], "dynamic");
});

Deno.test("expressions, script blocks, evaluators and called text are nested", () => {
  all([
    "Get-Date (rm x)",
    "ls | % { rm $_ }",
    'echo "$(rm x)"',
    "& rm x",
    "'rm' x",
    "iex 'rm x'",
    "Invoke-Expression x",
    "Start-Process x",
    ". ./x.ps1",
    "powershell -Command x",
    "cmd /c del x",
    "python -c x",
    "[IO.File]::Delete('x')",
    "echo `rm",
    "Get-Date @x",
    "echo 'x",
    "$f x",
    "",
  ], "nested");
});

Deno.test("a deny rule for a cmdlet sees every call of it, by any letter case and alias", () => {
  const deny = ["Bash(Remove-Item)"];
  const commands = [
    "Remove-Item x",
    "remove-ITEM -Recurse x",
    "rm x",
    "del x",
    "ls; RD x",
    "ls | ri",
    "Get-Date; (rm x)",
    "if ($true) { rm x }",
    "echo a && rm x",
  ];
  assert.deepEqual(commands.map((command) => [command, verdict({ deny }, command)]), commands.map((c) => [c, "deny"]));
  assert.equal(verdict({ deny, allow: ["Bash(npm test:*)"] }, "npm test 'Remove-Item'"), "allow");
  assert.equal(verdict({ deny }, "Get-Content 'a; rm x'"), "allow");
});

Deno.test("an allow rule needs every part of the line", () => {
  const allow = ["Bash(npm test:*)"];
  assert.deepEqual(
    ["npm test", "npm test; rm x", "npm test | Out-File x", "npm test $x", "npm test (rm x)"].map((command) =>
      verdict({ allow }, command)
    ),
    ["allow", "ask", "ask", "ask", "person"],
  );
});

Deno.test("a shell whose language is not known is never trusted", async () => {
  const fish = await loadAnalyze("fish");
  assert.deepEqual([fish("ls").class, fish("ls").readOnly, fish("ls").complete], ["nested", false, false]);
});
