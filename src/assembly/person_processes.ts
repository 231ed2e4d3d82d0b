/** Processes for commands that the person types: with their own rights, outside of the walls around the model. */
import type { Processes } from "../contract/workspace.ts";
import { createLocalProcesses } from "../workspace/mod.ts";
import type { Project } from "./project.ts";

export function createPersonProcesses({ root, loaded: { config, keys } }: Project): Processes {
  const { prefer, path } = config.tools.shell;
  return createLocalProcesses({
    root,
    shell: { prefer, ...(path === "auto" ? {} : { path }) },
    secretNames: [...keys.values.keys()],
  });
}
