/** Where past conversations lie, and which files of those folders may be looked at. */
import { basename, dirname } from "../../lib/path.ts";
import { idOf, isTranscriptName, sidecars } from "../paths.ts";

export type HistoryScope = "project" | "global";
export type Source = "project" | "subagent" | "global" | "archive";

export interface HistoryFolders {
  /** Session folder of the running conversation. */
  readonly project: string;
  /** Sessions that belong to no project. */
  readonly global: string;
  /** Conversations that earlier versions cut off when they folded. */
  readonly archive: string;
}

export interface PastSession {
  /** Real path: links in the folder's own path resolved. */
  readonly path: string;
  readonly id: string;
  readonly source: Source;
}

/** Plain files alone; what is being deleted is not there. */
export function listPastSessions(folders: HistoryFolders, scope: HistoryScope): readonly PastSession[] {
  const found = new Map<string, PastSession>();
  for (const [folder, source] of rootsOf(folders, scope)) {
    const real = realFolder(folder);
    if (real === undefined) continue;
    const entries = [...Deno.readDirSync(real)];
    const names = new Set(entries.map(({ name }) => name));
    for (const { name, isFile } of entries) {
      const path = `${real}/${name}`;
      if (!isFile || !isTranscriptName(name) || names.has(basename(sidecars(path).cleanupPending))) continue;
      found.set(path, { path, id: idOf(path)!, source });
    }
  }
  return [...found.values()];
}

/** The path under which `listPastSessions` would show this file. */
export function shownPath(path: string): string {
  const real = realFolder(dirname(path));
  return real === undefined ? path : `${real}/${basename(path)}`;
}

/** By path, or by id where it names one session. Undefined for whatever `scope` does not show. */
export function findPastSession(ref: string, folders: HistoryFolders, scope: HistoryScope): PastSession | undefined {
  const sessions = listPastSessions(folders, scope);
  const path = shownPath(ref);
  const found = sessions.find((session) => session.path === path);
  if (found || ref.includes("/")) return found;
  const named = sessions.filter(({ id, path }) => id === ref || basename(path) === ref);
  return named.length === 1 ? named[0] : undefined;
}

function rootsOf(
  { project, global, archive }: HistoryFolders,
  scope: HistoryScope,
): readonly (readonly [string, Source])[] {
  const own = [[project, "project"], [`${project}/subagents`, "subagent"]] as const;
  if (scope === "project") return own;
  return [...own, [global, "global"], [`${global}/subagents`, "subagent"], [archive, "archive"], [
    `${project}/archive`,
    "archive",
  ]];
}

function realFolder(path: string): string | undefined {
  try {
    const real = Deno.realPathSync(path);
    return Deno.statSync(real).isDirectory ? real : undefined;
  } catch {
    return undefined;
  }
}
