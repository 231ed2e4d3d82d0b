/**
 * What of a conversation the settings make: walls, hooks, servers, limits. The conversation itself, its jobs and its tool
 * list stay when the settings are read again; this is replaced as a whole.
 */
import type { Config } from "../config/mod.ts";
import type { CapabilitySource } from "../contract/capability.ts";
import type { FileSnapshots } from "../contract/checkpoint.ts";
import type { Approver, Posture } from "../contract/decision.ts";
import type { Transcript } from "../contract/session.ts";
import type { ToolSettings } from "../contract/tool.ts";
import type { Workspace } from "../contract/workspace.ts";
import type { EventLog, Questions } from "../controller/mod.ts";
import type { SessionHooks } from "../extensions/mod.ts";
import { forwardTo } from "../lib/forward.ts";
import type { SandboxState } from "../safety/mod.ts";
import { buildHooks } from "./build_hooks.ts";
import type { ServerPool, TakenServers } from "./build_servers.ts";
import { buildWorkspace, type BuiltWorkspace } from "./build_workspace.ts";
import type { Project } from "./project.ts";

export interface OutfitContext {
  readonly project: Project;
  readonly servers: ServerPool;
  readonly log: EventLog;
  readonly questions: Questions;
  /** Somebody can answer questions. */
  readonly interactive: boolean;
}

export interface OutfitPorts {
  readonly transcript: Transcript;
  readonly snapshots: FileSnapshots;
  /** Whether the walls stand, where an earlier conversation of this run has found out. */
  readonly sandboxState?: Promise<SandboxState>;
  posture(): Posture;
  planning(): boolean;
}

export interface Outfit {
  readonly project: Project;
  readonly pool: ServerPool;
  readonly built: BuiltWorkspace;
  readonly settings: ToolSettings;
  readonly hooks?: SessionHooks;
  /** Absent: nobody can be asked. */
  readonly approver?: Approver;
  readonly taken?: TakenServers;
  readonly front?: ReturnType<TakenServers["front"]>;
}

/** `before`: hooks and servers that the settings leave as they were go on. */
export async function fitOut(context: OutfitContext, ports: OutfitPorts, before?: Outfit): Promise<Outfit> {
  const { project, servers: pool, log, questions, interactive } = context;
  const { transcript, posture, planning } = ports;
  const isSamePool = before?.pool === pool;
  const taken = isSamePool ? before.taken : await pool.take();
  try {
    const front = isSamePool ? before.front : taken?.front({ planning });
    const hooks = before && sameHooks(before.project, project)
      ? before.hooks
      : await buildHooks({ project, log, transcript, posture });
    const sandboxState = before === undefined
      ? ports.sandboxState
      : sameSandbox(before.project, project)
      ? before.built.sandbox.state()
      : undefined;
    const approver = interactive ? hooks?.notified(questions) ?? questions : undefined;
    return {
      project,
      pool,
      built: buildWorkspace(project, {
        snapshots: ports.snapshots,
        ...(before ? { memory: before.built.memory } : {}),
        ...(sandboxState ? { sandboxState } : {}),
      }),
      settings: toToolSettings(project.loaded.config),
      ...(hooks ? { hooks } : {}),
      ...(approver ? { approver } : {}),
      ...(taken ? { taken } : {}),
      ...(front ? { front } : {}),
    };
  } catch (error) {
    if (!isSamePool) await taken?.release();
    throw error;
  }
}

/** The ports of tools, which outlive what they lead to. */
export function outfitPorts(current: () => Outfit): {
  readonly workspace: Workspace;
  readonly unconfined: Workspace["processes"];
  readonly settings: ToolSettings;
  readonly approver: Approver;
  readonly servers: CapabilitySource;
} {
  return {
    workspace: {
      root: current().built.workspace.root,
      files: forwardTo(() => current().built.workspace.files),
      processes: forwardTo(() => current().built.workspace.processes),
    },
    unconfined: forwardTo(() => current().built.unconfined),
    settings: forwardTo(() => current().settings),
    approver: { request: (approval, signal) => current().approver!.request(approval, signal) },
    servers: {
      list: () => current().front?.list() ?? [],
      find: (id) => current().front?.find(id),
      tool: (name) => current().front?.tool(name),
    },
  };
}

function sameHooks(a: Project, b: Project): boolean {
  const facts = ({ hooks, loaded }: Project) => JSON.stringify([hooks.active, loaded.config.tools.shell]);
  return facts(a) === facts(b);
}

function sameSandbox(a: Project, b: Project): boolean {
  return JSON.stringify(a.loaded.config.sandbox) === JSON.stringify(b.loaded.config.sandbox);
}

function toToolSettings(config: Config): ToolSettings {
  const { bashTimeoutSeconds, shell, search, backgroundJobs } = config.tools;
  return {
    bashTimeoutSeconds,
    shellEnv: shell.env,
    searchEngine: search.engine,
    ...(search.rgPath === "auto" ? {} : { rgPath: search.rgPath }),
    stalledWarningSeconds: backgroundJobs.stalledWarningSeconds,
  };
}
