/** One line about everything a folder asked for and did not get for want of trust. */
import { type LoadedConfig, type ReasonixPaths, trustCommand, untrustableReason } from "../config/mod.ts";
import { showPath } from "../lib/shown_path.ts";
import type { TrustInForce } from "./folder_trust.ts";
import type { ProjectHooks } from "./project_hooks.ts";

export interface Waiting {
  readonly root: string;
  readonly paths: Pick<ReasonixPaths, "home" | "osHome">;
  readonly trust: Pick<TrustInForce, "trusted">;
  readonly loaded: Pick<LoadedConfig, "ignored" | "heldServers">;
  readonly hooks: Pick<ProjectHooks, "held">;
}

/** Empty where nothing waits. */
export function folderNotice({ root, paths, trust, loaded, hooks }: Waiting): string[] {
  const waiting = [
    ...loaded.ignored,
    ...loaded.heldServers.map(({ name }) => `MCP server ${showPath(name)}`),
    ...hooks.held.map(({ event, position }) => `hook ${event} ${position}`),
  ];
  if (waiting.length === 0) return [];
  const reason = untrustableReason(root, paths);
  const why = trust.trusted
    ? `changed since you trusted this folder, ignored until you agree (${trustCommand(root)})`
    : reason === undefined
    ? `this folder is not trusted, ignored until it is (${trustCommand(root)})`
    : `this folder is not trusted and cannot be, because ${reason}; ignored`;
  return [`${why}: ${waiting.join(", ")}`];
}
