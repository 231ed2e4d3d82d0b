/** The checkpoints of a conversation, by the settings. */
import type { Jobs } from "../contract/jobs.ts";
import type { Transcript } from "../contract/session.ts";
import { realOf } from "../lib/at_path.ts";
import { dirname, isInside } from "../lib/path.ts";
import { openCheckpoints, type OpenedCheckpoints } from "../sessions/mod.ts";
import { restorableRoots } from "./build_workspace.ts";
import type { Project } from "./project.ts";

export async function buildCheckpoints(
  project: Project,
  options: { readonly transcript: Transcript; jobs(): Jobs | undefined },
): Promise<OpenedCheckpoints> {
  const { retainTurns, blobQuotaBytes } = project.loaded.config.checkpoints;
  return await openCheckpoints({
    transcript: options.transcript,
    roots: await restorableRoots(project),
    retention: { turns: retainTurns, bytes: blobQuotaBytes },
    isBrought: !isOwn(options.transcript.path, project.paths.state),
    hooksRun: project.hooks.active.length > 0,
    running: () => {
      const jobs = options.jobs()?.list() ?? [];
      return jobs.filter(({ status }) => status === "running").map(({ id, label }) => `${id} (${label.slice(0, 80)})`);
    },
    now: Date.now,
  });
}

/** It lies where this program keeps its sessions. A folder that is not there yet is made there. */
function isOwn(transcript: string, state: string): boolean {
  const folder = dirname(transcript);
  return isInside(realOf(folder) ?? folder, realOf(state) ?? state);
}
