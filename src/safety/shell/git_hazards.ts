/**
 * Whether reading with git in a folder would start a program that the repository's own settings name: an external diff, a
 * filter, a file system monitor, a hook. A clone brings none, an unpacked archive may. Found by reading the files git
 * reads, never by running git. Submodules with a `.git` folder of their own are not looked into.
 */
import type { Files } from "../../contract/workspace.ts";
import { dirname, isAbsolute, join } from "../../lib/path.ts";

/** A phrase for people, or undefined where git only reads. */
export type FindGitHazard = (folder: string) => Promise<string | undefined>;

/** Enough for any settings written by people. Bytes. */
const MOST_BYTES = 256 * 1024;
const MOST_MODULES = 100;

export function createGitHazards(files: Pick<Files, "absolute" | "stat" | "read" | "list">): FindGitHazard {
  return async (folder) => {
    const gitdir = await findGitdir(files.absolute(folder));
    if (gitdir === undefined) return undefined;
    const common = await text(join(gitdir, "commondir"));
    const home = common === undefined ? gitdir : resolve(gitdir, common.trim());
    const modules = await modulesBelow(join(home, "modules"));
    for (const place of [home, ...modules]) {
      const hazard = await hazardOf(place);
      if (hazard !== undefined) return hazard;
    }
    return await hazardIn(join(gitdir, "config.worktree"), gitdir);
  };

  /** Where git, started in `folder`, would find its data. */
  async function findGitdir(folder: string): Promise<string | undefined> {
    for (let at = folder;; at = dirname(at)) {
      const entry = join(at, ".git");
      const stat = await files.stat(entry);
      if (stat?.kind === "directory") return entry;
      if (stat?.kind === "file") {
        const target = /^gitdir:\s*(.+?)\s*$/m.exec(await text(entry) ?? "")?.[1];
        if (target !== undefined) return resolve(at, target);
      }
      // A folder in the form of a repository is one.
      if (
        (await files.stat(join(at, "HEAD")))?.kind === "file" && (await files.stat(join(at, "objects"))) !== undefined
      ) {
        return at;
      }
      if (dirname(at) === at) return undefined;
    }
  }

  async function modulesBelow(folder: string, found: string[] = []): Promise<readonly string[]> {
    for (const { name, kind } of await files.list(folder).catch(() => [])) {
      if (kind !== "directory" || found.length >= MOST_MODULES) continue;
      const path = join(folder, name);
      if ((await files.stat(join(path, "HEAD"))) === undefined) await modulesBelow(path, found);
      else found.push(path);
    }
    return found;
  }

  async function hazardOf(place: string): Promise<string | undefined> {
    const hook = await files.stat(join(place, "hooks", "post-index-change"));
    if (hook !== undefined) return `${join(place, "hooks")} has a hook that runs whenever git looks at the work tree`;
    return await hazardIn(join(place, "config"), place);
  }

  async function hazardIn(path: string, gitdir: string): Promise<string | undefined> {
    let settings: string | undefined;
    try {
      settings = await text(path);
    } catch {
      return `${path} cannot be looked through`;
    }
    if (settings === undefined) return undefined;
    for (const { key, value } of settingsIn(settings)) {
      if (key === "core.hookspath") {
        const hook = join(resolve(dirname(gitdir), value), "post-index-change");
        if ((await files.stat(hook)) !== undefined) {
          return `${path} names hooks that run whenever git looks at the work tree`;
        }
      } else if (startsProgram(key, value)) {
        return `${path} sets ${key}, which starts a program`;
      }
    }
    return undefined;
  }

  async function text(path: string): Promise<string | undefined> {
    if ((await files.stat(path))?.kind !== "file") return undefined;
    return new TextDecoder().decode((await files.read(path, { maxBytes: MOST_BYTES })).bytes);
  }
}

function resolve(base: string, path: string): string {
  return isAbsolute(path) ? path : join(base, path);
}

const STARTS =
  /^(core\.(fsmonitor|alternaterefscommand|gitproxy)|diff\.(external|.*\.(command|textconv))|filter\..*\.(clean|smudge|process)|gpg\.(.*\.)?(program|defaultkeycommand)|include(if\..*)?\.path|pager\..*)$/;

function startsProgram(key: string, value: string): boolean {
  if (!STARTS.test(key)) return false;
  if (key === "core.fsmonitor" || key.startsWith("pager.")) {
    return !/^(true|false|yes|no|on|off|0|1|cat|less|)$/i.test(value);
  }
  // Large files, as their own installer sets them up.
  return !/^git-lfs (clean|smudge|filter-process)( --)?( %f)?( --skip)?$/.test(value);
}

/** Settings of a git configuration file as `section.name.key`, sections and keys in lower case. */
export function settingsIn(text: string): readonly { readonly key: string; readonly value: string }[] {
  const found: { key: string; value: string }[] = [];
  let section = "";
  // A backslash at the end of a line goes on in the next.
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    let rest = line.trim();
    const head = /^\[\s*([\w.-]+)\s*(?:"((?:\\.|[^"\\])*)")?\s*\]/.exec(rest);
    if (head) {
      section = head[1]!.toLowerCase() + (head[2] === undefined ? "" : `.${head[2].replace(/\\(.)/g, "$1")}`);
      rest = rest.slice(head[0].length).trim();
    }
    const pair = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest);
    if (!pair) continue;
    const value = (pair[2] ?? "true").replace(/\s+[#;].*$/, "").replace(/^"(.*)"$/, "$1");
    found.push({ key: `${section}.${pair[1]!.toLowerCase()}`, value });
  }
  return found;
}
