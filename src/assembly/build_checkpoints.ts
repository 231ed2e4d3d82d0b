/** The checkpoints of a conversation, by the settings. */
import type { Jobs } from "../contract/jobs.ts";
import type { Transcript } from "../contract/session.ts";
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
    hooksRun: project.hooks.active.length > 0,
    running: () => {
      const jobs = options.jobs()?.list() ?? [];
      return jobs.filter(({ status }) => status === "running").map(({ id, label }) => `${id} (${label.slice(0, 80)})`);
    },
    now: Date.now,
  });
}
