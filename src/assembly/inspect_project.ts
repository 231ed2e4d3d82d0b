/** A folder and its settings for commands that look or mend: opens whatever state the files are in, writes nothing. */
import {
  type EnvironmentReader,
  inspectConfig,
  type InspectedConfig,
  type ReasonixPaths,
  resolvePaths,
} from "../config/mod.ts";
import { workspaceRoot } from "./directory.ts";
import { trustInForce } from "./folder_trust.ts";

export interface InspectedProject {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly paths: ReasonixPaths;
  readonly env: EnvironmentReader;
  readonly trusted: boolean;
  readonly loaded: InspectedConfig;
}

export interface InspectOptions {
  /** Folder to look at; the current one when absent. */
  readonly directory?: string;
  readonly environment?: EnvironmentReader;
}

/** Throws `workspace.unusable`, and `config.unreadable` when there is no home at all. */
export async function inspectProject(options: InspectOptions = {}): Promise<InspectedProject> {
  const env = options.environment ?? ((name) => Deno.env.get(name));
  const root = await workspaceRoot(options.directory);
  const paths = resolvePaths(env, { os: Deno.build.os, cwd: Deno.cwd() });
  const { trusted, agrees } = await trustInForce(paths, root);
  const loaded = await inspectConfig({ paths, workspace: root, trusted, agreed: agrees, env });
  return { root, paths, env, trusted, loaded };
}
