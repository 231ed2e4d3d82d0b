/** The folders a session works in: checked before anything is loaded. */
import { ReasonixError } from "../contract/errors.ts";
import { join } from "../lib/path.ts";

/** Absolute, links resolved. Throws `workspace.unusable`. */
export async function workspaceRoot(directory: string | undefined): Promise<string> {
  return await realDirectory(join(Deno.cwd(), directory ?? "."), "--dir");
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
