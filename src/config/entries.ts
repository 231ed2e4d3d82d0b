/** The two lists whose entries come from several files: providers and MCP servers, joined by name. */
import { fnv1a } from "../lib/fnv1a.ts";
import type { EntrySource, PluginEntry, ProviderEntry } from "./config.ts";
import { PLUGINS } from "./keys/mcp_servers.ts";
import { PROVIDERS } from "./keys/providers.ts";
import { fillEntry } from "./merge.ts";
import type { LayerValues } from "./read_layer.ts";
import type { Value } from "./schema.ts";

/** Entries of one file. */
export interface SourcedEntries {
  readonly source: EntrySource;
  readonly entries: readonly LayerValues[];
}

const DEEPSEEK = {
  kind: "anthropic",
  baseUrl: "https://api.deepseek.com/anthropic",
  apiKeyEnv: "DEEPSEEK_API_KEY",
  contextWindow: 1_000_000,
  webSearch: true,
};

/** What works once a key is there, while the user has configured no provider. */
const BUILT_IN: readonly LayerValues[] = [
  { ...DEEPSEEK, name: "deepseek-flash", model: "deepseek-flash" },
  { ...DEEPSEEK, name: "deepseek-pro", model: "deepseek-v4-pro" },
];

export interface MergedProviders {
  readonly providers: readonly ProviderEntry[];
  /** Names of project entries that stand in the shadow of an entry of the user's, or of a built-in one. */
  readonly shadowed: readonly string[];
}

export function mergeProviders(user: SourcedEntries, project: SourcedEntries | undefined): MergedProviders {
  const own = user.entries.length > 0
    ? user.entries.map((entry) => providerEntry(entry, user.source))
    : BUILT_IN.map((entry) => providerEntry(entry, { layer: "built_in", file: "" }));
  const names = new Set(own.map((provider) => provider.name));
  const added = (project?.entries ?? []).map((entry) => providerEntry(entry, project!.source));
  return {
    providers: [...own, ...added.filter((provider) => !names.has(provider.name))],
    shadowed: added.filter((provider) => names.has(provider.name)).map((provider) => provider.name),
  };
}

/** `sources` strongest first; the first definition of a name wins whole. */
export function mergePlugins(sources: readonly SourcedEntries[]): readonly PluginEntry[] {
  const plugins = new Map<string, PluginEntry>();
  for (const { source, entries } of sources) {
    for (const entry of entries) {
      const plugin = pluginEntry(entry, source);
      if (plugin.name !== "" && !plugins.has(plugin.name)) plugins.set(plugin.name, plugin);
    }
  }
  return [...plugins.values()];
}

function providerEntry(entry: LayerValues, source: EntrySource): ProviderEntry {
  const raw = fillEntry(PROVIDERS.fields, entry) as unknown as Value<typeof PROVIDERS>[number];
  const { model, models, default: chosen, responsesStateful, ...rest } = raw;
  const all = [...new Set([...(models ?? []), ...(model === undefined ? [] : [model])])].filter((id) => id !== "");
  return {
    ...rest,
    models: chosen !== undefined && !all.includes(chosen) ? [...all, chosen] : all,
    default: chosen ?? model ?? all[0] ?? "",
    // A blank name is the user's way to say that there is no key.
    apiKeyEnv: Object.hasOwn(entry, "apiKeyEnv") ? raw.apiKeyEnv.trim() : defaultKeyName(raw.name),
    effort: ["off", "auto"].includes(raw.effort.toLowerCase()) ? "" : raw.effort,
    responsesMode: Object.hasOwn(entry, "responsesMode") || !responsesStateful ? raw.responsesMode : "stateful",
    source,
  };
}

const BROWSER = /browser|playwright|puppeteer|chrome|chromium|selenium/i;

function pluginEntry(entry: LayerValues, source: EntrySource): PluginEntry {
  const raw = fillEntry(PLUGINS.fields, entry) as unknown as Value<typeof PLUGINS>[number];
  const onlyUrl = !Object.hasOwn(entry, "type") && raw.command === "" && raw.url !== "";
  return {
    ...raw,
    type: onlyUrl ? "http" : raw.type,
    concurrency: raw.concurrency !== "" ? raw.concurrency : BROWSER.test(raw.name) ? "serial" : "parallel",
    source,
  };
}

/** `LOCAL_GATEWAY_API_KEY` for `local-gateway`. Names without any ASCII letter or digit get a short hash instead. */
export function defaultKeyName(provider: string): string {
  const body = provider.toUpperCase().replace(/[^A-Z0-9]/g, "_");
  if (!/[A-Z0-9]/.test(body)) return `CUSTOM_${fnv1a(provider).toUpperCase()}_API_KEY`;
  return `${/^[0-9]/.test(body) ? "CUSTOM_" : ""}${body}_API_KEY`;
}
