/** The folders a session works in, and where its settings lie: checked before anything is loaded. */
import { type EnvironmentReader, type ReasonixPaths, resolvePaths } from "../config/mod.ts";
import { ReasonixError } from "../contract/errors.ts";
import { join } from "../lib/path.ts";

export interface Place {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly paths: ReasonixPaths;
  readonly env: EnvironmentReader;
}

export interface PlaceOptions {
  /** The current folder when absent. */
  readonly directory?: string;
  /** Other variables than those of the process. */
  readonly environment?: EnvironmentReader;
}

export const processEnvironment: EnvironmentReader = (name) => Deno.env.get(name);

/** Throws `workspace.unusable`, and `config.unreadable` when there is no home at all. */
export async function findPlace(
  { directory = ".", environment: env = processEnvironment }: PlaceOptions,
): Promise<Place> {
  const root = await realDirectory(join(Deno.cwd(), directory), "--dir");
  return { root, paths: resolvePaths(env, { os: Deno.build.os, cwd: Deno.cwd() }), env };
}

/** `--add-dir`: relative to the workspace, links resolved, each once. */
export async function extraRoots(directories: readonly string[], root: string): Promise<string[]> {
  const real = await Promise.all(directories.map((directory) => realDirectory(join(root, directory), "--add-dir")));
  return [...new Set(real)];
}

async function realDirectory(path: string, flag: string): Promise<string> {
  try {
    const real = await Deno.realPath(path);
    if ((await Deno.stat(real)).isDirectory) return real;
  } catch {
    // Told below, in the same words as a file that is no folder.
  }
  const code = flag === "--dir" ? "workspace.unusable" : "workspace.missing_dir";
  throw new ReasonixError(code, `${flag} ${path} is not a folder`, { remedy: "Name a folder that exists." });
}
