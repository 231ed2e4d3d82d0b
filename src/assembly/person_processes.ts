/** Processes for commands that the person types: with their own rights, outside of the walls around the model. */
import type { Processes } from "../contract/workspace.ts";
import { createLocalProcesses } from "../workspace/mod.ts";
import { shellOf } from "./build_workspace.ts";
import type { Project } from "./project.ts";

export function createPersonProcesses({ root, loaded: { config, keys } }: Project): Processes {
  return createLocalProcesses({
    root,
    shell: shellOf(config),
    secretNames: [...keys.values.keys()],
  });
}
