/** Every hook of a folder and its user, with what becomes of it: read, never run. */
import type { Hook, HookProblemCode, HookScope } from "../extensions/mod.ts";
import { findPlace, type PlaceOptions, processEnvironment } from "./directory.ts";
import { trustInForce } from "./folder_trust.ts";
import { loadProjectHooks } from "./project_hooks.ts";

export interface HookRow {
  readonly event: string;
  readonly scope: HookScope;
  /** File it stands in. */
  readonly source: string;
  /** Place among the hooks of its event in that file; absent for a whole file. */
  readonly position?: number;
  readonly match: string;
  readonly command: string;
  readonly form?: Hook["form"];
  readonly timeoutMs?: number;
  readonly description?: string;
  readonly status: "active" | "invalid";
  /** Why it never runs. */
  readonly problem?: { readonly code: HookProblemCode | "permission.untrusted_folder"; readonly text: string };
}

export interface HookInventory {
  readonly root: string;
  readonly trusted: boolean;
  readonly files: readonly { readonly scope: HookScope; readonly path: string }[];
  readonly hooks: readonly HookRow[];
}

export interface InventoryOptions extends PlaceOptions {
  /** The Reasonix home; the usual one when absent. */
  readonly home?: string;
}

export async function inventHooks(options: InventoryOptions = {}): Promise<HookInventory> {
  const { directory, home, environment = processEnvironment } = options;
  const { root, paths } = await findPlace({
    directory,
    environment: (name) => name === "REASONIX_HOME" && home !== undefined ? home : environment(name),
  });
  const trust = await trustInForce(paths, root);
  const { active, held, problems, sources } = await loadProjectHooks({ root, paths }, trust.agrees);
  const files = sources.map(({ scope, file }) => ({ scope, path: file }));
  if (active.length + held.length + problems.length === 0) return { root, trusted: trust.trusted, files, hooks: [] };
  const { commandText } = await import("../extensions/mod.ts");
  const row = (hook: Hook, problem?: HookRow["problem"]): HookRow => ({
    event: hook.event,
    scope: hook.source.scope,
    source: hook.source.file,
    position: hook.position,
    match: hook.match,
    command: commandText(hook),
    form: hook.form,
    timeoutMs: hook.limitMs,
    ...(hook.description === undefined ? {} : { description: hook.description }),
    status: problem ? "invalid" : "active",
    ...(problem ? { problem } : {}),
  });
  const waits = trust.trusted ? "it changed since the folder was trusted" : "the folder is not trusted";
  return {
    root,
    trusted: trust.trusted,
    files,
    hooks: [
      ...active.map((hook) => row(hook)),
      ...held.map((hook) => row(hook, { code: "permission.untrusted_folder", text: `never runs: ${waits}` })),
      ...problems.map(({ code, source, event, position, text }): HookRow => ({
        event: event ?? "",
        scope: source.scope,
        source: source.file,
        ...(position === undefined ? {} : { position }),
        match: "",
        command: "",
        status: "invalid",
        problem: { code, text },
      })),
    ],
  };
}
