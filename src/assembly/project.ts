/** What all conversations of one run of the program share: folder, settings, trust, session store. */
import { type ConfigNotice, loadConfig, type LoadedConfig, migrateConfig, type ProjectDemand } from "../config/mod.ts";
import { ReasonixError } from "../contract/errors.ts";
import type { Sessions } from "../sessions/mod.ts";
import { findAbandoned } from "../lib/temp_folder.ts";
import { recoverWrites } from "../workspace/mod.ts";
import { tempNotes, writeLog } from "./build_workspace.ts";
import { extraRoots, findPlace, type Place } from "./directory.ts";
import { folderNotice } from "./folder_notice.ts";
import { trustInForce } from "./folder_trust.ts";
import { loadProjectHooks, type ProjectHooks } from "./project_hooks.ts";
import type { SessionRequest } from "./request.ts";
import { sessionsOf } from "./session_store.ts";

export interface Project extends Place {
  readonly loaded: LoadedConfig;
  /** The person has trusted this folder. */
  readonly trusted: boolean;
  /** What the folder asks for and the person has agreed to. */
  readonly agrees: (demand: ProjectDemand) => boolean;
  readonly hooks: ProjectHooks;
  /** `--add-dir`, absolute, links resolved. */
  readonly extraRoots: readonly string[];
  readonly sessions: Sessions;
  readonly notices: readonly string[];
}

/** Trust has a line of its own; what a harmless key does not do yet is for those who look. */
function isForTheStart({ code, level }: ConfigNotice): boolean {
  return code !== "config.untrusted" && !(code === "config.not_yet" && level === "info");
}

export interface ProjectPorts {
  /** Told what happens to an open session that the person should know. */
  notify(text: string): void;
}

/** Throws `workspace.*` and `config.*`. */
export async function openProject(request: SessionRequest, ports: ProjectPorts): Promise<Project> {
  const { root, paths, env } = await findPlace(request);
  const [abandoned] = await Promise.all([findAbandoned(tempNotes(paths)), recoverWrites(writeLog(paths))]);
  // Nobody waits for what may be large.
  for (const folder of abandoned) void folder.remove();
  const migrated = await migrateConfig({ paths, os: Deno.build.os });
  const settings = await readSettings({ root, paths, env }, migrated);
  return {
    root,
    paths,
    env,
    ...settings,
    extraRoots: await extraRoots(request.addDirs, root),
    sessions: sessionsOf({
      paths,
      root,
      program: request.interactive ? "reasonix" : "reasonix run",
      notify: ports.notify,
    }),
  };
}

/** The same folder with its settings, hooks and trust as they are written now. Throws `config.*`. */
export async function renewProject(project: Project): Promise<Project> {
  const settings = await readSettings(project, []);
  const broken = settings.hooks.problems.find(({ code }) => code === "hook.malformed_settings");
  // At a start it costs its hooks; here they are in force already, and dropping them would loosen what they guard.
  if (broken) throw new ReasonixError("config.syntax", broken.text);
  return { ...project, ...settings };
}

type Settings = Pick<Project, "loaded" | "trusted" | "agrees" | "hooks" | "notices">;

async function readSettings(
  { root, paths, env }: Place,
  migrated: readonly ConfigNotice[],
): Promise<Settings> {
  const trust = await trustInForce(paths, root);
  const [loaded, hooks] = await Promise.all([
    loadConfig({
      paths,
      workspace: root,
      trusted: trust.trusted,
      agreed: trust.agrees,
      answered: trust.answered,
      env,
    }),
    loadProjectHooks({ root, paths }, trust.agrees),
  ]);
  return {
    loaded,
    trusted: trust.trusted,
    agrees: trust.agrees,
    hooks,
    notices: [
      ...[...migrated, ...loaded.notices].filter(isForTheStart).map(({ text }) => text),
      ...folderNotice({ root, paths, trust, loaded, hooks }),
      ...hooks.problems.filter(({ source }) => source.scope !== "project" || trust.trusted).map(({ text }) => text),
    ],
  };
}
