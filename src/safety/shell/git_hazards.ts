/**
 * Whether reading with git in a folder would start a program that the repository's own settings name: an external diff, a
 * filter, a merge driver, a file system monitor, a hook, a way to fetch what is missing. A clone brings none, an unpacked
 * archive may. Found by reading the files git reads, never by running git. Where it is not certain which repository git
 * would take, all that it may take are looked through; what cannot be looked through is a hazard.
 */
import type { DirectoryEntry, Files } from "../../contract/workspace.ts";
import { append } from "../../lib/append.ts";
import { dirname, isAbsolute, join } from "../../lib/path.ts";
import { type GitSetting, settingsIn } from "./git_config.ts";
import { repositoriesInIndex } from "./git_index.ts";

/** A phrase for people, or undefined where git only reads. */
export type FindGitHazard = (folder: string) => Promise<string | undefined>;

/** Enough for any settings written by people. Bytes. */
const MOST_BYTES = 256 * 1024;
const MOST_INDEX_BYTES = 128 * 1024 * 1024;
const MOST_REPOSITORIES = 200;

type GitFiles = Pick<Files, "real" | "stat" | "read" | "list">;

interface Repository {
  readonly gitdir: string;
  /** Where its `.git` was found. */
  readonly at: string;
}

/** `from`: the file it stands in. */
type Setting = GitSetting & { readonly from: string };

/** With what git reads of it first. */
interface OpenRepository extends Repository {
  /** Where its settings, hooks and modules are: `gitdir`, or the one that it shares with other work trees. */
  readonly home: string;
  readonly settings: readonly Setting[];
}

export function createGitHazards(files: GitFiles): FindGitHazard {
  return async (folder) => await new Search(files).above(folder);
}

/** One look, so that each repository is looked through once. */
class Search {
  readonly #files: GitFiles;
  /** Links resolved. */
  readonly #seen = new Set<string>();

  constructor(files: GitFiles) {
    this.#files = files;
  }

  async above(folder: string): Promise<string | undefined> {
    // git goes up from where it is, not from the name under which it came there.
    return await this.#firstHazard(await this.#repositoriesAbove(await this.#files.real(folder)));
  }

  async #repositoriesAbove(folder: string): Promise<readonly Repository[]> {
    const found: Repository[] = [];
    for (let at = folder;; at = dirname(at)) {
      const entry = join(at, ".git");
      const stat = await this.#files.stat(entry);
      if (stat?.kind === "directory") {
        found.push({ gitdir: entry, at });
        if (await this.#isSound(entry)) return found;
      } else if (stat?.kind === "file") {
        const gitdir = pointedTo(at, await this.#text(entry) ?? "");
        // Anything else than a pointer ends git's search.
        return gitdir === undefined ? found : [...found, { gitdir, at }];
      }
      // A folder in the form of a repository is one.
      if (await this.#looksBare(at)) found.push({ gitdir: at, at });
      if (dirname(at) === at) return found;
    }
  }

  /** Certainly a repository to git, so that it looks no further. */
  async #isSound(gitdir: string): Promise<boolean> {
    const entries = new Map((await this.#list(gitdir)).map(({ name, kind }) => [name, kind]));
    if (entries.has("commondir") || entries.get("objects") !== "directory" || entries.get("refs") !== "directory") {
      return false;
    }
    if (entries.get("HEAD") !== "file") return false;
    const head = await this.#text(join(gitdir, "HEAD")).catch(() => undefined);
    return /^(ref: refs\/\S+|[0-9a-f]{40}([0-9a-f]{24})?)\n?$/.test(head ?? "");
  }

  /** Links that lead nowhere count: git asks less of `HEAD` than that it can be read. */
  async #looksBare(folder: string): Promise<boolean> {
    const parts = await Promise.all(["objects", "commondir"].map((name) => this.#files.stat(join(folder, name))));
    if (parts.every((part) => part === undefined)) return false;
    return (await this.#list(folder)).some(({ name }) => name.toLowerCase() === "head");
  }

  async #firstHazard(repositories: readonly Repository[]): Promise<string | undefined> {
    for (const repository of repositories) {
      const hazard = await this.#hazardOf(repository);
      if (hazard !== undefined) return hazard;
    }
    return undefined;
  }

  async #hazardOf({ gitdir, at }: Repository): Promise<string | undefined> {
    const known = await this.#files.real(gitdir);
    if (this.#seen.has(known)) return undefined;
    if (this.#seen.size >= MOST_REPOSITORIES) return `${gitdir} is one of more repositories than are looked through`;
    this.#seen.add(known);
    const common = await this.#text(join(gitdir, "commondir"));
    const home = common === undefined ? gitdir : resolve(gitdir, withoutEnd(common));
    const settings: Setting[] = [];
    for (const path of [join(home, "config"), join(gitdir, "config.worktree")]) {
      const found = await this.#settingsOf(path);
      if (found === undefined) return `${path} cannot be looked through`;
      append(settings, found);
    }
    const bad = badAmong(settings);
    if (bad !== undefined) return `${bad.from} sets ${bad.key}, which starts a program`;
    const repository = { gitdir, at, home, settings };
    return await this.#hazardOfHooks(repository) ?? await this.#hazardOfModules(repository);
  }

  async #hazardOfHooks({ gitdir, at, home, settings }: OpenRepository): Promise<string | undefined> {
    const runs = "a hook that runs whenever git looks at the work tree";
    const hooks = join(home, "hooks");
    if (await this.#hasHook(hooks)) return `${hooks} has ${runs}`;
    const trees = valuesOf(settings, "core.worktree").map((tree) => resolve(gitdir, tree));
    for (const path of valuesOf(settings, "core.hookspath")) {
      if (/^[~%]/.test(path)) return `${path}, where its hooks are, cannot be looked into`;
      for (const base of [at, dirname(gitdir), gitdir, ...trees]) {
        const folder = resolve(base, path);
        if (await this.#hasHook(folder)) return `${folder} has ${runs}`;
      }
    }
    return undefined;
  }

  async #hasHook(folder: string): Promise<boolean> {
    return await this.#files.stat(join(folder, "post-index-change")) !== undefined;
  }

  async #hazardOfModules(repository: OpenRepository): Promise<string | undefined> {
    const { gitdir, at, home, settings } = repository;
    const trees = [at, ...valuesOf(settings, "core.worktree").map((tree) => resolve(gitdir, tree))];
    const below = (await this.#modulesBelow(join(home, "modules"))).map((path) => ({ gitdir: path, at: path }));
    const listed = await this.#listedRepositories(repository);
    if (listed === undefined) return `${join(gitdir, "index")} cannot be looked through`;
    for (const path of listed.flatMap((name) => trees.map((tree) => join(tree, name)))) {
      const entry = join(path, ".git");
      const stat = await this.#files.stat(entry);
      if (stat?.kind === "directory") below.push({ gitdir: entry, at: path });
      const pointed = stat?.kind === "file" ? pointedTo(path, await this.#text(entry) ?? "") : undefined;
      if (pointed !== undefined) below.push({ gitdir: pointed, at: path });
    }
    return await this.#firstHazard(below);
  }

  async #modulesBelow(folder: string, found: string[] = []): Promise<string[]> {
    for (const { name, kind } of await this.#list(folder)) {
      if (kind !== "directory" || found.length > MOST_REPOSITORIES) continue;
      const path = join(folder, name);
      if (await this.#files.stat(join(path, "HEAD")) === undefined) await this.#modulesBelow(path, found);
      else found.push(path);
    }
    return found;
  }

  /** Names of repositories in the index and its parts. Undefined: there may be some, and they cannot be read. */
  async #listedRepositories({ gitdir, settings }: OpenRepository): Promise<readonly string[] | undefined> {
    const shared = (await this.#list(gitdir)).filter(({ name }) => name.startsWith("sharedindex."));
    const found: string[] = [];
    for (const name of ["index", ...shared.map(({ name }) => name)]) {
      const path = join(gitdir, name);
      if ((await this.#files.stat(path))?.kind !== "file") continue;
      const read = await this.#files.read(path, { maxBytes: MOST_INDEX_BYTES }).catch(() => undefined);
      const listed = read && repositoriesInIndex(read.bytes);
      if (listed === undefined) return undefined;
      if (listed.length > 0 && valuesOf(settings, "extensions.objectformat").length > 0) return undefined;
      append(found, listed);
    }
    return found;
  }

  /** Undefined: there are settings, and they cannot be read. */
  async #settingsOf(path: string): Promise<readonly Setting[] | undefined> {
    try {
      return settingsIn(await this.#text(path) ?? "")?.map((setting) => ({ ...setting, from: path }));
    } catch {
      return undefined;
    }
  }

  async #text(path: string): Promise<string | undefined> {
    if ((await this.#files.stat(path))?.kind !== "file") return undefined;
    return new TextDecoder().decode((await this.#files.read(path, { maxBytes: MOST_BYTES })).bytes);
  }

  /** What cannot be listed is empty. */
  async #list(folder: string): Promise<readonly DirectoryEntry[]> {
    return await this.#files.list(folder).catch(() => []);
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

function badAmong(settings: readonly Setting[]): Setting | undefined {
  return settings.find(startsProgram) ??
    (settings.some(isPromisor) ? settings.find(fetchesBy) : undefined) ??
    (settings.some(mergesAgain) ? settings.find(({ key }) => /^merge\..*\.driver$/s.test(key)) : undefined);
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
