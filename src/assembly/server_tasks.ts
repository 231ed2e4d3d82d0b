/** What commands do with MCP servers outside a session: look, start once, sign in, forget. */
import type { ServerView } from "../contract/servers.ts";
import type { InspectedProject } from "./inspect_project.ts";
import { openServers, type ServerProject, toServerSettings } from "./build_servers.ts";

export interface ServerStanding {
  /** Tools it listed when it was last started over this very connection; undefined: never. */
  readonly tools?: readonly { readonly name: string; readonly readOnly: boolean; readonly description: string }[];
  readonly signIn: "none" | "signed_in" | "ended" | "not_applicable";
  /** Why it cannot work as declared. */
  readonly problem?: string;
  readonly notes: readonly string[];
}

const asProject = (project: InspectedProject): ServerProject => ({ ...project, extraRoots: [] });

/** Starts nothing, asks nobody. */
export async function standingOf(project: InspectedProject, name: string): Promise<ServerStanding | undefined> {
  const plugin = project.loaded.config.plugins.find((one) => one.name === name);
  if (plugin === undefined) return undefined;
  const settings = toServerSettings(plugin, asProject(project));
  const { connectionIdentity, loadToolCache, SignInStore, stateFolder } = await import("../mcp/mod.ts");
  const folder = await stateFolder(stateRoot(project), name);
  const tools = await loadToolCache(folder, await connectionIdentity(settings)) ?? undefined;
  const { target } = settings;
  const kept = target.kind === "stdio" ? undefined : await new SignInStore(folder).load(target.url);
  return {
    ...(tools ? { tools } : {}),
    signIn: target.kind === "stdio"
      ? "not_applicable"
      : kept === undefined
      ? "none"
      : kept.access_token === undefined
      ? "ended"
      : "signed_in",
    ...(settings.problem === undefined ? {} : { problem: settings.problem }),
    notes: settings.notes,
  };
}

export interface CheckOptions {
  /** Only these; all that are switched on when absent. */
  readonly names?: readonly string[];
  /** Longest wait for each. Milliseconds; the configured limit when absent. */
  readonly limitMs?: number;
}

/**
 * Starts servers once, as a session would, and ends them again: state, stage reached, time taken, last words. For
 * `doctor`, `mcp retry` and `mcp update`. Stages: `launch`, `authorization`, `initialize`, `tools/list`.
 */
export async function checkServers(
  project: InspectedProject,
  options: CheckOptions = {},
): Promise<readonly ServerView[]> {
  const { names, limitMs } = options;
  const plugins = project.loaded.config.plugins.filter(({ name }) => names === undefined || names.includes(name));
  if (plugins.length === 0) return [];
  const limited = limitMs === undefined
    ? plugins
    : plugins.map((plugin) => ({ ...plugin, startupTimeoutSeconds: limitMs / 1000 }));
  const only = { ...project.loaded, config: { ...project.loaded.config, plugins: limited } };
  const { host, close } = await openServers({ ...asProject(project), loaded: only }, { start: false });
  try {
    await Promise.all(
      host.servers.filter(({ state }) => state === "waiting").map(async (server) => {
        await server.reconnect();
        await server.complete();
      }),
    );
    return host.list();
  } finally {
    await close();
  }
}

export interface SignInTask {
  readonly name: string;
  /** Shows the address to the person, or opens it. */
  open(address: string): void | Promise<void>;
  /** An address the person copied from a browser that cannot reach this machine. */
  readonly pasted?: Promise<string>;
  readonly signal: AbortSignal;
}

/** Throws an `Error` whose message is for people. */
export async function signInTo(project: InspectedProject, task: SignInTask): Promise<void> {
  const plugin = project.loaded.config.plugins.find(({ name }) => name === task.name)!;
  const settings = toServerSettings(plugin, asProject(project));
  const [{ signIn, stateFolder }, { loadFetch }] = await Promise.all([
    import("../mcp/mod.ts"),
    import("./lazy_doors.ts"),
  ]);
  await signIn({
    settings,
    folder: await stateFolder(stateRoot(project), task.name),
    fetch: await loadFetch(project),
    open: task.open,
    ...(task.pasted ? { pasted: task.pasted } : {}),
    signal: task.signal,
  });
}

/**
 * After a declaration is gone: its sign-in goes with it, unless what is in force now is reached at the same address.
 * Local only: the browser stays signed in where it is.
 */
export async function forgetSignIn(before: InspectedProject, after: InspectedProject, name: string): Promise<boolean> {
  const addressIn = (project: InspectedProject) => {
    const plugin = project.loaded.config.plugins.find((one) => one.name === name);
    const target = plugin && toServerSettings(plugin, asProject(project)).target;
    return target === undefined || target.kind === "stdio" ? undefined : target.url;
  };
  const address = addressIn(before);
  if (address === undefined || address === addressIn(after)) return false;
  const { SignInStore, stateFolder } = await import("../mcp/mod.ts");
  const store = new SignInStore(await stateFolder(stateRoot(before), name));
  const kept = await store.load(address) !== undefined;
  await store.clear();
  return kept;
}

const stateRoot = ({ paths }: InspectedProject) => `${paths.state}/mcp`;
