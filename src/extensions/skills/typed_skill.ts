/**
 * A skill that the person names: `/name arguments` as the message of a turn. The words stay as typed; the skill's text
 * goes before them, read when the turn begins. Nothing in that text is taken for the person's own words.
 */
import type { LoopObserver } from "../../contract/observer.ts";
import type { SkillShelf } from "./shelf.ts";
import type { Skill } from "./skill.ts";

const TYPED = /^\/([\p{L}_][\p{L}\p{N}_.-]*)(?:\s+([^]*))?$/u;
/** Bytes. */
const ROOM = 64 * 1024;

/** Named so, it can stand behind a slash. */
export function isTypable({ name, typed, runAs }: Skill): boolean {
  return typed && runAs === "inline" && TYPED.test(`/${name}`);
}

export function createTypedSkills(shelf: Pick<SkillShelf, "load" | "find" | "pin">): LoopObserver {
  return {
    name: "skills",
    turnBegins: async ({ text }) => {
      const [, name, args = ""] = TYPED.exec(text.trim()) ?? [];
      if (name === undefined) return undefined;
      await shelf.load();
      const skill = shelf.find(name);
      if (skill === undefined || !isTypable(skill)) return undefined;
      const pin = await shelf.pin(skill, { args, room: ROOM });
      if (typeof pin !== "string") return { refusal: pin.problem };
      return { before: [`The user asks for the skill ${name}. Its instructions:\n\n${pin}`] };
    },
  };
}
