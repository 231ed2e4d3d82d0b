/** The workspace port and the walls around it, from the machine outwards. */
import { expandVariables } from "../config/mod.ts";
import type { Workspace } from "../contract/workspace.ts";
import { join } from "../lib/path.ts";
import { confineWrites, forbidReads, protectChangedFiles, statePaths } from "../safety/mod.ts";
import { createLocalFiles, createLocalProcesses, createSessionTemp, type SessionTemp } from "../workspace/mod.ts";
import type { Project } from "./project.ts";

export interface BuiltWorkspace {
  readonly workspace: Workspace;
  readonly temp: SessionTemp;
}

/** Each wall is one wrapper; the outermost is asked first. */
export function buildWorkspace(project: Project): BuiltWorkspace {
  const { root, paths } = project;
  const { config, keys } = project.loaded;
  const temp = createSessionTemp();
  const confined = confineWrites(createLocalFiles(root, { writeLog: writeLog(paths) }), {
    roots: writeRoots(project),
    protectedPaths: statePaths(paths.home, paths.state),
  });
  const readable = forbidReads(confined, { paths: forbiddenPaths(project) });
  const files = config.tools.protectChangedFiles ? protectChangedFiles(readable) : readable;
  const { prefer, path } = config.tools.shell;
  const processes = createLocalProcesses({
    root,
    shell: { prefer, ...(path === "auto" ? {} : { path }) },
    // No command sees a saved provider key.
    secretNames: [...keys.values.keys()],
    temp,
  });
  return { workspace: { root, files, processes }, temp };
}

/** Where writes under way are noted, so that the next start finds what a killed process left. */
export function writeLog(paths: Project["paths"]): string {
  return `${paths.state}/pending-writes`;
}

/** The workspace first, as messages list them in this order. */
function writeRoots({ root, loaded: { config }, paths, extraRoots }: Project): string[] {
  const main = config.sandbox.workspaceRoot === "" ? root : join(root, config.sandbox.workspaceRoot);
  return [...new Set([main, ...extraRoots, ...config.sandbox.allowWrite.map((path) => join(root, path)), paths.home])];
}

/** The user's list, and always where keys and tokens lie. */
function forbiddenPaths({ root, loaded: { config }, paths, env }: Project): string[] {
  const listed = config.sandbox.forbidRead.map((path) => expandVariables(path, env)).filter((path) => path !== "");
  const own = [paths.envFile, `${paths.home}/remote`, `${paths.home}/credentials`, `${paths.state}/mcp`];
  return [
    ...listed.map((path) => join(root, path)),
    ...(config.secrets.protectCredentialFiles ? own : [paths.envFile]),
  ];
}
