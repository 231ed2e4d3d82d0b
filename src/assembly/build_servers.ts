/**
 * MCP servers of one run of the program: settings become connections behind walls of their own. They outlive a single
 * conversation, so that a new one finds them ready; the last one that gives them back ends them.
 */
import { expandServer, type PluginEntry, proxySettings } from "../config/mod.ts";
import type { Person } from "../contract/decision.ts";
import type { LoopObserver } from "../contract/observer.ts";
import type { Servers } from "../contract/servers.ts";
import type { Tool } from "../contract/tool.ts";
import { BUILD } from "../lib/build_info.ts";
import { basename, join } from "../lib/path.ts";
import type { AskPerson, Front, Host, ServerSettings } from "../mcp/mod.ts";
import type { SandboxState } from "../safety/mod.ts";
import { createPorts } from "../providers/mod.ts";
import { secretNames, serverProcesses } from "./build_workspace.ts";
import type { Project } from "./project.ts";

export type ServerProject = Pick<Project, "root" | "paths" | "env" | "loaded" | "extraRoots">;

export interface ServerPool {
  /** Undefined when none is configured; then nothing of the client is loaded. */
  take(): Promise<TakenServers | undefined>;
}

export interface TakenServers {
  readonly servers: Servers;
  /** What one agent sees of them. */
  front(options: { planning(): boolean }): Front;
  /**
   * Before the first request: waits a moment for servers nobody has heard of, then hands out what they offer. Without
   * `enter` nothing becomes part of the requests: the tool list was settled before.
   */
  opening(front: Front, enter: ((tools: readonly Tool[]) => void) | undefined): LoopObserver;
  release(): Promise<void>;
}

export interface PoolOptions {
  /** Told once when a server fails or wants a sign-in. */
  notify?(text: string, code: string): void;
  /** Who answers a server's form; absent: it is told that nobody can. */
  readonly person?: Person;
  /** Whether the walls of commands stand, once somebody has asked. */
  sandboxState?(): Promise<SandboxState> | undefined;
}

/** Equal for settings that make the same servers behind the same walls. Holds what secrets the settings hold: never told. */
export function serverKey(project: ServerProject): string {
  const { plugins, sandbox, network, tools } = project.loaded.config;
  return JSON.stringify([
    plugins.map((plugin) => toServerSettings(plugin, project)),
    sandbox,
    network,
    tools.directMcpSchemaTokens,
    secretNames(project),
  ]);
}

export function createServerPool(project: ServerProject, options: PoolOptions = {}): ServerPool {
  let open: Promise<OpenHost> | undefined;
  let takers = 0;
  return {
    async take() {
      if (project.loaded.config.plugins.length === 0) return undefined;
      takers++;
      open ??= openServers(project, options);
      let given: OpenHost;
      try {
        given = await open;
      } catch (error) {
        takers--;
        open = undefined;
        throw error;
      }
      const { host, Front, close } = given;
      const { directMcpSchemaTokens } = project.loaded.config.tools;
      let released = false;
      return {
        servers: host,
        front: ({ planning }) => new Front(host, { planning, directTokens: directMcpSchemaTokens }),
        opening: (front, enter) => createOpening(host, { front, enter }),
        release: async () => {
          if (released) return;
          released = true;
          if (--takers > 0) return;
          open = undefined;
          await close();
        },
      };
    },
  };
}

interface OpenHost {
  readonly host: Host;
  readonly Front: typeof Front;
  close(): Promise<void>;
}

/** Also for commands that look at servers without a session; nothing is started yet. */
export async function openServers(
  project: ServerProject,
  options: PoolOptions & { readonly start?: boolean } = {},
): Promise<OpenHost> {
  const { openHost, Front, elicitFromPerson } = await import("../mcp/mod.ts");
  const { person } = options;
  const plugins = new Map(project.loaded.config.plugins.map((plugin) => [plugin.name, plugin]));
  const walls = serverProcesses(project, { sandboxState: options.sandboxState?.() });
  const host = await openHost({
    servers: [...plugins.values()].map((plugin) => toServerSettings(plugin, project)),
    stateRoot: `${project.paths.state}/mcp`,
    ports: {
      open: ({ name }, program) => walls.of(authoritiesOf(plugins.get(name)!)).open(program),
      fetch: fetchOf(project),
      root: project.root,
      version: BUILD.version,
      ...(person
        ? { elicit: (server, request, signal) => elicitFromPerson(server, request, { ask: asking(person), signal }) }
        : {}),
      now: () => performance.now(),
    },
  });
  if (options.notify) tellFailures(host, options.notify);
  if (options.start !== false) host.start();
  return {
    host,
    Front,
    close: async () => {
      await host.close();
      await walls.close();
    },
  };
}

/** A server's question is the person's alone to answer: no posture, rule or hook is asked. */
function asking(person: Person): AskPerson {
  return (questions, signal) => {
    const id = `mcp-${crypto.randomUUID().slice(0, 8)}`;
    return person.ask({ id, callId: id, questions }, signal);
  };
}

function tellFailures(host: Host, notify: (text: string, code: string) => void): void {
  const told = new Map<string, string>();
  host.subscribe(() => {
    for (const { name, state, reason } of host.list()) {
      const said = state === "failed" || state === "needs_sign_in" ? `${state} ${reason}` : "";
      if (said === (told.get(name) ?? "")) continue;
      told.set(name, said);
      if (said === "") continue;
      notify(
        state === "failed"
          ? `MCP server "${name}" failed: ${reason}`
          : `MCP server "${name}" needs you to sign in: reasonix mcp auth ${name}`,
        state === "failed" ? "mcp.start_failed" : "mcp.sign_in",
      );
    }
  });
}

/** The container engine is what such a server is; a folder's own file does not open that door. */
function authoritiesOf({ source, command }: PluginEntry): readonly string[] {
  const program = basename(command).replace(/\.exe$/i, "");
  return source.layer === "user" && (program === "docker" || program === "podman") ? [program] : [];
}

/** Nothing is dialled while it is made. */
function fetchOf({ loaded, env }: ServerProject): typeof fetch {
  const proxy = proxySettings(loaded.config.network, { keys: loaded.keys, env });
  return createPorts({ proxy, env }).fetch;
}

export function toServerSettings(plugin: PluginEntry, project: ServerProject): ServerSettings {
  const { server, missing } = expandServer(plugin, {
    workspace: project.root,
    env: project.env,
    loaded: project.loaded,
  });
  const { tools } = project.loaded.config;
  const load = tools.mcpLoad[plugin.name];
  const problem = problemOf(server);
  return {
    name: plugin.name,
    target: server.type === "stdio"
      ? {
        kind: "stdio",
        command: server.command,
        args: server.args,
        env: server.env,
        ...(server.dir ? { dir: join(project.root, server.dir) } : {}),
      }
      : { kind: server.type, url: server.url, headers: server.headers, ...oauthOf(server.oauth) },
    startupMs: (plugin.startupTimeoutSeconds || tools.mcpStartupTimeoutSeconds) * 1000,
    callMs: (plugin.callTimeoutSeconds || tools.mcpCallTimeoutSeconds) * 1000,
    toolMs: Object.fromEntries(
      Object.entries(plugin.toolTimeoutSeconds).map(([name, seconds]) => [name, seconds * 1000]),
    ),
    concurrency: plugin.concurrency,
    enabled: plugin.enabled,
    autoStart: plugin.autoStart,
    required: plugin.required,
    load: load ?? "auto",
    notes: missing.map((name) => `the variable ${name} is not set and became nothing`),
    ...(problem === undefined ? {} : { problem }),
  };
}

function problemOf({ type, command, url }: PluginEntry): string | undefined {
  if (type === "stdio") return command.trim() === "" ? "it names no command" : undefined;
  if (url.trim() === "") return "it names no url";
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? undefined : "its url is not an http or https address";
}

function oauthOf(table: Readonly<Record<string, unknown>>) {
  const text = (key: string) => typeof table[key] === "string" && table[key] !== "" ? table[key] as string : undefined;
  const port = table["callback_port"];
  const oauth = {
    clientId: text("client_id"),
    clientSecret: text("client_secret"),
    clientMetadataUrl: text("client_metadata_url"),
    scope: text("scope"),
    authorizationEndpoint: text("authorization_endpoint"),
    tokenEndpoint: text("token_endpoint"),
    callbackPort: Number.isInteger(port) ? port as number : undefined,
  };
  const given = Object.fromEntries(Object.entries(oauth).filter(([, value]) => value !== undefined));
  return Object.keys(given).length === 0 ? {} : { oauth: given };
}

/** The tool list is settled by the first turn and stays as it is. */
function createOpening(
  host: Host,
  { front, enter }: { readonly front: Front; readonly enter: ((tools: readonly Tool[]) => void) | undefined },
): LoopObserver {
  let settled = false;
  return {
    name: "MCP servers",
    async turnBegins() {
      if (!settled) {
        settled = true;
        await host.known();
        enter?.(front.takeDirect());
      }
      const absent = host.list().find(({ required, state }) => required && state !== "ready");
      if (absent === undefined) return undefined;
      const why = absent.reason ?? absent.state.replaceAll("_", " ");
      return { refusal: `MCP server "${absent.name}" is required and not ready: ${why}` };
    },
  };
}
