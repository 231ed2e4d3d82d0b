/** The hooks of one conversation, where there are any. */
import type { Posture } from "../contract/decision.ts";
import type { Transcript } from "../contract/session.ts";
import type { EventLog } from "../controller/mod.ts";
import type { SessionHooks } from "../extensions/mod.ts";
import { createPrograms } from "../workspace/mod.ts";
import { secretNames, shellOf } from "./build_workspace.ts";
import type { Project } from "./project.ts";

export interface HooksContext {
  readonly project: Project;
  readonly log: EventLog;
  readonly transcript: Transcript;
  posture(): Posture;
}

export async function buildHooks(
  { project, log, transcript, posture }: HooksContext,
): Promise<SessionHooks | undefined> {
  if (project.hooks.active.length === 0) return undefined;
  const { createSessionHooks } = await import("../extensions/mod.ts");
  return createSessionHooks({
    hooks: project.hooks.active,
    programs: createPrograms({
      root: project.root,
      shell: shellOf(project.loaded.config),
      secretNames: secretNames(project),
    }),
    workspace: project.root,
    home: project.paths.home,
    // The id changes when a conversation moves to a recovery branch.
    session: () => ({ id: transcript.id, path: transcript.path }),
    posture,
    tell: (notice) => log.emit({ kind: "notice", ...notice }),
  });
}
