/** `/reload` and `/reload-cmd`: what is written in files is read again. */
import { ReasonixError } from "../../contract/errors.ts";
import { errorText } from "../../lib/error_text.ts";
import { plural } from "../../lib/plural.ts";
import type { CommandAnswer } from "../command.ts";
import { type BuiltIn, type CommandContext, done, reasonOf } from "./built_in.ts";

export const RELOAD: readonly BuiltIn[] = [
  {
    name: "reload",
    hint: "",
    summary: "Read settings, keys, rules, hooks, servers and commands again; the conversation goes on",
    details:
      "Whole or not at all: when one of them cannot be used, everything stays as it is. During a turn it waits " +
      "for the end of it. What requests begin with stays as well: the standing prompt and the tool list. Tools of a " +
      "server that is new are reached through `use_capability`, and the next conversation has everything.",
    run: async (_, context) => {
      const { controller, host } = context;
      const waits = controller.busy;
      const receipt = controller.send({ kind: "reload" });
      if (!receipt.accepted) return { kind: "error", text: receipt.reason };
      const read = receipt.done!.then(() => readSources(context));
      if (!waits) {
        const told = await read;
        return done(["The settings were read again.", ...told].join("\n"));
      }
      read.then(
        (told) => host.tell("info", ["The settings were read again.", ...told].join("\n")),
        (error) =>
          host.tell(
            "error",
            `The settings stay as they were: ${error instanceof ReasonixError ? reasonOf(error) : errorText(error)}`,
          ),
      );
      return done("The settings are read again when what runs has ended.");
    },
  },
  {
    name: "reload-cmd",
    hint: "",
    summary: "Look again for custom commands",
    run: async (_, context): Promise<CommandAnswer> => {
      const told = await readSources(context);
      const own = context.host.sources.flatMap((source) => source.list());
      const custom = own.filter(({ group }) => group === "custom").length;
      return done([plural(custom, "custom command"), ...told].join("\n"));
    },
  },
];

async function readSources({ host }: CommandContext): Promise<readonly string[]> {
  return (await Promise.all(host.sources.map((source) => source.reload?.() ?? []))).flat();
}
