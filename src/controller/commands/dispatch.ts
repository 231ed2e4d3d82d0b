/** One list and one dispatch for every slash command, whoever brought it. */
import { closestName } from "../../lib/closest_name.ts";
import { ownValue } from "../../lib/own_value.ts";
import type { CommandAnswer, Commands, CommandView } from "../command.ts";
import { type BuiltIn, type CommandContext, toErrorAnswer, WrongArgument } from "./built_in.ts";
import { usageOf } from "./help.ts";
import { createServerPrompts } from "./server_prompts.ts";
import { BUILT_IN, RETIRED } from "./table.ts";

export function createCommands(context: CommandContext): Commands {
  const sources = [...context.host.sources, createServerPrompts(context.controller)];

  const offered = () => sources.flatMap((source) => source.list());

  /** Built-in names are never taken over, but for those that give way. */
  const isTaken = ({ name, fallback }: BuiltIn) => fallback !== undefined && offered().some((one) => one.name === name);

  const foreign = (): readonly CommandView[] => {
    const taken = new Set(
      BUILT_IN.flatMap(({ name, aliases = [], fallback }) => [fallback ?? name, ...aliases]),
    );
    return offered().filter(({ name }) => {
      if (taken.has(name)) return false;
      taken.add(name);
      return true;
    });
  };

  return {
    list: () => [...BUILT_IN.map((command) => toView(command, { giveWay: isTaken(command) })), ...foreign()],

    run: async (line) => {
      const [, name = "", rest = ""] = /^\/(\S*)\s*([^]*)$/.exec(line) ?? [];
      const argument = rest.trim();
      const builtIn = BUILT_IN.find((known) =>
        (known.name === name && !isTaken(known)) || known.fallback === name || known.aliases?.includes(name)
      );
      try {
        if (builtIn) return await runBuiltIn(builtIn, argument, context);
        for (const source of sources) {
          const answer = await source.run(name, argument);
          if (answer) return answer;
        }
      } catch (error) {
        return toErrorAnswer(error);
      }
      const retired = ownValue(RETIRED, name);
      if (retired) return { kind: "error", text: `/${name} is no more. ${retired}` };
      const nearest = closestName(
        name,
        [...BUILT_IN, ...foreign()].flatMap(({ name, aliases = [] }) => [name, ...aliases]),
      );
      return { kind: "unknown", ...(nearest === undefined ? {} : { nearest: `/${nearest}` }) };
    },
  };
}

async function runBuiltIn(command: BuiltIn, argument: string, context: CommandContext): Promise<CommandAnswer> {
  try {
    if (command.hint === "" && argument !== "" && command.name !== "clear") {
      throw new WrongArgument(`/${command.name} takes nothing behind it`);
    }
    return await command.run(argument, context);
  } catch (error) {
    if (!(error instanceof WrongArgument)) throw error;
    return { kind: "error", text: `${error.message}.\n${usageOf(command)}` };
  }
}

function toView(
  { name, aliases, fallback, hint, summary, details }: BuiltIn,
  { giveWay }: { readonly giveWay: boolean },
): CommandView {
  return {
    name: giveWay ? fallback! : name,
    ...(aliases ? { aliases } : {}),
    summary,
    argumentHint: hint,
    group: "built_in",
    ...(details === undefined ? {} : { details }),
  };
}
