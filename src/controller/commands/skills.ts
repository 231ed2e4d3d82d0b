/** `/skills`: which skills there are, who may use them, and which are switched off. */
import type { CommandAnswer, SkillRow } from "../command.ts";
import { type BuiltIn, type CommandContext, done, text, WrongArgument } from "./built_in.ts";

export const SKILLS: BuiltIn = {
  name: "skills",
  hint: "[rescan|sources|enable NAME…|disable NAME…]",
  summary: "Show the skills, switch them on or off",
  details: "What is switched off is kept in your settings. The model is told of changes when a conversation begins.",
  run: async (argument, context) => {
    const { skills } = context.host;
    switch (argument) {
      case "":
        return await list(context);
      case "sources":
        return text(await skills.sources());
      case "rescan": {
        const told = await skills.rescan();
        const answer = await list(context);
        if (told.length === 0) return answer;
        return { ...answer, text: `${answer.text}\n\n${told.join("\n")}`, notices: told };
      }
      default:
        return await turn(argument.split(/\s+/), context);
    }
  },
};

async function list({ host }: CommandContext): Promise<CommandAnswer & { readonly kind: "skills" }> {
  const skills = await host.skills.list();
  const lines = skills.map(({ name, on, use, scope, description }) =>
    `- [${on ? "x" : " "}] ${name} (${scope.replace("_", "-")}${USE[use]}): ${description}`
  );
  return { kind: "skills", skills, text: lines.join("\n") };
}

const USE: Readonly<Record<SkillRow["use"], string>> = {
  model: "",
  person: ", for you alone",
  nobody: ", needs child agents, which this version has not",
};

/** `enable a b disable c`: a verb holds for the names behind it. */
async function turn(words: readonly string[], { host }: CommandContext): Promise<CommandAnswer> {
  const names = { on: [] as string[], off: [] as string[] };
  let verb: "on" | "off" | undefined;
  for (const word of words) {
    if (word === "enable" || word === "disable") verb = word === "enable" ? "on" : "off";
    else if (verb === undefined) throw new WrongArgument(`"${word}" is nothing to do with skills`);
    else names[verb].push(word);
  }
  const all = [...names.on, ...names.off];
  if (all.length === 0) throw new WrongArgument(`${words.at(-1)} needs the name of a skill`);
  const known = (await host.skills.list()).map(({ name }) => name);
  const strange = all.find((name) => !known.includes(name));
  if (strange !== undefined) return { kind: "error", text: `There is no skill "${strange}".` };
  const kept = await host.skills.turn(names);
  const said = [
    ...(names.on.length === 0 ? [] : [`on: ${names.on.join(", ")}`]),
    ...(names.off.length === 0 ? [] : [`off: ${names.off.join(", ")}`]),
  ];
  const but = kept.length === 0 ? "" : ` The settings of this folder keep as they were: ${kept.join(", ")}.`;
  return done(`Skills ${said.join("; ")}.${but}`);
}
