import assert from "node:assert/strict";
import fc from "fast-check";
import { concerns, literalRule, parseRule, readRules, type Rule, splitRules } from "./rule.ts";

function rule(text: string): Rule {
  const parsed = parseRule(text);
  assert.ok(parsed.ok, parsed.ok ? undefined : parsed.message);
  return parsed.rule;
}

function problem(text: string): string {
  const parsed = parseRule(text, { isTool: (name) => name === "read_file" });
  assert.equal(parsed.ok, false, `${text} was read as a rule`);
  return parsed.ok ? "" : parsed.message;
}

Deno.test("a rule is read for its family and what it fits (proves PERM-03, PERM-05, PERM-08)", () => {
  const read = (text: string) => {
    const { family, tool, matcher } = rule(text);
    return [family, tool, matcher];
  };
  assert.deepEqual(
    [
      "Bash",
      "bash",
      "Bash(npm run build)",
      "Bash(npm run test:*)",
      "Bash(go test *)",
      "Bash(rm -rf*)",
      "Bash(*)",
      "Bash(git log *:*)",
      "Bash=echo $(date) (a, b)",
      "Edit(docs/**)",
      "file_mutation",
      "read_file(x)",
      "mcp__github__create_issue",
      "mcp_connect__github",
      "Edit=a=b",
    ].map(read),
    [
      ["bash", "bash", { kind: "any" }],
      ["bash", "bash", { kind: "any" }],
      ["bash", "bash", { kind: "exact", text: "npm run build" }],
      ["bash", "bash", { kind: "prefix", text: "npm run test" }],
      ["bash", "bash", { kind: "prefix", text: "go test" }],
      ["bash", "bash", { kind: "glob", pattern: "rm -rf*" }],
      ["bash", "bash", { kind: "glob", pattern: "*" }],
      ["bash", "bash", { kind: "prefix", text: "git log *" }],
      ["bash", "bash", { kind: "literal", text: "echo $(date) (a, b)" }],
      ["edit", "edit", { kind: "glob", pattern: "docs/**" }],
      ["edit", "edit", { kind: "any" }],
      ["tool", "read_file", { kind: "exact", text: "x" }],
      ["tool", "mcp__github__create_issue", { kind: "any" }],
      ["tool", "mcp_connect__github", { kind: "any" }],
      ["edit", "edit", { kind: "literal", text: "a=b" }],
    ],
  );
});

Deno.test("what is no rule becomes a problem that quotes it, and never something wider", () => {
  for (
    const text of [
      "Bash(",
      "Bash(gh:*",
      "Bash(gh:*),Bash(cat:*)",
      "Bash(gh:*) Bash(cat:*)",
      " Bash (gh:*)",
      "Bsh(gh:*)",
      "Bash(:*)",
      "Bash=",
      "(x)",
      "=x",
      "",
      "  ",
      "Read_file(x)",
      "two words",
    ]
  ) {
    assert.ok(problem(text).includes(`\`${text}\``), problem(text));
  }
  assert.equal(
    problem(" Bash (gh:*)"),
    "` Bash (gh:*)` is not a permission rule: there is a blank in or after the tool's name",
  );
});

Deno.test("a rule may speak of tools that this session does not have", () => {
  const names = ["web_fetch", "browser_open(x)", "mcp__gone__tool", "mcp_connect__gone", "Edit", "Bash"];
  assert.deepEqual(names.filter((name) => !parseRule(name, { isTool: () => false }).ok), []);
});

Deno.test("an empty spec reads as the bare rule where that is stricter, and is refused where it would widen", () => {
  assert.equal(rule("Bash()").text, "Bash");
  const { rules, problems } = readRules({ allow: ["Bash()"], deny: ["Bash()"], ask: ["Edit()"] }, { source: "t" });
  assert.deepEqual(rules.map(({ effect, rule }) => [effect, rule.text]), [["deny", "Bash"], ["ask", "Edit"]]);
  assert.deepEqual(problems.map(({ effect, text }) => [effect, text]), [["allow", "Bash()"]]);
});

Deno.test("the Edit family speaks of every tool that changes files (proves PERM-04)", () => {
  const tools = [
    "write_file",
    "edit_file",
    "multi_edit",
    "move_file",
    "notebook_edit",
    "delete_range",
    "delete_symbol",
  ];
  assert.deepEqual(tools.map((tool) => concerns(rule("edit(x)"), tool)), tools.map(() => true));
  assert.deepEqual(["bash", "read_file", "ls"].map((tool) => concerns(rule("Edit"), tool)), [false, false, false]);
});

Deno.test("a tool's own name is exact, in letter case and in full", () => {
  assert.deepEqual(
    [["read_file", "read_file"], ["Read_file", "read_file"], ["mcp__github__*", "mcp__github__x"]].map((
      [name, tool],
    ) => {
      const parsed = parseRule(name!);
      return parsed.ok && concerns(parsed.rule, tool!);
    }),
    [true, false, false],
  );
});

Deno.test("the list of the command line splits at commas and blanks, never inside parentheses", () => {
  assert.deepEqual(splitRules("Bash(gh:*),Bash(cat:*)"), { ok: true, rules: ["Bash(gh:*)", "Bash(cat:*)"] });
  assert.deepEqual(splitRules(" Edit(a, b)  Bash(npm run (x))\n,read_file "), {
    ok: true,
    rules: ["Edit(a, b)", "Bash(npm run (x))", "read_file"],
  });
  assert.deepEqual(splitRules(""), { ok: true, rules: [] });
  for (const text of ["Bash(gh:*", "Bash(gh))", ")(", "Bash(a) Edit("]) assert.equal(splitRules(text).ok, false);
});

Deno.test("the literal rule for a subject fits that subject alone, whatever is in it", () => {
  fc.assert(fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (subject, other) => {
    const parsed = parseRule(literalRule("Bash", subject));
    assert.ok(parsed.ok);
    const { matcher } = parsed.rule;
    assert.ok(matcher.kind === "exact" || matcher.kind === "literal", JSON.stringify(matcher));
    assert.equal(matcher.text, subject);
    assert.equal(matcher.text === other, subject === other);
  }));
});

Deno.test("a rule is reported in a form that reads back as itself", () => {
  for (
    const text of ["Bash", "Bash(npm test)", "Bash(go test:*)", "Bash(go test *)", "Edit(docs/**)", "Bash=a (b) *"]
  ) {
    assert.deepEqual(rule(rule(text).text), rule(text));
  }
});
