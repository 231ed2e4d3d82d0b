/** The branch of the folder, read from the repository's own files: asking git would run its hooks and cost a process. */
import { dirname, isAbsolute, join } from "../../../lib/path.ts";

/** Branch name, or the first digits of a detached commit. Undefined outside a repository. */
export async function gitBranch(folder: string): Promise<string | undefined> {
  const dir = await gitFolder(folder);
  if (dir === undefined) return undefined;
  const head = (await readSmall(join(dir, "HEAD"))).trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  return branch ?? (/^[0-9a-f]{7,}$/.test(head) ? head.slice(0, 8) : undefined);
}

async function gitFolder(folder: string): Promise<string | undefined> {
  for (let at = folder;; at = dirname(at)) {
    const path = join(at, ".git");
    const info = await Deno.stat(path).catch(() => undefined);
    if (info?.isDirectory) return path;
    if (info?.isFile) {
      // A worktree or submodule: a file that names the folder.
      const target = /^gitdir: (.+)$/m.exec(await readSmall(path))?.[1]?.trim();
      return target === undefined ? undefined : isAbsolute(target) ? target : join(at, target);
    }
    if (at === "/" || dirname(at) === at) return undefined;
  }
}

/** Bytes: a path and a few words. */
const LARGEST = 64 * 1024;

/** Empty for what is no such file: a repository may put a pipe or an endless device there. */
async function readSmall(path: string): Promise<string> {
  try {
    const { isFile, size } = await Deno.stat(path);
    return isFile && size <= LARGEST ? await Deno.readTextFile(path) : "";
  } catch {
    return "";
  }
}
