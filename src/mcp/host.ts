/**
 * The servers of a session: started in the background, shared by all its agents. Nothing a server does or leaves
 * undone holds up the session or another server.
 */
import { ToolError } from "../contract/errors.ts";
import type { ServerPrompt, ServerResource, Servers, ServerText, ServerView } from "../contract/servers.ts";
import { settledWithin } from "../lib/waiting.ts";
import type { HostPorts } from "./host_ports.ts";
import { toToolName } from "./names.ts";
import { readContents } from "./result.ts";
import { readPrompt } from "./prompt_text.ts";
import { Server } from "./server.ts";
import { connectionIdentity, type ServerSettings } from "./settings.ts";
import { Slots } from "./slots.ts";
import { stateFolder } from "./state_folder.ts";
import { loadToolCache } from "./tool_cache.ts";
import { FIRST_PROMPT_WAIT_MS } from "./waits.ts";

export interface HostOptions {
  readonly servers: readonly ServerSettings[];
  readonly ports: Omit<HostPorts, "slots" | "nextToken">;
  /** Private state of all servers, absolute. */
  readonly stateRoot: string;
}

/** Starts at one time. */
const AT_ONCE = 8;

export async function openHost({ servers, ports, stateRoot }: HostOptions): Promise<Host> {
  let tokens = 0;
  const shared: HostPorts = { ...ports, slots: new Slots(AT_ONCE), nextToken: () => `reasonix-${++tokens}` };
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  const made = await Promise.all(servers.map(async (settings) => {
    const [identity, folder] = await Promise.all([connectionIdentity(settings), stateFolder(stateRoot, settings.name)]);
    const cached = await loadToolCache(folder, identity);
    return new Server({
      settings,
      identity,
      folder,
      ports: shared,
      changed,
      tried: cached !== undefined,
      ...(cached ? { cached } : {}),
    });
  }));
  return new Host(made, listeners);
}

export class Host implements Servers {
  readonly servers: readonly Server[];
  readonly #listeners: Set<() => void>;
  #direct: ReadonlySet<string> = new Set();
  #closed: Promise<void> | undefined;

  /** Made by `openHost`. */
  constructor(servers: readonly Server[], listeners: Set<() => void>) {
    this.servers = servers;
    this.#listeners = listeners;
  }

  /** Begins to start what starts by itself, and comes back at once. */
  start(): void {
    for (const server of this.servers) {
      if (server.settings.autoStart || server.settings.required) server.startInBackground();
    }
  }

  /**
   * Settles when every server that starts has been heard of once, now or in an earlier session, or after `ms`. One that
   * was tried before and never came is not waited for; one that is required is, until it is ready or has failed.
   */
  async known(ms = FIRST_PROMPT_WAIT_MS): Promise<void> {
    const required = this.servers.filter((server) => server.settings.required);
    const unknown = this.servers.filter((server) => server.tools === undefined && !server.wasTried);
    await settledWithin(Promise.all(unknown.map((server) => server.settled())), ms);
    await Promise.all(required.map((server) => server.settled()));
  }

  find(name: string): Server | undefined {
    return this.servers.find((server) => server.settings.name === name);
  }

  /** Told by the front of the main agent; for people. */
  setDirect(names: ReadonlySet<string>): void {
    this.#direct = names;
  }

  list(): readonly ServerView[] {
    return this.servers.map((server) => ({ ...server.view, direct: this.#direct.has(server.settings.name) }));
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  prompts(): readonly ServerPrompt[] {
    return this.servers.filter((server) => server.state === "ready").flatMap((server) =>
      server.prompts.map((prompt) => ({
        server: server.settings.name,
        command: toToolName(server.settings.name, prompt.name),
        ...prompt,
      }))
    );
  }

  resources(): readonly ServerResource[] {
    return this.servers.filter((server) => server.state === "ready").flatMap((server) =>
      server.resources.map((resource) => ({ server: server.settings.name, ...resource }))
    );
  }

  async prompt(command: string, words: readonly string[], signal: AbortSignal): Promise<string> {
    const prompt = this.prompts().find((one) => one.command === command);
    if (prompt === undefined) throw new ToolError(`no connected server offers the prompt "${command}"`);
    const args: Record<string, string> = {};
    for (const [at, argument] of prompt.arguments.entries()) {
      const last = at === prompt.arguments.length - 1;
      const value = last ? words.slice(at).join(" ") : words[at] ?? "";
      if (value !== "") args[argument.name] = value;
      else if (argument.required) {
        throw new ToolError(
          `/${command} needs ${prompt.arguments.filter((one) => one.required).map((one) => `<${one.name}>`).join(" ")}`,
        );
      }
    }
    const result = await this.find(prompt.server)!.request(
      "prompts/get",
      { name: prompt.name, arguments: args },
      signal,
    );
    return readPrompt(result);
  }

  async resource(server: string, uri: string, signal: AbortSignal): Promise<ServerText> {
    const found = this.find(server);
    if (found === undefined) throw new ToolError(`no MCP server named "${server}"`);
    const result = await found.request("resources/read", { uri }, signal);
    const contents = Array.isArray(result["contents"]) ? result["contents"] : [];
    const mimeType = (contents[0] as { mimeType?: unknown } | undefined)?.mimeType;
    return { text: contents.map(readContents).join("\n\n"), ...(typeof mimeType === "string" ? { mimeType } : {}) };
  }

  async reconnect(name: string): Promise<boolean> {
    const server = this.find(name);
    await server?.reconnect();
    return server !== undefined;
  }

  async setEnabled(name: string, enabled: boolean): Promise<boolean> {
    const server = this.find(name);
    await server?.setEnabled(enabled);
    return server !== undefined;
  }

  /** Nothing of any server lives afterwards, within two seconds. Idempotent; never rejects. */
  close(): Promise<void> {
    return this.#closed ??= Promise.all(this.servers.map((server) => server.close())).then(() => {});
  }
}
