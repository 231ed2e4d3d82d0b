/** The hooks of a folder and of its user: which run, and which wait for the person's consent. */
import { type ProjectDemand, type ReasonixPaths } from "../config/mod.ts";
import type { Hook, HookProblem, HookSource } from "../extensions/mod.ts";
import { isThere } from "../lib/at_path.ts";
import { join } from "../lib/path.ts";

export interface ProjectHooks {
  /** In the order they run. */
  readonly active: readonly Hook[];
  /** Of the project, without consent: never run. */
  readonly held: readonly Hook[];
  readonly problems: readonly HookProblem[];
  /** Every file that was looked for, whether it is there or not. */
  readonly sources: readonly HookSource[];
}

export interface HookPlaces {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly paths: Pick<ReasonixPaths, "home">;
}

/** `agrees`: the person has consented to exactly this. */
export async function loadProjectHooks(
  places: HookPlaces,
  agrees: (demand: ProjectDemand) => boolean,
): Promise<ProjectHooks> {
  const sources = sourcesOf(places);
  // Most folders have no hooks, and then nothing of what runs them is loaded.
  if (!sources.some(({ file }) => isThere(file))) {
    return { active: [], held: [], problems: [], sources };
  }
  const { loadHooks, hookDemand } = await import("../extensions/mod.ts");
  const { hooks, problems } = await loadHooks(sources);
  const runs = (hook: Hook) => hook.source.scope !== "project" || agrees(hookDemand(hook));
  return { active: hooks.filter(runs), held: hooks.filter((hook) => !runs(hook)), problems, sources };
}

/** What the project's hooks ask of the person who trusts the folder. */
export async function hookDemands({ active, held }: ProjectHooks): Promise<ProjectDemand[]> {
  const ofProject = [...active, ...held].filter(({ source }) => source.scope === "project");
  if (ofProject.length === 0) return [];
  const { hookDemand } = await import("../extensions/mod.ts");
  return ofProject.map(hookDemand);
}

function sourcesOf({ root, paths }: HookPlaces): HookSource[] {
  const project: HookSource = { scope: "project", file: join(root, ".reasonix/settings.json") };
  const user: HookSource = { scope: "user", file: join(paths.home, "settings.json") };
  // In the home folder the user's own file lies where a project's would.
  return project.file === user.file ? [user] : [project, user];
}
