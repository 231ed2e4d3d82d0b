import assert from "node:assert/strict";
import { toSkillPrompt } from "./skill_index.ts";
import { hasSkillPrompt } from "./shelf.ts";
import type { Skill } from "./skill.ts";

const skill = (name: string, description: string) => ({ name, description } as Skill);
const linesOf = (prompt: string) => prompt.split("\n").filter((line) => line.startsWith("- "));

Deno.test("each skill is one line under a heading that a stored prompt is known by", () => {
  const prompt = toSkillPrompt([skill("a", "first"), skill("b", "second")]);
  assert.match(prompt, /^# Skills kept ready\n\n.*run_skill.*\n\n- a: first\n- b: second$/);
  assert.ok(hasSkillPrompt(`You are …\n\n${prompt}`));
  assert.ok(!hasSkillPrompt("You are …\n\n# Skills\n\n- none"));
});

Deno.test("however many and however long, the lines stay within their bound", () => {
  for (const [count, length] of [[1, 5_000], [10, 1_024], [40, 1_024], [300, 1_024], [300, 10]] as const) {
    const skills = Array.from({ length: count }, (_, n) => skill(`skill-${n}`, "字".repeat(length)));
    const lines = linesOf(toSkillPrompt(skills));
    assert.ok(lines.join("\n").length <= 8_100, `${count} of ${length}: ${lines.join("\n").length}`);
    const told = lines.filter((line) => /^- skill-\d+: /.test(line)).length;
    const left = Number(/and (\d+) more/.exec(lines.at(-1)!)?.[1] ?? 0);
    assert.equal(told + left, count);
    assert.ok(told >= Math.min(count, 90), `${told} of ${count}`);
  }
});
