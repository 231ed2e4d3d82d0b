/**
 * The `${VAR}` of an MCP server, filled in when it is about to start. A server that a folder declares never gets a key
 * of the user's this way.
 */
import type { PluginEntry } from "./config.ts";
import { expandVariables, missingVariables, type VariableReader } from "./expand.ts";
import type { LoadedConfig } from "./load.ts";
import type { EnvironmentReader } from "./paths.ts";

export interface ServerContext {
  /** Absolute folder of the project. */
  readonly workspace: string;
  readonly env: EnvironmentReader;
  readonly loaded: Pick<LoadedConfig, "config" | "keys" | "projectEnv">;
}

export interface ExpandedServer {
  readonly server: PluginEntry;
  /** Variables it names that are not set and have no default: they became nothing. */
  readonly missing: readonly string[];
}

export function expandServer(plugin: PluginEntry, context: ServerContext): ExpandedServer {
  const read = readerFor(plugin, context);
  const expand = (text: string) => expandVariables(text, read);
  const { command, args, env, url, headers } = plugin;
  const texts = [command, url, ...args, ...Object.values(env), ...Object.values(headers)];
  return {
    server: {
      ...plugin,
      command: expand(command),
      args: args.map(expand),
      env: mapValues(env, expand),
      url: expand(url),
      headers: mapValues(headers, expand),
    },
    missing: [...new Set(texts.flatMap((text) => missingVariables(text, read)))],
  };
}

/** The workspace's own names first, then the environment, then the project's `.env`. */
function readerFor(plugin: PluginEntry, { workspace, env, loaded }: ServerContext): VariableReader {
  const foreign = plugin.source.layer === "project" || plugin.source.layer === "mcp_json";
  const isKey = (name: string) =>
    loaded.keys.values.has(name) || loaded.config.providers.some((provider) => provider.apiKeyEnv === name);
  return (name) => {
    if (name === "REASONIX_WORKSPACE_ROOT" || name === "CLAUDE_PROJECT_DIR") return workspace;
    if (foreign && isKey(name)) return undefined;
    return env(name) ?? loaded.projectEnv.get(name);
  };
}

function mapValues(record: Readonly<Record<string, string>>, map: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
