/** The head of a skill's file, as this program and others write it. Pure; routing hints of other tools are left alone. */
import { headText, type HeadValue, parseDocument } from "../../lib/frontmatter.ts";
import { toLine } from "../../lib/terminal_text.ts";
import { UNSEEN } from "../../lib/unseen.ts";
import type { SkillHead } from "./skill.ts";

export type ParsedSkill =
  | { readonly head: SkillHead; readonly marked: boolean; readonly body: string }
  | { readonly problem: string };

export const SKILL_NAME = new RegExp(`^(?!.*[${UNSEEN}])[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]{0,63}$`, "u");
const LONGEST_DESCRIPTION = 1024;
const MOST_TOOLS = 100;

export function parseSkill(text: string): ParsedSkill {
  const { head, body, problem } = parseDocument(text);
  if (problem !== undefined) return { problem };
  const value = (key: string) => headText(head.get(key)).trim();
  const is = (key: string, word: string) => value(key).toLowerCase() === word;
  const name = value("name");
  if (name !== "" && !SKILL_NAME.test(name)) {
    return { problem: `its name ${JSON.stringify(toLine(name, 80))} is not made of letters, digits, _, - and .` };
  }
  const isChild = is("runas", "subagent") || is("context", "fork") || value("agent") !== "";
  return {
    head: {
      ...(name === "" ? {} : { name }),
      description: toLine(value("description"), LONGEST_DESCRIPTION),
      argumentHint: toLine(value("argument-hint"), 80),
      runAs: isChild ? "subagent" : "inline",
      // The second key is what other tools call it.
      manual: is("invocation", "manual") || is("disable-model-invocation", "true"),
      typed: !is("user-invocable", "false"),
      allowedTools: listOf(head.get("allowed-tools") ?? head.get("tools")),
      requires: listOf(head.get("requires")),
    },
    marked: ["name", "runas", "invocation"].some((key) => head.has(key)),
    body,
  };
}

/** `Bash(git log *), Read` is two: commas and blanks inside parentheses part nothing. */
function listOf(value: HeadValue | undefined): readonly string[] {
  const texts = typeof value === "string" ? value.match(/(?:[^\s,(]|\([^)]*\)?)+/g) ?? [] : value ?? [];
  return texts.map((text) => toLine(text)).filter((text) => text !== "").slice(0, MOST_TOOLS);
}
