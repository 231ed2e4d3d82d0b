/**
 * The settings of one run, frozen and plain. The sections follow from the table in keys/; only the two lists whose
 * entries come from several files are put together by hand, because an entry remembers its file.
 */
import type { ROOT } from "./keys/root.ts";
import type { PLUGINS } from "./keys/mcp_servers.ts";
import type { PROVIDERS } from "./keys/providers.ts";
import type { Value } from "./schema.ts";

/** Which layer an entry or a setting comes from. */
export type SourceLayer = "environment" | "project" | "mcp_json" | "user" | "built_in";

export interface EntrySource {
  readonly layer: SourceLayer;
  /** Absolute path; empty for `built_in`. Edits of the entry go there. */
  readonly file: string;
}

type RawProvider = Value<typeof PROVIDERS>[number];
type RawPlugin = Value<typeof PLUGINS>[number];

/** One endpoint. `models` holds at least the single `model`, `default` is one of them or empty when there are none. */
export interface ProviderEntry extends Omit<RawProvider, "model" | "models" | "default" | "responsesStateful"> {
  readonly models: readonly string[];
  readonly default: string;
  readonly source: EntrySource;
}

/** One MCP server, `${VAR}` not yet expanded (see `expandServer`). */
export interface PluginEntry extends Omit<RawPlugin, "concurrency"> {
  readonly concurrency: "parallel" | "serial";
  readonly source: EntrySource;
}

type Sections = Omit<Value<typeof ROOT>, "providers" | "plugins" | "mcp">;

export interface Config extends Sections {
  readonly providers: readonly ProviderEntry[];
  readonly plugins: readonly PluginEntry[];
}

export type NetworkConfig = Config["network"];
