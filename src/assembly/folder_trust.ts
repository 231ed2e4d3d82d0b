/**
 * What a folder would run or loosen, and whether the person has agreed to it. The answer is kept in the home by the
 * folder's real path, together with what it was given for: what changes later waits for a new answer.
 */
import {
  agreement,
  type ConfigProblem,
  type DemandChange,
  demandChanges,
  type FolderTrust,
  forgetFolder,
  inspectConfig,
  loadFolderTrust,
  type ProjectDemand,
  projectDemands,
  type ReasonixPaths,
  saveFolderTrust,
  sortedDemands,
  untrustableReason,
} from "../config/mod.ts";
import type { HookProblem } from "../extensions/mod.ts";
import { findPlace, type PlaceOptions } from "./directory.ts";
import { hookDemands, loadProjectHooks } from "./project_hooks.ts";

/** What holds for a folder while it is worked in. */
export interface TrustInForce {
  readonly trusted: boolean;
  readonly agrees: (demand: ProjectDemand) => boolean;
  readonly agreed: readonly ProjectDemand[];
  /** The person has said yes or no. */
  readonly answered: boolean;
}

export async function trustInForce(paths: ReasonixPaths, root: string): Promise<TrustInForce> {
  const known = await loadFolderTrust(paths.trustedFolders, root);
  // An entry written by hand does not make a home folder trusted.
  if (known?.answer !== "trusted" || untrustableReason(root, paths) !== undefined) {
    return { trusted: false, answered: known !== undefined, agrees: () => false, agreed: [] };
  }
  return { trusted: true, answered: true, agrees: agreement(known.demands), agreed: known.demands };
}

export interface FolderInquiry {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly paths: ReasonixPaths;
  /** `changed`: it was trusted, and asks for something else now. `declined` holds until it asks for something else. */
  readonly state: "new" | "trusted" | "changed" | "declined";
  /** Everything it asks for now. */
  readonly demands: readonly ProjectDemand[];
  /** What differs from what was agreed to; all of it for a new folder. */
  readonly changes: readonly DemandChange[];
  /** Why this folder can never be trusted, as the end of a sentence about it. */
  readonly untrustable?: string;
  /** The folder's own settings cannot be read, so what they ask for cannot be shown. */
  readonly problems: readonly (ConfigProblem | HookProblem)[];
}

/** Reads, runs nothing, writes nothing. Throws `workspace.unusable`. */
export async function inquireFolder(options: PlaceOptions = {}): Promise<FolderInquiry> {
  const { root, paths, env } = await findPlace(options);
  const [known, loaded, hooks] = await Promise.all([
    loadFolderTrust(paths.trustedFolders, root),
    inspectConfig({ paths, workspace: root, trusted: false, env }),
    loadProjectHooks({ root, paths }, () => false),
  ]);
  const demands = sortedDemands([...projectDemands(loaded), ...await hookDemands(hooks)]);
  const changes = demandChanges(known?.answer === "trusted" ? known.demands : [], demands);
  const untrustable = untrustableReason(root, paths);
  return {
    root,
    paths,
    state: stateOf(known, demands),
    demands,
    changes,
    ...(untrustable === undefined ? {} : { untrustable }),
    problems: [
      ...loaded.problems.filter(({ place }) => place?.file !== paths.userConfig && place?.file !== paths.envFile),
      ...hooks.problems.filter(({ code, source }) => code === "hook.malformed_settings" && source.scope === "project"),
    ],
  };
}

/** Keeps the person's answer about exactly what was shown. */
export async function answerFolder(inquiry: FolderInquiry, answer: FolderTrust["answer"]): Promise<void> {
  const { root: folder, demands, paths } = inquiry;
  await saveFolderTrust(paths.trustedFolders, { folder, answer, demands });
}

/** False when there was no answer. */
export function forgetAnswer({ root, paths }: Pick<FolderInquiry, "root" | "paths">): Promise<boolean> {
  return forgetFolder(paths.trustedFolders, root);
}

/** What is gone asks for nothing. */
function stateOf(known: FolderTrust | undefined, demands: readonly ProjectDemand[]): FolderInquiry["state"] {
  if (known === undefined) return "new";
  const asksMore = demandChanges(known.demands, demands).some(({ after }) => after !== undefined);
  if (known.answer === "declined") return asksMore ? "new" : "declined";
  return asksMore ? "changed" : "trusted";
}
