/** The names under which rules may know a path, asked of the workspace. */
import type { Workspace } from "../../contract/workspace.ts";
import { isInside, relativeTo } from "../../lib/path.ts";
import type { PathForms } from "./match_path.ts";

export type FindPathForms = (path: string) => Promise<PathForms | undefined>;

/** Undefined for a text that is no path at all; the tool will say so itself. */
export function createPathForms(workspace: Pick<Workspace, "root" | "files">): FindPathForms {
  const { root, files } = workspace;
  const within = (path: string) => isInside(path, root) ? relativeTo(path, root) : undefined;
  return async (path) => {
    let absolute: string;
    try {
      absolute = files.absolute(path);
    } catch {
      return undefined;
    }
    const real = await files.real(absolute);
    const relative = within(absolute);
    const realRelative = within(real);
    return {
      absolute,
      real,
      ...(relative === undefined ? {} : { relative }),
      ...(realRelative === undefined ? {} : { realRelative }),
    };
  };
}
