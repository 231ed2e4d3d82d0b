/** The sessions of a workspace: where they lie, and the store over them. */
import type { ReasonixPaths } from "../config/mod.ts";
import { createSessionStore, type Sessions } from "../sessions/mod.ts";

/** What is kept for a workspace. Its path is the name of the folder: `/home/me/app` is `-home-me-app`. */
export function projectFolder(paths: Pick<ReasonixPaths, "state">, root: string): string {
  return `${paths.state}/projects/${root.replaceAll("/", "-")}`;
}

export function sessionsFolder(paths: Pick<ReasonixPaths, "state">, root: string): string {
  return `${projectFolder(paths, root)}/sessions`;
}

export interface StoreOptions {
  readonly paths: Pick<ReasonixPaths, "state">;
  /** Workspace: absolute, links resolved. */
  readonly root: string;
  /** Folder of the store; the workspace's own when absent. */
  readonly directory?: string;
  /** As other programs are told who holds a session. */
  readonly program: string;
  /** Told what happens to an open session that the person should know. */
  notify?(text: string): void;
}

/** Nothing is touched before the store is used. */
export function sessionsOf({ paths, root, directory, program, notify }: StoreOptions): Sessions {
  return createSessionStore({
    directory: directory ?? sessionsFolder(paths, root),
    stateRoot: paths.state,
    workspaceRoot: root,
    holder: { pid: Deno.pid, host: Deno.hostname(), program, startedAt: Date.now() },
    ...(notify ? { notify } : {}),
  });
}
