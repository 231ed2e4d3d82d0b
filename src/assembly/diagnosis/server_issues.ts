/** MCP servers for `doctor capabilities`: can each be started as declared, and, when they are started, how far it comes. */
import type { PluginEntry } from "../../config/mod.ts";
import { expandServer } from "../../config/mod.ts";
import type { ServerView } from "../../contract/servers.ts";
import type { Processes } from "../../contract/workspace.ts";
import { errorText } from "../../lib/error_text.ts";
import { inOrder } from "../../lib/in_order.ts";
import { isAbsolute, join } from "../../lib/path.ts";
import { createLocalProcesses } from "../../workspace/mod.ts";
import type { InspectedProject } from "../inspect_project.ts";
import { checkServers, standingOf } from "../server_tasks.ts";
import type { CapabilityCode, CapabilityIssue } from "./capability_issue.ts";
import type { PlaceNames } from "./place_names.ts";
import type { KnownServer } from "./skill_issues.ts";

export interface ServerCapability extends KnownServer {
  readonly transport: PluginEntry["type"];
  /** The kind of file it is declared in, such as `project`. */
  readonly source: string;
  readonly sourcePath: string;
  /** It is the entry of its name that counts, and it may start. */
  readonly effective: boolean;
  readonly enabled: boolean;
  /** Of a start that failed. */
  readonly failure?: { readonly stage: string; readonly elapsedMs: number; readonly stderr: string };
}

export interface ServerReport {
  readonly servers: readonly ServerCapability[];
  readonly issues: readonly CapabilityIssue[];
}

export interface ServerOptions {
  /** Start each automatic one once; undefined: start nothing. Milliseconds. */
  readonly liveMs?: number;
  readonly names: PlaceNames;
}

/** Started at once. */
const AT_ONCE = 4;

export async function inspectServers(project: InspectedProject, options: ServerOptions): Promise<ServerReport> {
  const { loaded, root } = project;
  const processes = createLocalProcesses({ root, secretNames: [...loaded.keys.values.keys()] });
  const servers: ServerCapability[] = [];
  const issues: CapabilityIssue[] = [];
  for await (
    const found of inOrder(
      loaded.config.plugins,
      AT_ONCE,
      (plugin) => inspectServer(plugin, project, processes, options),
    )
  ) {
    servers.push(found.server);
    issues.push(...found.issues);
  }
  return { servers: [...servers, ...withoutEffect(project, options.names)], issues };
}

type Looked = { readonly server: ServerCapability; readonly issues: readonly CapabilityIssue[] };

async function inspectServer(
  plugin: PluginEntry,
  project: InspectedProject,
  processes: Processes,
  { liveMs, names }: ServerOptions,
): Promise<Looked> {
  const server = { ...toCapability(plugin, names, true), ...await listedTools(project, plugin.name) };
  const issue: MakeIssue = (code, message, remediation) => ({
    severity: "error",
    code,
    subsystem: "mcp",
    name: plugin.name,
    source: server.sourcePath,
    message: `the MCP server ${plugin.name} ${names.text(message)}`,
    remediation,
  });
  if (!plugin.enabled) return { server, issues: [] };
  const wrong = await staticIssue(plugin, project, { processes, issue });
  if (wrong) return { server, issues: [wrong] };
  if (liveMs === undefined || !plugin.autoStart) return { server, issues: [] };
  try {
    const [view] = await checkServers(project, { names: [plugin.name], limitMs: liveMs });
    if (view === undefined) return { server, issues: [] };
    return afterStart({ ...server, ...await listedTools(project, plugin.name) }, view, issue);
  } catch (error) {
    const remedy = "Look at reasonix doctor; the client itself could not be made ready.";
    return { server, issues: [issue("mcp.runtime_unavailable", `could not be tried: ${errorText(error)}`, remedy)] };
  }
}

/** As the server listed them when it was last started. */
async function listedTools(project: InspectedProject, server: string): Promise<Pick<KnownServer, "tools">> {
  const tools = (await standingOf(project, server))?.tools?.map(({ name }) => name);
  return tools ? { tools } : {};
}

type MakeIssue = (code: CapabilityCode, message: string, remediation: string) => CapabilityIssue;

async function staticIssue(
  plugin: PluginEntry,
  { root, env, loaded }: InspectedProject,
  { processes, issue }: { readonly processes: Processes; readonly issue: MakeIssue },
): Promise<CapabilityIssue | undefined> {
  const correct = `Correct its entry: reasonix mcp get ${plugin.name} shows where it stands.`;
  if (plugin.type !== "stdio") {
    if (plugin.url.trim() === "") return issue("mcp.missing_url", "names no url", correct);
    const { url } = expandServer(plugin, { workspace: root, env, loaded }).server;
    if (/^https?:\/\//i.test(url) && URL.canParse(url)) return undefined;
    return issue("mcp.invalid_transport", "has a url that is no http or https address", correct);
  }
  if (plugin.command.trim() === "") return issue("mcp.missing_command", "names no command", correct);
  const { command, dir } = expandServer(plugin, { workspace: root, env, loaded }).server;
  const isPath = /[\\/]/.test(command);
  const there = isPath
    ? await isFile(isAbsolute(command) ? command : join(root, dir ?? ".", command))
    : await processes.which(command) !== undefined;
  if (there) return undefined;
  const where = isPath ? "is not there" : "is not found on PATH, outside of the workspace";
  return issue("mcp.command_not_found", `names the command ${JSON.stringify(command)}, which ${where}`, correct);
}

function afterStart(server: ServerCapability, view: ServerView, issue: MakeIssue): Looked {
  const { state, stage = "launch", startMs = 0, reason, tools, stderr = "" } = view;
  if (state === "ready") {
    if (tools > 0) return { server, issues: [] };
    const found = issue("mcp.no_tools", "started and offers no tools", "Look at its settings and its documentation.");
    return { server, issues: [{ ...found, severity: "warning" }] };
  }
  const signIn = state === "needs_sign_in";
  const message = signIn ? "wants a sign-in" : `did not start: ${stage} failed${reason ? `: ${reason}` : ""}`;
  const remedy = `reasonix mcp ${signIn ? "auth" : "retry"} ${server.name}`;
  const failure = { stage: signIn ? "authorization" : stage, elapsedMs: Math.round(startMs), stderr };
  return { server: { ...server, failed: true, failure }, issues: [issue("mcp.start_failed", message, remedy)] };
}

function toCapability(plugin: PluginEntry, names: PlaceNames, effective: boolean): ServerCapability {
  const { name, type, source, enabled } = plugin;
  return {
    name,
    transport: type,
    source: source.layer,
    sourcePath: names.place(source.file),
    effective: effective && enabled,
    enabled,
  };
}

/** Entries that another one of the same name stands above, and those that wait for trust. */
function withoutEffect({ loaded }: InspectedProject, names: PlaceNames): readonly ServerCapability[] {
  const held = loaded.heldServers.map((plugin) => toCapability(plugin, names, false));
  const inForce = new Map(loaded.config.plugins.map((plugin) => [plugin.name, plugin]));
  const covered = loaded.layers.flatMap(({ layer, values }): ServerCapability[] => {
    if (layer !== "user" && layer !== "project") return [];
    const { plugins = [], mcp } = values as { readonly plugins?: readonly Declared[]; readonly mcp?: DeclaredServers };
    const file = layer === "user" ? loaded.userConfig : loaded.projectConfig.file;
    return [...plugins, ...mcp?.servers ?? []].flatMap(({ name = "", type, url, enabled = true }) => {
      const winner = inForce.get(name);
      if (winner === undefined || winner.source.file === file) return [];
      const transport = type ?? (url ? "http" : "stdio");
      return [{ name, transport, source: layer, sourcePath: names.place(file), effective: false, enabled }];
    });
  });
  return [...held, ...covered];
}

interface Declared {
  readonly name?: string;
  readonly type?: PluginEntry["type"];
  readonly url?: string;
  readonly enabled?: boolean;
}

interface DeclaredServers {
  readonly servers?: readonly Declared[];
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch {
    return false;
  }
}
