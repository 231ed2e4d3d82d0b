/** All checks of `reasonix doctor`, and the facts behind them. Reads only; one bounded request to the default model's host. */
import { findModel, savedSecrets } from "../../config/mod.ts";
import type { Processes } from "../../contract/workspace.ts";
import { createLocalProcesses } from "../../workspace/mod.ts";
import { shellOf } from "../build_workspace.ts";
import type { InspectedProject } from "../inspect_project.ts";
import { sessionsFolder, sessionsOf } from "../session_store.ts";
import type { Check } from "./check.ts";
import { checkEndpoint, checkKeys } from "./endpoint.ts";
import {
  checkPrograms,
  checkProxy,
  checkSandbox,
  checkSessions,
  type ProxyFacts,
  type SandboxFacts,
  type SessionFacts,
} from "./machine.ts";
import { checkServers } from "./servers.ts";
import { checkSkills } from "./skills.ts";
import { checkConfig, checkHooks, checkRules, checkTrust } from "./settings.ts";

export interface Diagnosis {
  readonly project: InspectedProject;
  /** `provider/model` of a run without flags; undefined when it means nothing. */
  readonly defaultRef?: string;
  readonly defaultProvider?: string;
  readonly shell: Processes["shell"];
  readonly sandbox: SandboxFacts;
  readonly proxy: ProxyFacts;
  readonly sessions: SessionFacts;
  /** In the order they are told. */
  readonly checks: readonly Check[];
  /** For the printer, to keep out of everything it prints. */
  readonly secrets: readonly string[];
}

export interface DiagnoseOptions {
  readonly offline: boolean;
  /** Start each MCP server once. */
  readonly live: boolean;
}

export async function diagnose(project: InspectedProject, options: DiagnoseOptions): Promise<Diagnosis> {
  const { root, paths, loaded } = project;
  const processes = createLocalProcesses({
    root,
    shell: shellOf(loaded.config),
    secretNames: [...loaded.keys.values.keys()],
  });
  const [endpoint, programs, sandbox, sessions, hooks, servers, skills] = await Promise.all([
    checkEndpoint(project, options),
    checkPrograms(project, processes),
    checkSandbox(project, processes),
    checkSessions(sessionsFolder(paths, root), () => sessionsOf({ paths, root, program: "reasonix doctor" }).list()),
    checkHooks(project),
    checkServers(project, options.live),
    checkSkills(project),
  ]);
  const proxy = checkProxy(project);
  const choice = findModel(loaded.config, loaded.config.defaultModel);
  return {
    project,
    ...(choice ? { defaultRef: choice.ref, defaultProvider: choice.provider.name } : {}),
    shell: processes.shell,
    sandbox,
    proxy,
    sessions,
    checks: [
      ...checkConfig(project),
      ...checkTrust(project),
      ...checkRules(project),
      ...hooks,
      ...endpoint,
      ...checkKeys(project),
      proxy.check,
      ...servers,
      ...skills,
      ...programs,
      sandbox.check,
      sessions.check,
    ],
    secrets: savedSecrets(loaded),
  };
}
