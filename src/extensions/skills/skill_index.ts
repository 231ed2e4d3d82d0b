/**
 * What the model is told of skills when a conversation begins: one line each, in the order of their names, all together
 * within a bound. The same skills give the same bytes; the text stays as it is for the whole session.
 */
import { toLine } from "../../lib/terminal_text.ts";
import type { Skill } from "./skill.ts";
import intro from "./skill_index.md" with { type: "text" };

/** Characters of all lines together; about 2000 tokens. */
const ROOM = 8_000;
/** Characters of a description: as many as leave room for the others, within these. */
const LONGEST = 500;
const SHORTEST = 60;

export function toSkillPrompt(skills: readonly Skill[]): string {
  const spent = skills.reduce((sum, { name }) => sum + name.length + "- : \n".length, 0);
  const share = Math.floor((ROOM - spent) / Math.max(1, skills.length));
  const limit = Math.max(SHORTEST, Math.min(LONGEST, share));
  const lines: string[] = [];
  let room = ROOM;
  for (const { name, description } of skills) {
    const line = `- ${name}: ${toLine(description, limit)}`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const left = skills.length - lines.length;
  const more = left === 0 ? [] : [`- and ${left} more: use_capability with action "search" finds them`];
  return `${intro.trim().replace(/(?<!\n)\n(?!\n)/g, " ")}\n\n${[...lines, ...more].join("\n")}`;
}
