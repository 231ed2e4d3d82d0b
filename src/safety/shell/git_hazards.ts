/**
 * Whether reading with git in a folder would start a program that the repository's own settings name: an external diff, a
 * filter, a merge driver, a file system monitor, a hook, a way to fetch what is missing. A clone brings none, an unpacked
 * archive may. Found by reading the files git reads, never by running git. Where it is not certain which repository git
 * would take, all that it may take are looked through; what cannot be looked through is a hazard.
 */
import type { Files } from "../../contract/workspace.ts";
import { dirname, isAbsolute, join } from "../../lib/path.ts";
import { type GitSetting, settingsIn } from "./git_config.ts";
import { repositoriesInIndex } from "./git_index.ts";

/** A phrase for people, or undefined where git only reads. */
export type FindGitHazard = (folder: string) => Promise<string | undefined>;

/** Enough for any settings written by people. Bytes. */
const MOST_BYTES = 256 * 1024;
const MOST_INDEX_BYTES = 128 * 1024 * 1024;
const MOST_REPOSITORIES = 200;

interface Repository {
  readonly gitdir: string;
  /** Where its `.git` was found. */
  readonly at: string;
}

export function createGitHazards(files: Pick<Files, "absolute" | "real" | "stat" | "read" | "list">): FindGitHazard {
  return async (folder) => {
    const seen = new Set<string>();
    // git goes up from where it is, not from the name under which it came there.
    for (const repository of await repositoriesAbove(await files.real(folder))) {
      const hazard = await hazardOf(repository, seen);
      if (hazard !== undefined) return hazard;
    }
    return undefined;
  };

  async function repositoriesAbove(folder: string): Promise<readonly Repository[]> {
    const found: Repository[] = [];
    for (let at = folder;; at = dirname(at)) {
      const entry = join(at, ".git");
      const stat = await files.stat(entry);
      if (stat?.kind === "directory") {
        found.push({ gitdir: entry, at });
        if (await isSound(entry)) return found;
      } else if (stat?.kind === "file") {
        const gitdir = pointedTo(at, await text(entry) ?? "");
        // Anything else than a pointer ends git's search.
        return gitdir === undefined ? found : [...found, { gitdir, at }];
      }
      // A folder in the form of a repository is one.
      if (await looksBare(at)) found.push({ gitdir: at, at });
      if (dirname(at) === at) return found;
    }
  }

  /** Certainly a repository to git, so that it looks no further. */
  async function isSound(gitdir: string): Promise<boolean> {
    const entries = new Map((await files.list(gitdir).catch(() => [])).map(({ name, kind }) => [name, kind]));
    if (entries.has("commondir") || entries.get("objects") !== "directory" || entries.get("refs") !== "directory") {
      return false;
    }
    const head = entries.get("HEAD") === "file" ? await text(join(gitdir, "HEAD")).catch(() => undefined) : undefined;
    return /^(ref: refs\/\S+|[0-9a-f]{40}([0-9a-f]{24})?)\n?$/.test(head ?? "");
  }

  /** Links that lead nowhere count: git asks less of `HEAD` than that it can be read. */
  async function looksBare(folder: string): Promise<boolean> {
    const parts = await Promise.all(["objects", "commondir"].map((name) => files.stat(join(folder, name))));
    if (parts.every((part) => part === undefined)) return false;
    return (await files.list(folder).catch(() => [])).some(({ name }) => name.toLowerCase() === "head");
  }

  async function hazardOf({ gitdir, at }: Repository, seen: Set<string>): Promise<string | undefined> {
    const known = await files.real(gitdir);
    if (seen.has(known)) return undefined;
    if (seen.size >= MOST_REPOSITORIES) return `${gitdir} is one of more repositories than are looked through`;
    seen.add(known);
    const common = await text(join(gitdir, "commondir"));
    const home = common === undefined ? gitdir : resolve(gitdir, withoutEnd(common));
    const settings: (GitSetting & { readonly from: string })[] = [];
    for (const path of [join(home, "config"), join(gitdir, "config.worktree")]) {
      const found = await settingsOf(path);
      if (found === undefined) return `${path} cannot be looked through`;
      settings.push(...found.map((setting) => ({ ...setting, from: path })));
    }
    const bad = settings.find(startsProgram) ??
      (settings.some(isPromisor) ? settings.find(fetchesBy) : undefined) ??
      (settings.some(mergesAgain) ? settings.find(({ key }) => /^merge\..*\.driver$/s.test(key)) : undefined);
    if (bad !== undefined) return `${bad.from} sets ${bad.key}, which starts a program`;
    return await hazardOfHooks({ gitdir, at, home, settings }) ??
      await hazardOfModules({ gitdir, at, home, settings }, seen);
  }

  async function hazardOfHooks(
    { gitdir, at, home, settings }: Repository & { readonly home: string; readonly settings: readonly GitSetting[] },
  ): Promise<string | undefined> {
    const runs = "a hook that runs whenever git looks at the work tree";
    const hooks = join(home, "hooks");
    if (await files.stat(join(hooks, "post-index-change")) !== undefined) return `${hooks} has ${runs}`;
    const trees = valuesOf(settings, "core.worktree").map((tree) => resolve(gitdir, tree));
    for (const path of valuesOf(settings, "core.hookspath")) {
      if (/^[~%]/.test(path)) return `${path}, where its hooks are, cannot be looked into`;
      for (const base of [at, dirname(gitdir), gitdir, ...trees]) {
        const folder = resolve(base, path);
        if (await files.stat(join(folder, "post-index-change")) !== undefined) return `${folder} has ${runs}`;
      }
    }
    return undefined;
  }

  async function hazardOfModules(
    { gitdir, at, home, settings }: Repository & { readonly home: string; readonly settings: readonly GitSetting[] },
    seen: Set<string>,
  ): Promise<string | undefined> {
    const trees = [at, ...valuesOf(settings, "core.worktree").map((tree) => resolve(gitdir, tree))];
    const below = (await modulesBelow(join(home, "modules"))).map((path) => ({ gitdir: path, at: path }));
    const listed = await listedRepositories(gitdir, settings);
    if (listed === undefined) return `${join(gitdir, "index")} cannot be looked through`;
    for (const path of listed.flatMap((name) => trees.map((tree) => join(tree, name)))) {
      const entry = join(path, ".git");
      const stat = await files.stat(entry);
      if (stat?.kind === "directory") below.push({ gitdir: entry, at: path });
      const pointed = stat?.kind === "file" ? pointedTo(path, await text(entry) ?? "") : undefined;
      if (pointed !== undefined) below.push({ gitdir: pointed, at: path });
    }
    for (const module of below) {
      const hazard = await hazardOf(module, seen);
      if (hazard !== undefined) return hazard;
    }
    return undefined;
  }

  async function modulesBelow(folder: string, found: string[] = []): Promise<string[]> {
    for (const { name, kind } of await files.list(folder).catch(() => [])) {
      if (kind !== "directory" || found.length > MOST_REPOSITORIES) continue;
      const path = join(folder, name);
      if ((await files.stat(join(path, "HEAD"))) === undefined) await modulesBelow(path, found);
      else found.push(path);
    }
    return found;
  }

  /** Repositories that the index names, in its parts too. */
  async function listedRepositories(
    gitdir: string,
    settings: readonly GitSetting[],
  ): Promise<readonly string[] | undefined> {
    const shared = (await files.list(gitdir).catch(() => [])).filter(({ name }) => name.startsWith("sharedindex."));
    const found: string[] = [];
    for (const name of ["index", ...shared.map(({ name }) => name)]) {
      const path = join(gitdir, name);
      if ((await files.stat(path))?.kind !== "file") continue;
      const read = await files.read(path, { maxBytes: MOST_INDEX_BYTES }).catch(() => undefined);
      const listed = read && repositoriesInIndex(read.bytes);
      if (listed === undefined) return undefined;
      if (listed.length > 0 && valuesOf(settings, "extensions.objectformat").length > 0) return undefined;
      found.push(...listed);
    }
    return found;
  }

  /** Undefined: there are settings, and they cannot be read. */
  async function settingsOf(path: string): Promise<readonly GitSetting[] | undefined> {
    try {
      return settingsIn(await text(path) ?? "");
    } catch {
      return undefined;
    }
  }

  async function text(path: string): Promise<string | undefined> {
    if ((await files.stat(path))?.kind !== "file") return undefined;
    return new TextDecoder().decode((await files.read(path, { maxBytes: MOST_BYTES })).bytes);
  }
}

function resolve(base: string, path: string): string {
  return isAbsolute(path) ? path : join(base, path);
}

/** Where a `.git` file leads; blanks are part of the name. */
function pointedTo(at: string, text: string): string | undefined {
  return text.startsWith("gitdir: ") ? resolve(at, withoutEnd(text.slice("gitdir: ".length))) : undefined;
}

/** git takes line ends off a path in a file, and nothing else. */
function withoutEnd(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}

function valuesOf(settings: readonly GitSetting[], key: string): readonly string[] {
  return settings.filter((setting) => setting.key === key && setting.value !== "").map(({ value }) => value);
}

const STARTS = new RegExp(
  `^(${
    [
      "core\\.(fsmonitor|alternaterefscommand|gitproxy)",
      "diff\\.(external|.*\\.(command|textconv))",
      "filter\\..*\\.(clean|smudge|process)",
      "gpg\\.(.*\\.)?(program|defaultkeycommand)",
      "hook\\..*\\.command",
      "include(if\\..*)?\\.path",
      "pager\\..*",
    ].join("|")
  })$`,
  "s",
);

function startsProgram({ key, value }: GitSetting): boolean {
  if (!STARTS.test(key)) return false;
  if (key === "core.fsmonitor" || key.startsWith("pager.")) {
    return !/^(true|false|yes|no|on|off|0|1|cat|less|)$/i.test(value);
  }
  // Large files, as their own installer sets them up.
  return !/^git-lfs (clean|smudge|filter-process)( --)?( %f)?( --skip)?$/.test(value);
}

/** Merges are made anew to be shown, by the drivers that the settings name. */
function mergesAgain({ key, value }: GitSetting): boolean {
  return key === "log.diffmerges" && value.startsWith("r");
}

/** What is missing here is fetched when it is read. */
function isPromisor({ key }: GitSetting): boolean {
  return key === "extensions.partialclone" || /^remote\..*\.promisor$/s.test(key);
}

const FETCHES =
  /^(core\.(sshcommand|askpass)|remote\..*\.(uploadpack|vcs)|credential\.(.*\.)?helper|protocol\.(.*\.)?allow|url\..*\.insteadof)$/s;

function fetchesBy({ key, value }: GitSetting): boolean {
  return FETCHES.test(key) || (/^remote\..*\.url$/s.test(key) && /^[\w+.-]+::/.test(value));
}
