/** What is done from a shell: the commands say where. */
import { type BuiltIn, text } from "./built_in.ts";

const inShell = (name: string, summary: string, command: string): BuiltIn => ({
  name,
  hint: "",
  summary,
  run: () => text(`In a shell: \`${command}\`. A new session takes it up.`),
});

export const ELSEWHERE: readonly BuiltIn[] = [
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
];
