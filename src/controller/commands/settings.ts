/** Settings saved to the user's file: `/theme`, `/language`, `/currency`, `/reasoning-language`. */
import type { CommandAnswer } from "../command.ts";
import { type BuiltIn, choice, type CommandContext, WrongArgument } from "./built_in.ts";
import type { SettingName } from "./host.ts";

const setting = (name: SettingName, hint: string, summary: string): BuiltIn => ({
  name,
  hint,
  summary,
  run: (value, context) => showOrSave(name, value, context),
});

export const SETTINGS: readonly BuiltIn[] = [
  setting("theme", "[auto|light|dark|STYLE]", "Show or change the colours"),
  setting("language", "[auto|en|zh]", "Show or change the language of the interface"),
  setting("reasoning-language", "[auto|en|zh]", "Show or change the language of visible reasoning; for new sessions"),
  setting("currency", "[auto|CNY|USD]", "Show or change the currency costs are shown in"),
];

async function showOrSave(name: SettingName, value: string, { host }: CommandContext): Promise<CommandAnswer> {
  const { inForce, choices } = await host.setting(name);
  if (value === "") {
    return choice(choices.map((one) => ({ value: one, current: inForce.includes(one) })), {
      title: title(name),
      command: name,
    });
  }
  const wanted = choices.find((one) => one.toLowerCase() === value.toLowerCase());
  if (wanted === undefined) throw new WrongArgument(`${name} takes ${choices.join(", ")}; got "${value}"`);
  const saved = await host.saveSetting(name, wanted);
  const holds = saved.inForce.includes(wanted);
  const overruled = holds ? "" : ` It is saved; here ${saved.inForce.join(", ")} holds, from ${saved.source}.`;
  return {
    kind: "frontend",
    action: "setting",
    argument: `${name} ${holds ? wanted : saved.inForce[0]}`,
    text: `${title(name)}: ${wanted}.${overruled}`,
  };
}

function title(name: SettingName): string {
  return name[0]!.toUpperCase() + name.slice(1).replace("-", " ");
}
