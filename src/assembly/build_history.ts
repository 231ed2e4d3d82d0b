/** The history that one conversation can look into: its project's sessions, and on demand those of no project. */
import type { Transcript } from "../contract/session.ts";
// Past mod.ts: the search is loaded when it is first used.
import { createHistory, type History } from "../sessions/history/history.ts";
import type { Project } from "./project.ts";
import { projectFolder, sessionsFolder } from "./session_store.ts";

export function buildHistory({ root, paths }: Project, transcript: Transcript): History {
  const name = projectFolder({ state: "" }, root).split("/").at(-1);
  return createHistory({
    folders: {
      project: sessionsFolder(paths, root),
      global: `${paths.state}/sessions`,
      archive: `${paths.state}/archive`,
    },
    cacheFile: `${paths.cache}/history/${name}.sqlite`,
    current: () => ({
      path: transcript.path,
      turnStart: transcript.messages.findLastIndex(({ role, host_authored }) => role === "user" && !host_authored),
    }),
  });
}
