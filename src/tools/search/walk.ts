/**
 * The files below a folder, in a fixed order: those of a folder by name, then each of its folders. Links are named but
 * never followed, pipes and devices are left out, so every real file comes once and no walk is endless. Hidden and
 * ignored entries are skipped; what cannot be read is kept for the reply.
 */
import { FileError, type Files } from "../../contract/workspace.ts";
import { dirname, join, relativeTo } from "../../lib/path.ts";
import { toText } from "../../lib/bytes.ts";
import { IgnoreFile, IgnoreScope } from "./gitignore.ts";

/** Folders listed ahead of the one at hand. */
const AHEAD = 8;
/** Ignore files beyond this are cut: nobody writes them by hand. Bytes. */
const IGNORE_FILE_LIMIT = 1 << 20;

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** Names from the folder the walk started at. */
  readonly names: readonly string[];
}

export interface FoundFolder {
  readonly path: string;
  readonly names: readonly string[];
  readonly files: readonly FoundFile[];
}

export interface WalkOptions {
  /** Absolute. Its own ignoring is not asked: it was named outright. */
  readonly folder: string;
  /** Skip what git ignores, or come with that alone. */
  readonly ignored: "skip" | "only";
  /** Also names that start with a dot. */
  readonly hidden: boolean;
  /** A folder that answers false is not entered. */
  enter?(names: readonly string[]): boolean;
  /** Asked before each folder; true ends the walk. */
  stop(): boolean;
}

/** What a walk noticed. Filled while it runs. */
export interface WalkReport {
  /** Absolute paths of folders that could not be read. */
  readonly unreadable: string[];
  /** Entries whose names are no UTF-8, with the odd bytes replaced: nothing here can open them. */
  readonly unnameable: string[];
  /** Something was left out because it is ignored. */
  skippedIgnored: boolean;
}

interface Node {
  readonly path: string;
  readonly names: readonly string[];
  /** Of the parent, entered. */
  readonly scope: IgnoreScope;
  /** Everything below is ignored. */
  readonly ignored: boolean;
  listing?: Promise<Listing>;
}

interface Listing {
  readonly entries: readonly { readonly name: string; readonly kind: string }[];
  readonly scope: IgnoreScope;
  readonly failed: boolean;
}

export function emptyReport(): WalkReport {
  return { unreadable: [], unnameable: [], skippedIgnored: false };
}

export async function* walkFolders(
  files: Files,
  options: WalkOptions,
  report: WalkReport,
): AsyncGenerator<FoundFolder> {
  const stack: Node[] = [{
    path: options.folder,
    names: [],
    scope: await scopeAbove(files, options.folder),
    ignored: false,
  }];
  const begin = (node: Node): Promise<Listing> => {
    if (node.listing === undefined) {
      node.listing = list(files, node);
      // A failure is told at the folder's turn.
      node.listing.catch(() => {});
    }
    return node.listing;
  };
  try {
    for (let node = stack.pop(); node !== undefined && !options.stop(); node = stack.pop()) {
      const listing = begin(node);
      for (const next of stack.slice(-AHEAD)) begin(next);
      const { entries, scope, failed } = await listing;
      if (failed) report.unreadable.push(node.path);
      const found: FoundFile[] = [];
      const below: Node[] = [];
      for (const { name, kind } of entries) {
        if (kind !== "file" && kind !== "directory") continue;
        if (!options.hidden && name.startsWith(".")) continue;
        const ignored = node.ignored || scope.ignores(name, kind === "directory");
        if (ignored && options.ignored === "skip") {
          report.skippedIgnored = true;
          continue;
        }
        const path = node.path === "/" ? `/${name}` : `${node.path}/${name}`;
        if (name.includes("\ufffd") && await statOf(files, path) === undefined) {
          report.unnameable.push(path);
          continue;
        }
        const names = [...node.names, name];
        if (kind === "file") {
          if (ignored || options.ignored === "skip") found.push({ path, names });
        } else if (options.enter?.(names) !== false) {
          below.push({ path, names, scope: scope.enter(name), ignored });
        }
      }
      for (let i = below.length - 1; i >= 0; i--) stack.push(below[i]!);
      yield { path: node.path, names: node.names, files: found };
    }
  } finally {
    await Promise.allSettled(stack.map((node) => node.listing));
  }
}

async function list(files: Files, node: Node): Promise<Listing> {
  try {
    const entries = await files.list(node.path);
    const own = entries.some((entry) => entry.name === ".gitignore" && entry.kind === "file");
    const scope = own ? node.scope.with(await readRules(files, `${node.path}/.gitignore`)) : node.scope;
    return { entries, scope, failed: false };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    // What is gone or no folder any more is not missed.
    const failed = error.failure === "denied" || error.failure === "failed";
    return { entries: [], scope: node.scope, failed };
  }
}

/** The rules that reach into `folder` from above it: of the repository it lies in, or none. */
async function scopeAbove(files: Files, folder: string): Promise<IgnoreScope> {
  const above: string[] = [];
  for (let at = folder;; at = dirname(at)) {
    above.unshift(at);
    const git = await statOf(files, join(at, ".git"));
    if (git === undefined) {
      if (at === "/" || dirname(at) === at) return IgnoreScope.none;
      continue;
    }
    const common = git === "directory" ? join(at, ".git") : await commonFolder(files, at);
    let scope = IgnoreScope.none;
    if (common !== undefined) scope = scope.with(await readRules(files, join(common, "info/exclude")));
    // The folder's own file is read with the folder.
    for (const [i, parent] of above.slice(0, -1).entries()) {
      scope = scope.with(await readRules(files, join(parent, ".gitignore")));
      scope = scope.enter(relativeTo(above[i + 1]!, parent));
    }
    return scope;
  }
}

/** Where a linked worktree keeps what it shares. */
async function commonFolder(files: Files, worktree: string): Promise<string | undefined> {
  const link = /^gitdir: (.+)$/m.exec(await readSmall(files, join(worktree, ".git")))?.[1]?.trim();
  if (link === undefined) return undefined;
  const own = join(worktree, link);
  const common = (await readSmall(files, join(own, "commondir"))).trim();
  return common === "" ? own : join(own, common);
}

async function readRules(files: Files, path: string): Promise<IgnoreFile> {
  return new IgnoreFile(await readSmall(files, path));
}

async function readSmall(files: Files, path: string): Promise<string> {
  try {
    return toText(await files.readHead(path, IGNORE_FILE_LIMIT));
  } catch (error) {
    if (error instanceof FileError) return "";
    throw error;
  }
}

async function statOf(files: Files, path: string): Promise<string | undefined> {
  try {
    return (await files.stat(path))?.kind;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
