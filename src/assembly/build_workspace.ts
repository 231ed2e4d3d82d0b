/** The workspace port and the walls around it, from the machine outwards. */
import { type Config, type EnvironmentReader, expandVariables, type ReasonixPaths } from "../config/mod.ts";
import type { Workspace } from "../contract/workspace.ts";
import { join } from "../lib/path.ts";
import { confineWrites, forbidReads, protectChangedFiles, statePaths } from "../safety/mod.ts";
import { createLocalFiles, createLocalProcesses, createSessionTemp, type SessionTemp } from "../workspace/mod.ts";

export interface WorkspaceOptions {
  readonly root: string;
  readonly config: Config;
  readonly paths: ReasonixPaths;
  readonly env: EnvironmentReader;
  /** `--add-dir`, absolute, links resolved. */
  readonly extraRoots: readonly string[];
  /** Names of saved provider keys: no command sees them. */
  readonly secretNames: readonly string[];
}

export interface BuiltWorkspace {
  readonly workspace: Workspace;
  readonly temp: SessionTemp;
}

/** Each wall is one wrapper; the outermost is asked first. */
export function buildWorkspace(options: WorkspaceOptions): BuiltWorkspace {
  const { root, config, secretNames } = options;
  const temp = createSessionTemp();
  const confined = confineWrites(createLocalFiles(root), {
    roots: writeRoots(options),
    protectedPaths: statePaths(options.paths.home, options.paths.state),
  });
  const readable = forbidReads(confined, { paths: forbiddenPaths(options) });
  const files = config.tools.protectChangedFiles ? protectChangedFiles(readable) : readable;
  const { prefer, path } = config.tools.shell;
  const processes = createLocalProcesses({
    root,
    shell: { prefer, ...(path === "auto" ? {} : { path }) },
    secretNames,
    temp,
  });
  return { workspace: { root, files, processes }, temp };
}

/** The workspace first, as messages list them in this order. */
function writeRoots({ root, config, paths, extraRoots }: WorkspaceOptions): string[] {
  const main = config.sandbox.workspaceRoot === "" ? root : join(root, config.sandbox.workspaceRoot);
  return [...new Set([main, ...extraRoots, ...config.sandbox.allowWrite.map((path) => join(root, path)), paths.home])];
}

/** The user's list, and always where keys and tokens lie. */
function forbiddenPaths({ root, config, paths, env }: WorkspaceOptions): string[] {
  const listed = config.sandbox.forbidRead.map((path) => expandVariables(path, env)).filter((path) => path !== "");
  const own = [paths.envFile, `${paths.home}/remote`, `${paths.home}/credentials`, `${paths.state}/mcp`];
  return [
    ...listed.map((path) => join(root, path)),
    ...(config.secrets.protectCredentialFiles ? own : [paths.envFile]),
  ];
}
