/** The workspace port and the walls around it, from the machine outwards. */
import { type Config, expandVariables } from "../config/mod.ts";
import type { FileSnapshots } from "../contract/checkpoint.ts";
import type { Processes, Workspace } from "../contract/workspace.ts";
import { isInside, join } from "../lib/path.ts";
import {
  confineWrites,
  forbidReads,
  type GitMemory,
  isCaseless,
  protectChangedFiles,
  type SandboxedProcesses,
  sandboxProcesses,
  type SandboxSettings,
  type SandboxState,
  SeenFiles,
  snapshotFiles,
  statePaths,
} from "../safety/mod.ts";
import {
  createLocalFiles,
  createLocalProcesses,
  createSessionTemp,
  type SessionTemp,
  type ShellPreference,
} from "../workspace/mod.ts";
import type { Project } from "./project.ts";
import { secretVariables } from "./secret_variables.ts";

export interface BuiltWorkspace {
  readonly workspace: Workspace;
  readonly sandbox: SandboxedProcesses;
  /** For the walls that come after these. */
  readonly memory: WallMemory;
  /** The same processes without the sandbox; for what a person has allowed to run outside it. */
  readonly unconfined: Processes;
  /** File names differ in letter case only by accident; asked of the disk itself, outside the walls. */
  readonly caseless: Promise<boolean>;
  /** Removes what the sandbox needed, and what is remembered unless others go by it. After all commands have ended. */
  close(): Promise<void>;
}

/** Hidden subcommand: this program as the bridge inside a sandbox with filtered hosts. */
const BRIDGE_COMMAND = "__sandbox-bridge";

/** What walls remember of a session, and their successors go by. */
export interface WallMemory {
  /** What the agent has seen of files. */
  readonly seen: SeenFiles;
  /** What of git was protected. */
  readonly git: GitMemory;
  /** What commands know as their temporary folder. */
  readonly temp: SessionTemp;
}

export interface WorkspaceOptions {
  /** Of the walls before these, which keep it. */
  readonly memory?: WallMemory;
  /** Saves what each change is about to take away. */
  readonly snapshots?: FileSnapshots;
  /** What an earlier conversation of this run found out; probed anew when absent. */
  readonly sandboxState?: Promise<SandboxState>;
}

/** Each wall is one wrapper; the outermost is asked first. */
export function buildWorkspace(project: Project, options: WorkspaceOptions = {}): BuiltWorkspace {
  const { root, paths } = project;
  const { config } = project.loaded;
  const memory = options.memory ?? {
    seen: new SeenFiles(),
    git: { pinned: new Set<string>(), readOnly: new Set<string>() },
    temp: createSessionTemp({ notes: tempNotes(paths) }),
  };
  const { seen, git, temp } = memory;
  const machine = createLocalFiles(root, { writeLog: writeLog(paths) });
  const saved = options.snapshots ? snapshotFiles(machine, options.snapshots) : machine;
  const confined = confineWrites(saved, {
    roots: writeRoots(project),
    protectedPaths: statePaths(paths.home, paths.state),
  });
  const readable = forbidReads(confined, { paths: forbiddenPaths(project) });
  const files = config.tools.protectChangedFiles ? protectChangedFiles(readable, seen) : readable;
  const local = createLocalProcesses({
    root,
    shell: shellOf(config),
    secretNames: secretNames(project),
    temp,
  });
  const sandbox = sandboxProcesses(local, {
    settings: sandboxSettings(project),
    root,
    temp,
    tempNotes: tempNotes(paths),
    git,
    bridge: bridgeCommand(),
    ...(options.sandboxState ? { state: options.sandboxState } : {}),
  });
  return {
    workspace: { root, files, processes: sandbox },
    sandbox,
    memory,
    unconfined: local,
    caseless: isCaseless(machine, root).then((found) => found ?? false),
    close: async () => {
      await sandbox.close();
      if (options.memory === undefined) await temp.remove();
    },
  };
}

/** Processes of MCP servers: the walls of commands, but for the session's temporary folder, which servers do not share. */
export interface ServerProcesses {
  /** `authorities` are host sockets left reachable beside those of the settings. */
  of(authorities: readonly string[]): Pick<Processes, "open">;
  close(): Promise<void>;
}

export function serverProcesses(project: WalledProject, options: WorkspaceOptions = {}): ServerProcesses {
  const local = createLocalProcesses({ root: project.root, secretNames: secretNames(project) });
  const settings = sandboxSettings(project);
  const made = new Map<string, SandboxedProcesses>();
  return {
    of(authorities) {
      const key = authorities.join();
      const known = made.get(key);
      if (known) return known;
      const sandbox = sandboxProcesses(local, {
        settings: { ...settings, hostAuthorities: [...settings.hostAuthorities, ...authorities] },
        root: project.root,
        tempNotes: tempNotes(project.paths),
        bridge: bridgeCommand(),
        ...(options.sandboxState ? { state: options.sandboxState } : {}),
      });
      made.set(key, sandbox);
      return sandbox;
    },
    close: async () => {
      await Promise.all([...made.values()].map((sandbox) => sandbox.close()));
    },
  };
}

type WalledProject = Pick<Project, "root" | "paths" | "loaded" | "extraRoots" | "env">;

function sandboxSettings(project: WalledProject): SandboxSettings {
  const { sandbox } = project.loaded.config;
  const { paths } = project;
  const roots = writeRoots(project).filter((path) => path !== paths.home);
  return {
    bash: sandbox.bash,
    writeRoots: roots,
    readOnlyPaths: [paths.home, ...keptByItself(project, roots), paths.cache],
    forbidRead: listedForbidden(project),
    secretPaths: ownSecrets(project),
    network: sandbox.network,
    allowedDomains: sandbox.allowedDomains,
    deniedDomains: sandbox.deniedDomains,
    hostAuthorities: sandbox.hostAuthorities,
    userHome: paths.osHome,
  };
}

/** The state whole, unless what commands may write lies in it: sessions, and what is queued in them, are the person's. */
function keptByItself({ paths: { home, state } }: Pick<Project, "paths">, roots: readonly string[]): string[] {
  return roots.some((root) => isInside(root, state)) ? statePaths(home, state) : [state];
}

/** How this very program is started again, compiled or from source. */
function bridgeCommand(): string[] {
  const main = Deno.mainModule.startsWith("file:") && !Deno.build.standalone
    ? ["run", "-A", new URL(Deno.mainModule).pathname]
    : [];
  return [Deno.execPath(), ...main, BRIDGE_COMMAND];
}

/** The shell that the settings choose. */
export function shellOf({ tools: { shell: { prefer, path } } }: Pick<Config, "tools">): ShellPreference {
  return { prefer, ...(path === "auto" ? {} : { path }) };
}

/** Variables that no program started here sees. */
export function secretNames({ loaded: { config, keys } }: Pick<Project, "loaded">): string[] {
  return secretVariables({ config, saved: keys.values.keys(), inherited: Object.keys(Deno.env.toObject()) });
}

/** Where temporary folders in use are noted, so that the next start finds those of a killed process. */
export function tempNotes(paths: Project["paths"]): string {
  return `${paths.state}/temp-folders`;
}

/** Where writes under way are noted, so that the next start finds what a killed process left. */
export function writeLog(paths: Project["paths"]): string {
  return `${paths.state}/pending-writes`;
}

/** The workspace first, as messages list them in this order. */
function writeRoots({ root, loaded: { config }, paths, extraRoots }: WalledProject): string[] {
  const main = config.sandbox.workspaceRoot === "" ? root : join(root, config.sandbox.workspaceRoot);
  return [...new Set([main, ...extraRoots, ...config.sandbox.allowWrite.map((path) => join(root, path)), paths.home])];
}

/** Folders whose files can be brought back to an earlier state: what may be written, but for Reasonix's own home. */
export async function restorableRoots(project: WalledProject): Promise<readonly string[]> {
  const roots = writeRoots(project).filter((path) => path !== project.paths.home);
  return await Promise.all(roots.map((path) => Deno.realPath(path).catch(() => path)));
}

export function forbiddenPaths(project: WalledProject): string[] {
  return [...listedForbidden(project), ...ownSecrets(project)];
}

function listedForbidden({ root, loaded: { config }, env }: WalledProject): string[] {
  const paths = config.sandbox.forbidRead.map((path) => expandVariables(path, env)).filter((path) => path !== "");
  return paths.map((path) => join(root, path));
}

/** Where keys and tokens lie: always out of sight. */
function ownSecrets({ loaded: { config }, paths }: WalledProject): string[] {
  if (!config.secrets.protectCredentialFiles) return [paths.envFile];
  return [paths.envFile, `${paths.home}/remote`, `${paths.home}/credentials`, `${paths.state}/mcp`];
}
