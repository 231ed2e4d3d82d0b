/** Where a path really leads: links resolved, also dangling ones, as far as anything exists. */
import { FileError } from "../contract/workspace.ts";
import { basename, dirname, join } from "../lib/path.ts";
import { isMissing, toFileError } from "./file_failure.ts";

/** As many as Linux follows before it calls a chain of links a loop. */
const MAX_LINKS = 40;

/**
 * Resolved form of the deepest existing ancestor plus the rest. A dangling link leads where it points: what a write
 * through it would create is what is judged.
 */
export async function resolvePath(path: string, links = 0): Promise<string> {
  try {
    return slashes(await Deno.realPath(path));
  } catch (error) {
    if (!isMissing(error)) throw toFileError(error, path);
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const pointsTo = await danglingTarget(path);
  if (pointsTo === undefined) return join(await resolvePath(parent, links), basename(path));
  if (links >= MAX_LINKS) throw new FileError("bad_path", path, `${path} leads through too many links`);
  return await resolvePath(join(await resolvePath(parent, links), pointsTo), links + 1);
}

async function danglingTarget(path: string): Promise<string | undefined> {
  try {
    const info = await Deno.lstat(path);
    return info.isSymlink ? await Deno.readLink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toFileError(error, path);
  }
}

function slashes(path: string): string {
  if (Deno.build.os !== "windows") return path;
  return path.replace(/^\\\\\?\\(?!UNC)/, "").replaceAll("\\", "/");
}
