/** The session's commands as this screen speaks of them: their lines of help in its language. */
import type { Commands } from "../../../controller/mod.ts";
import { commandSummary, type Translate } from "../../view/mod.ts";

/** A session without commands takes every line as a message. */
export function spokenCommands(commands: Commands | undefined, t: () => Translate): Commands {
  if (commands === undefined) return { list: () => [], run: () => Promise.resolve({ kind: "unknown" }) };
  return {
    list: () => {
      const language = t()("language.tag") === "zh" ? "zh" : "en";
      return commands.list().map((command) =>
        command.group === "built_in" ? { ...command, summary: commandSummary(command, language) } : command
      );
    },
    run: (line) => commands.run(line),
  };
}
