/**
 * Which parts of git's own data a confined command may change. Commits, branches and merges need most of it; settings
 * and hooks run programs later, outside the walls, and stay as they are. Found by reading the files git reads: git
 * itself is never run here, since a repository can make it run anything.
 *
 * A linked work tree or a submodule keeps its data elsewhere. That place becomes writable only when it points back to
 * the work tree: a `.git` file that came with a repository cannot name somebody else's.
 */
import { realOf } from "../../lib/at_path.ts";
import { dirname, isAbsolute, isInside, join } from "../../lib/path.ts";
import { hardLinks, isLink, kindOf, namesIn, textOf } from "./disk_facts.ts";

export interface GitMetadata {
  /** Existing folders that stay writable and cannot be moved or replaced. Links resolved. */
  readonly pinned: readonly string[];
  /** Existing files and folders that stay as they are. Links resolved. */
  readonly readOnly: readonly string[];
  /** What would decide what git runs and does not exist: no wall can stand where nothing is, so it must not appear. */
  readonly absent: readonly string[];
  /** A file that must stay as it is but has another name, through which it could be changed. */
  readonly linked?: string;
}

/** Files with settings, and `hooks/`: they decide what git runs. */
const SETTINGS = ["config", "config.worktree", "commondir"];
const HOOKS = "hooks";

export interface GitLimits {
  /** Rules for single work trees and modules; beyond it the whole folder is read-only. */
  readonly each: number;
}

/**
 * What was protected before in this session. A command can make a repository look like none for a moment (take its
 * HEAD away, point it elsewhere); what was once protected stays so as long as it exists.
 */
export interface GitMemory {
  readonly pinned: Set<string>;
  readonly readOnly: Set<string>;
}

export function gitMetadata(
  writeRoots: readonly string[],
  limits: GitLimits,
  memory: GitMemory = { pinned: new Set(), readOnly: new Set() },
): GitMetadata {
  const { pinned, readOnly } = memory;
  const absent = new Set<string>();
  for (const path of [...pinned, ...readOnly]) {
    if (kindOf(path) !== undefined) continue;
    pinned.delete(path);
    readOnly.delete(path);
  }
  for (const found of writeRoots.flatMap((root) => discover(root, writeRoots))) {
    if (found.link !== undefined) readOnly.add(found.link);
    for (const folder of new Set([found.gitdir, found.common])) {
      pinned.add(folder);
      protect(folder, [...SETTINGS, HOOKS], { readOnly, absent });
    }
    protectWorkTrees(found, { pinned, readOnly, absent, limits });
    protectModules(join(found.common, "modules"), { pinned, readOnly, absent, limits });
  }
  const linked = [...readOnly].flatMap(filesOf).find((path) => hardLinks(path) > 1);
  const kept = { pinned: [...pinned], readOnly: [...readOnly], absent: [...absent] };
  return { ...kept, ...(linked === undefined ? {} : { linked }) };
}

interface Repository {
  readonly gitdir: string;
  readonly common: string;
  /** The `.git` file that leads to `gitdir`, when there is one. */
  readonly link?: string;
}

/** The repository that git would find from `root`, and `root` itself when it is one: those whose data may be written. */
function discover(root: string, writeRoots: readonly string[]): Repository[] {
  const above = discoverAbove(root, writeRoots);
  const own = isRepository(root) ? withCommon({ gitdir: root, workTree: root, writeRoots }) : undefined;
  return [above ?? [], own ?? []].flat();
}

function discoverAbove(root: string, writeRoots: readonly string[]): Repository | undefined {
  for (let folder = root;; folder = dirname(folder)) {
    const entry = join(folder, ".git");
    const kind = kindOf(entry);
    if (kind === "folder") {
      const gitdir = realOf(entry);
      if (gitdir === undefined) return undefined;
      // A link may lead anywhere; a folder of that name is what it seems.
      if (isLink(entry) && !writeRoots.some((one) => isInside(gitdir, one))) return undefined;
      return withCommon({ gitdir, workTree: folder, writeRoots });
    }
    if (kind === "file") {
      const target = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(entry) ?? "")?.[1];
      const gitdir = target === undefined ? undefined : realOf(from(folder, target));
      const link = realOf(entry);
      if (gitdir === undefined || link === undefined) return undefined;
      return withCommon({ gitdir, workTree: folder, link, writeRoots });
    }
    if (folder === dirname(folder)) return undefined;
  }
}

interface Candidate {
  readonly gitdir: string;
  readonly workTree: string;
  readonly link?: string;
  readonly writeRoots: readonly string[];
}

function withCommon({ gitdir, workTree, link, writeRoots }: Candidate): Repository | undefined {
  const pointer = textOf(join(gitdir, "commondir"))?.trim();
  const isOwn = (path: string) => writeRoots.some((root) => isInside(path, root)) || path === join(workTree, ".git");
  const named = pointer === undefined ? gitdir : realOf(from(gitdir, pointer));
  // Of a folder of our own that names somebody else's, the folder itself is still protected.
  const common = isOwn(gitdir) && (named === undefined || !isOwn(named)) ? gitdir : named;
  if (common === undefined) return undefined;
  const found = { gitdir, common, ...(link === undefined ? {} : { link }) };
  if (isOwn(gitdir)) return found;
  if (link === undefined) return undefined;
  const isWorkTree = isInside(gitdir, join(common, "worktrees")) &&
    realOf(from(gitdir, textOf(join(gitdir, "gitdir"))?.trim() ?? "")) === link;
  const isModule = common === gitdir && realOf(from(gitdir, workTreeSetting(gitdir) ?? "")) === realOf(workTree);
  return isWorkTree || isModule ? found : undefined;
}

function workTreeSetting(gitdir: string): string | undefined {
  return /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(textOf(join(gitdir, "config")) ?? "")?.[1];
}

function isRepository(folder: string): boolean {
  return kindOf(join(folder, "HEAD")) === "file" && kindOf(join(folder, "objects")) === "folder" &&
    kindOf(join(folder, "refs")) === "folder";
}

function protect(
  gitdir: string,
  names: readonly string[],
  { readOnly, absent }: Pick<Protection, "readOnly" | "absent">,
): void {
  for (const name of names) {
    const path = realOf(join(gitdir, name));
    if (path !== undefined) readOnly.add(path);
    else if (!isLink(join(gitdir, name))) absent.add(join(gitdir, name));
  }
}

interface Protection extends GitMemory {
  readonly absent: Set<string>;
  readonly limits: GitLimits;
}

function protectWorkTrees({ gitdir, common }: Repository, { pinned, readOnly, absent, limits }: Protection): void {
  const folder = join(common, "worktrees");
  const all = namesIn(folder).filter((entry) => entry.isDirectory);
  if (kindOf(folder) === "folder") pinned.add(folder);
  if (all.length > limits.each) {
    pinned.delete(folder);
    readOnly.add(folder);
    pinned.add(gitdir);
    return;
  }
  for (const { name } of all) {
    pinned.add(join(folder, name));
    protect(join(folder, name), SETTINGS, { readOnly, absent });
  }
}

function protectModules(folder: string, { pinned, readOnly, absent, limits }: Protection): void {
  const gitdirs: string[] = [];
  const folders: string[] = [];
  const visit = (path: string): void => {
    if (gitdirs.length > limits.each || folders.length > 4 * limits.each) return;
    folders.push(path);
    for (const entry of namesIn(path)) {
      if (!entry.isDirectory) continue;
      const inner = join(path, entry.name);
      if (!isRepository(inner) && kindOf(join(inner, "config")) !== "file") visit(inner);
      else {
        gitdirs.push(inner);
        if (kindOf(join(inner, "modules")) === "folder") visit(join(inner, "modules"));
      }
    }
  };
  if (kindOf(folder) !== "folder") return;
  visit(folder);
  if (gitdirs.length > limits.each || folders.length > 4 * limits.each) {
    readOnly.add(folder);
    return;
  }
  for (const path of [...folders, ...gitdirs]) pinned.add(path);
  for (const gitdir of gitdirs) protect(gitdir, [...SETTINGS, HOOKS], { readOnly, absent });
}

/** A file itself, or the files of a hooks folder that git would run. */
function filesOf(path: string): string[] {
  if (kindOf(path) === "file") return [path];
  if (!path.endsWith(`/${HOOKS}`)) return [];
  return namesIn(path).filter((entry) => entry.isFile && !entry.name.endsWith(".sample"))
    .map((entry) => join(path, entry.name));
}

function from(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
