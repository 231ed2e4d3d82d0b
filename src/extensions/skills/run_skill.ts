/** The tool with which the model reads a skill. It only reads: what the text tells it to do goes through other tools. */
import { ToolError } from "../../contract/errors.ts";
import type { Tool, ToolKind } from "../../contract/tool.ts";
import { closestName } from "../../lib/closest_name.ts";
import type { SkillShelf } from "./shelf.ts";
import description from "./run_skill.md" with { type: "text" };

export const RUN_SKILL = "run_skill";

/** Bytes of a result, which is then never cut once more. */
const ROOM = 32_000;

/** `direct`: the skills stand in the system prompt of this conversation; otherwise nothing of it is in a request. */
export function createRunSkill(
  shelf: Pick<SkillShelf, "load" | "find" | "pin" | "offered">,
  { direct }: { readonly direct: boolean },
): ToolKind {
  return {
    name: RUN_SKILL,
    create: (): Tool => ({
      name: RUN_SKILL,
      description,
      readOnly: true,
      direct,
      schema: {
        type: "object",
        properties: { name: { type: "string" }, arguments: { type: "string" } },
        required: ["name"],
      },
      async execute(args) {
        await shelf.load();
        const name = args.name as string;
        const skill = shelf.find(name);
        if (skill === undefined) throw new ToolError(unknown(name, shelf.offered.map((one) => one.name)));
        if (skill.runAs === "subagent") throw new ToolError(needsChild(name));
        const text = await shelf.pin(skill, { args: args.arguments as string | undefined ?? "", room: ROOM });
        if (typeof text !== "string") throw new ToolError(text.problem);
        return { text, bound: { keep: "head", bytes: 32_768 } };
      },
    }),
  };
}

/** For the model and for people. */
export function needsChild(name: string): string {
  return `the skill ${name} runs in a child agent (runAs: subagent), and this version has none; nothing was done`;
}

function unknown(name: string, known: readonly string[]): string {
  const near = closestName(name, known);
  const instead = near !== undefined
    ? `did you mean ${near}?`
    : known.length === 0
    ? "there are none to choose from"
    : `there are: ${known.slice(0, 30).join(", ")}${known.length > 30 ? " …" : ""}`;
  return `there is no skill ${JSON.stringify(name)}; ${instead}`;
}
