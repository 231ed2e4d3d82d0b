/** One level of a folder of the workspace, for completion: names only, told apart by whether git ignores them. */
import { isFolder } from "../lib/at_path.ts";
import { isInside, join } from "../lib/path.ts";
import { readPlainText } from "../lib/reach.ts";
import { IgnoreFile, IgnoreScope } from "../tools/search/gitignore.ts";

export interface FolderEntry {
  readonly name: string;
  readonly folder: boolean;
  readonly ignored: boolean;
}

/** Entries looked at, and milliseconds for telling which are ignored: neither a huge folder nor endless rules hold up typing. */
const MOST = 5_000;
const PATIENCE_MS = 100;

/**
 * Folders first, then by name. `folder` is relative to `root`, which is absolute with links resolved. Empty for what is
 * no readable folder inside it, also by way of a link.
 */
export async function listFolder(
  root: string,
  folder: string,
  signal: AbortSignal,
  { patienceMs = PATIENCE_MS } = {},
): Promise<readonly FolderEntry[]> {
  const entries: { name: string; folder: boolean }[] = [];
  const parts = folder.split("/").filter((part) => part !== "" && part !== ".");
  try {
    const path = await Deno.realPath(join(root, ...parts));
    if (!isInside(path, root)) return [];
    for await (const entry of Deno.readDir(path)) {
      if (signal.aborted) return [];
      if (entry.name === ".git") continue;
      const folder = entry.isDirectory || (entry.isSymlink && isFolder(join(path, entry.name)));
      entries.push({ name: entry.name, folder });
      if (entries.length >= MOST) break;
    }
  } catch {
    return [];
  }
  const ignored = await ignoredBelow(root, parts);
  const end = performance.now() + patienceMs;
  return entries
    .map((entry) => ({ ...entry, ignored: performance.now() < end && ignored(entry.name, entry.folder) }))
    .sort((a, b) => Number(b.folder) - Number(a.folder) || (a.name < b.name ? -1 : 1));
}

/** Bytes. */
const LARGEST_RULES = 1024 * 1024;

/** The rules of every `.gitignore` from the root down to the folder. Below an ignored folder everything is. */
async function ignoredBelow(
  root: string,
  parts: readonly string[],
): Promise<(name: string, folder: boolean) => boolean> {
  let path = root;
  let scope = IgnoreScope.none.with(await rulesOf(path));
  for (const part of parts) {
    if (scope.ignores(part, true)) return () => true;
    path = join(path, part);
    scope = scope.enter(part).with(await rulesOf(path));
  }
  return (name, folder) => scope.ignores(name, folder);
}

async function rulesOf(folder: string): Promise<IgnoreFile> {
  const text = await readPlainText(join(folder, ".gitignore"), LARGEST_RULES);
  return new IgnoreFile(typeof text === "string" ? text : "");
}
