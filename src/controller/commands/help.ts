/** `/help`, and how a command is explained. */
import type { CommandView } from "../command.ts";
import type { BuiltIn } from "./built_in.ts";

export const HELP: BuiltIn = {
  name: "help",
  aliases: ["?"],
  hint: "[COMMAND]",
  summary: "Show the commands and keys, or explain one command",
  run: (argument, { controller }) => {
    const list = controller.commands?.list() ?? [];
    if (argument === "") return { kind: "frontend", action: "help", argument: "", text: helpList(list) };
    const name = argument.replace(/^\//, "");
    const view = list.find((one) => one.name === name || one.aliases?.includes(name));
    if (view === undefined) return { kind: "error", text: `There is no command /${name}.` };
    return { kind: "text", text: helpOf(view) };
  },
};

export function usageOf({ name, hint }: { readonly name: string; readonly hint: string }): string {
  return `Usage: /${name}${hint === "" ? "" : ` ${hint}`}`;
}

function helpList(list: readonly CommandView[]): string {
  return list.map(({ name, argumentHint: hint, summary }) => `- \`/${name}${hint ? ` ${hint}` : ""}\` ${summary}`).join(
    "\n",
  );
}

function helpOf({ name, argumentHint, summary, aliases = [], details }: CommandView): string {
  return [
    `\`${usageOf({ name, hint: argumentHint })}\``,
    summary,
    ...(aliases.length > 0 ? [`Also: ${aliases.map((alias) => `/${alias}`).join(", ")}`] : []),
    ...(details === undefined ? [] : [details]),
  ].join("\n\n");
}
