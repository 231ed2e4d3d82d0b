/** Commands about the installation: how it is set up, where its files lie, and what earlier versions left. */
import { type BuiltIn, text } from "./built_in.ts";

const inShell = (name: string, summary: string, command: string): BuiltIn => ({
  name,
  hint: "",
  summary,
  run: () => text(`In a shell: \`${command}\`. A new session takes it up.`),
});

export const INSTALLATION: readonly BuiltIn[] = [
  inShell("setup", "Say how the program is set up", "reasonix setup"),
  {
    name: "locate",
    hint: "",
    summary: "Show where settings, sessions and instructions lie",
    run: (_, { host, controller }) =>
      text(
        [...host.places, ["this session", controller.sessionPath] as const].map(([what, path]) =>
          `- ${what}: \`${path}\``
        )
          .join("\n"),
      ),
  },
  {
    name: "migrate",
    hint: "",
    summary: "Look again for settings, keys and servers that earlier versions left",
    details: "What is found is copied and never deleted, and what is there already wins; `/reload` takes it up.",
    run: async (_, { host }) => {
      const told = await host.migrate();
      if (told === undefined) return text("REASONIX_HOME is set: nothing is brought along from elsewhere.");
      if (told.length === 0) return text("There is nothing to bring along.");
      return text([...told.map((line) => `- ${line}`), "", "`/reload` takes it up."].join("\n"));
    },
  },
];
