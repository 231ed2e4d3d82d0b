import assert from "node:assert/strict";
import { parseSkill } from "./skill_head.ts";

const plain = {
  description: "",
  argumentHint: "",
  runAs: "inline",
  manual: false,
  typed: true,
  allowedTools: [],
  requires: [],
};

const headOf = (text: string) => {
  const parsed = parseSkill(text);
  return "problem" in parsed ? parsed.problem : parsed.head;
};

Deno.test("a head gives name, description and how the skill is run; what else stands there is left alone", () => {
  assert.deepEqual(
    parseSkill(
      "---\nname: deploy\ndescription: >-\n  Ship it\n  to staging\ninvocation: manual\nargument-hint: [WHERE]\n" +
        "allowed-tools: Read, Bash(git log *)\nrequires: [grep, mcp__files__read]\nmodel: x\nmetadata:\n  author: me\n---\nDo it.",
    ),
    {
      head: {
        ...plain,
        name: "deploy",
        description: "Ship it to staging",
        argumentHint: "[WHERE]",
        manual: true,
        allowedTools: ["Read", "Bash(git log *)"],
        requires: ["grep", "mcp__files__read"],
      },
      marked: true,
      body: "Do it.",
    },
  );
});

Deno.test("a text without a head is a skill without a description", () => {
  assert.deepEqual(parseSkill("Do it.\n"), { head: plain, marked: false, body: "Do it.\n" });
});

for (
  const [written, runAs] of [
    ["runAs: subagent", "subagent"],
    ["runAs: inline", "inline"],
    ["runAs: something", "inline"],
    ["context: fork", "subagent"],
    ["agent: explore", "subagent"],
    ["agent:", "inline"],
  ] as const
) {
  Deno.test(`"${written}" means ${runAs}`, () => {
    assert.deepEqual(headOf(`---\n${written}\n---\nx`), { ...plain, runAs });
  });
}

Deno.test("what other tools call a skill for people alone, and one for the model alone, is understood", () => {
  assert.deepEqual(headOf("---\ndisable-model-invocation: true\nuser-invocable: false\n---\nx"), {
    ...plain,
    manual: true,
    typed: false,
  });
});

Deno.test("a description is one line without anything a terminal obeys", () => {
  const head = headOf('---\ndescription: "a\\u001b[2J\\nb\\u202e"\n---\nx');
  assert.equal(typeof head === "object" && head.description, "a␛[2J b⟨U+202E⟩");
});

for (
  const [what, text] of [
    ["a head that never ends", "---\nname: x\nbody"],
    ["a line in its head that belongs to no key", "---\nname: x\n}{\n---\nbody"],
    ["a name that leads elsewhere", "---\nname: ../x\n---\nbody"],
    ["a name of several lines", "---\nname: |\n  a\n  b\n---\nbody"],
    ["a name with a letter that is not seen", "---\nname: review\u3164\n---\nbody"],
    ["a name without an end", `---\nname: ${"x".repeat(65)}\n---\nbody`],
  ]
) {
  Deno.test(`a file with ${what} is no skill`, () => assert.equal(typeof headOf(text!), "string"));
}
