/** The workspace port and the walls around it, from the machine outwards. */
import { createLocalFiles, createLocalProcesses, createSessionTemp, type SessionTemp } from "../workspace/mod.ts";
import type { Config, ReasonixPaths } from "../config/mod.ts";
import type { Workspace } from "../contract/workspace.ts";

export interface WorkspaceOptions {
  readonly root: string;
  readonly config: Config;
  readonly paths: ReasonixPaths;
  readonly extraRoots: readonly string[];
  /** Names of saved provider keys: no command sees them. */
  readonly secretNames: readonly string[];
}

export interface BuiltWorkspace {
  readonly workspace: Workspace;
  readonly temp: SessionTemp;
}

export function buildWorkspace(options: WorkspaceOptions): BuiltWorkspace {
  const { root, config, secretNames } = options;
  const temp = createSessionTemp();
  const processes = createLocalProcesses({
    root,
    shell: {
      prefer: config.tools.shell.prefer,
      ...(config.tools.shell.path === "auto" ? {} : { path: config.tools.shell.path }),
    },
    secretNames,
    temp,
  });
  return { workspace: { root, files: createLocalFiles(root), processes }, temp };
}
