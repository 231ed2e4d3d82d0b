/**
 * What one agent sees of the servers: tools for its registry, and ids for `use_capability`. The direct tools are fixed
 * once; everything else follows what the servers say now. Each call is checked again just before it is made: is the
 * server still the one that was meant, switched on, and no worse than the gate was told?
 */
import type { Capability, CapabilitySource } from "../contract/capability.ts";
import { ToolError } from "../contract/errors.ts";
import type { Tool, ToolContext } from "../contract/tool.ts";
import { showControls, toLine } from "../lib/terminal_text.ts";
import { untilAborted } from "../lib/waiting.ts";
import { chooseDirect } from "./direct_choice.ts";
import type { Host } from "./host.ts";
import type { RemoteTool } from "./listing.ts";
import { plainName, toToolName, toToolNames } from "./names.ts";
import type { Server } from "./server.ts";

export interface FrontOptions {
  /** True while a plan is being made. */
  planning(): boolean;
  /** `[tools] direct_mcp_schema_tokens`. */
  readonly directTokens: number;
}

interface Named {
  readonly raw: string;
  readonly tool: Tool;
}

interface Known {
  readonly facts: ReadonlyMap<string, RemoteTool>;
  readonly tools: readonly Named[];
}

export class Front implements CapabilitySource {
  readonly #host: Host;
  readonly #options: FrontOptions;
  readonly #known = new Map<Server, Known>();
  readonly #connect = new Map<Server, Tool>();
  /** Names that stand in the requests, fixed. */
  readonly #direct = new Set<string>();

  constructor(host: Host, options: FrontOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** The tools for the requests of this session, in a fixed order. Called once, before the first request. */
  takeDirect(): readonly Tool[] {
    const candidates = this.#host.servers.filter((server) => server.state !== "disabled").map((server) => ({
      name: server.settings.name,
      load: server.settings.load,
      tools: [...server.tools?.values() ?? []],
    }));
    const chosen = chooseDirect(candidates, this.#options.directTokens);
    this.#host.setDirect(chosen);
    const servers = this.#host.servers.filter((server) => chosen.has(server.settings.name))
      .sort((a, b) => a.settings.name < b.settings.name ? -1 : 1);
    const tools = servers.flatMap((server) => this.#toolsOf(server).map(({ tool }) => tool))
      .sort((a, b) => a.name < b.name ? -1 : 1);
    for (const tool of tools) this.#direct.add(tool.name);
    return tools.map((tool) => ({ ...tool, direct: true }));
  }

  list(): readonly Capability[] {
    return this.#host.servers.flatMap((server) => {
      const status = server.state === "ready" ? undefined : server.state.replaceAll("_", " ");
      const more = status === undefined ? {} : { status };
      const tools = server.state === "disabled" ? [] : this.#toolsOf(server);
      return [
        { id: `mcp-server:${server.settings.name}`, tool: this.#connectTool(server), ...more },
        ...tools.filter(({ tool }) => !this.#direct.has(tool.name))
          .map(({ raw, tool }) => ({ id: `mcp-tool:${server.settings.name}/${showControls(raw)}`, tool, ...more })),
      ];
    });
  }

  find(id: string): Capability | { readonly problem: string } | undefined {
    if (id.startsWith("mcp-server:")) {
      const name = id.slice("mcp-server:".length);
      const server = this.#host.find(name);
      return server === undefined ? unavailable(name) : { id, tool: this.#connectTool(server) };
    }
    if (!id.startsWith("mcp-tool:")) return undefined;
    const path = id.slice("mcp-tool:".length);
    const servers = this.#host.servers.filter((server) => path.startsWith(`${server.settings.name}/`));
    // A server's name may hold a slash: the longest one that fits is meant.
    const server = servers.sort((a, b) => b.settings.name.length - a.settings.name.length)[0];
    if (server === undefined) return unavailable(path.split("/")[0]!);
    const wanted = path.slice(server.settings.name.length + 1);
    const tools = this.#toolsOf(server);
    const found = tools.find(({ raw }) => raw === wanted) ??
      tools.find(({ raw, tool }) =>
        showControls(raw) === wanted || tool.name === wanted || plainName("", raw) === plainName("", wanted)
      );
    if (found) return { id, tool: found.tool };
    if (server.tools !== undefined) {
      return {
        problem: `server "${server.settings.name}" has no tool "${
          toLine(wanted, 80)
        }"; inspect mcp-server:${server.settings.name} lists them`,
      };
    }
    return { id, tool: this.#unseen(server, wanted) };
  }

  tool(name: string): Tool | undefined {
    if (!name.startsWith("mcp_")) return undefined;
    for (const server of this.#host.servers) {
      if (name === connectName(server)) return this.#connectTool(server);
      const tools = this.#toolsOf(server);
      const exact = tools.find(({ tool }) => tool.name === name);
      if (exact) return exact.tool;
    }
    const plain = this.#host.servers.flatMap((server) =>
      this.#toolsOf(server).filter(({ raw }) => plainName(server.settings.name, raw) === name)
    );
    if (plain.length === 1) return plain[0]!.tool;
    for (const server of this.#host.servers) {
      if (server.tools !== undefined) continue;
      const prefix = plainName(server.settings.name, "");
      if (name.startsWith(prefix) && name.length > prefix.length) {
        return this.#unseen(server, name.slice(prefix.length));
      }
    }
    return undefined;
  }

  #toolsOf(server: Server): readonly Named[] {
    const facts = server.tools;
    if (facts === undefined) return [];
    const known = this.#known.get(server);
    // New facts are new tools: a call that was judged by the old ones still carries them.
    if (known?.facts === facts) return known.tools;
    const others = new Set(
      [...this.#known].filter(([other]) => other !== server).flatMap(([, { tools }]) =>
        tools.map(({ tool }) => tool.name)
      ),
    );
    const names = toToolNames(server.settings.name, [...facts.keys()], (name) => others.has(name));
    const tools = [...facts.values()].map((remote) => ({
      raw: remote.name,
      tool: this.#toTool(server, { remote, name: names.get(remote.name)! }),
    }));
    this.#known.set(server, { facts, tools });
    return tools;
  }

  #toTool(server: Server, { remote, name }: { readonly remote: RemoteTool; readonly name: string }): Tool {
    return {
      name,
      description: remote.description,
      schema: remote.schema,
      // A tool that says both is taken for the worse.
      readOnly: remote.readOnly && !remote.destructive,
      direct: false,
      execute: (args, context) => this.#call(server, { tool: remote.name, args, judged: remote }, context),
    };
  }

  /** A tool nobody has described yet: its server has not been heard of. Judged as one that changes things. */
  #unseen(server: Server, raw: string): Tool {
    return {
      name: toToolName(server.settings.name, raw),
      description: `Tool "${
        toLine(raw, 80)
      }" of server "${server.settings.name}", which has not told what it offers yet.`,
      schema: { type: "object", properties: {} },
      readOnly: false,
      direct: false,
      execute: async (args, context) => {
        await server.ready(context.signal);
        const real = [...server.tools?.keys() ?? []].find((name) =>
          name === raw || plainName("", name) === plainName("", raw)
        );
        return await this.#call(server, { tool: real ?? raw, args }, context);
      },
    };
  }

  async #call(
    server: Server,
    call: { readonly tool: string; readonly args: Record<string, unknown>; readonly judged?: RemoteTool },
    context: ToolContext,
  ) {
    if (this.#host.find(server.settings.name) !== server) {
      throw new ToolError(`server "${server.settings.name}" is no longer the one this tool came from`);
    }
    const text = await server.callTool({
      ...call,
      planning: this.#options.planning(),
      progress: (said) => context.progress(`${said}\n`),
    }, context.signal);
    return { text };
  }

  #connectTool(server: Server): Tool {
    const known = this.#connect.get(server);
    if (known) return known;
    const { name } = server.settings;
    const describe = () => this.#describe(server);
    const tool: Tool = {
      name: connectName(server),
      get description() {
        return describe();
      },
      schema: { type: "object", properties: {} },
      readOnly: true,
      direct: false,
      execute: async (_args, { signal }) => {
        if (server.state === "failed") await untilAborted(server.reconnect(), signal);
        await server.ready(signal);
        return { text: `server "${name}" is ready.\n${describe()}` };
      },
    };
    this.#connect.set(server, tool);
    return tool;
  }

  #describe(server: Server): string {
    const { name } = server.settings;
    const { state, reason } = server.view;
    const about = state === "ready" ? "" : ` It is ${state.replaceAll("_", " ")}${reason ? `: ${reason}` : ""}.`;
    const tools = this.#toolsOf(server);
    const listed = tools.map(({ raw, tool }) =>
      `mcp-tool:${name}/${showControls(raw)}${tool.readOnly ? " (read-only)" : ""}: ${toLine(tool.description, 120)}`
    );
    return [`MCP server "${name}" with ${tools.length} known tools; call connects it.${about}`, ...listed].join("\n");
  }
}

function connectName(server: Server): string {
  return `mcp_connect__${server.settings.name.replace(/[^A-Za-z0-9_-]/gu, "_")}`;
}

function unavailable(server: string): { readonly problem: string } {
  return { problem: `capability unavailable: no MCP server "${toLine(server, 80)}" in this session` };
}
