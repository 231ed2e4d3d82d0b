/** Every setting in force with where it comes from, for people who look: secret values are left out. */
import type { PluginEntry, ProviderEntry } from "./config.ts";
import { sameData } from "./edit/data_edit.ts";
import { PLUGINS } from "./keys/mcp_servers.ts";
import { PROVIDERS } from "./keys/providers.ts";
import { ROOT } from "./keys/root.ts";
import type { LoadedConfig } from "./load.ts";
import { originOf, type SettingOrigin } from "./origin_of.ts";
import { type AnyLeaf, camel, type Fields, isTable } from "./schema.ts";

export interface EffectiveSetting {
  /** As written in a file: `agent.compact_ratio`. */
  readonly key: string;
  /** Plain data. Of a secret: `SECRET`, or the names in a table with that as each value. */
  readonly value: unknown;
  readonly origin: SettingOrigin;
}

/** Stands in the place of a value that is set and not shown. */
export const SECRET = "(set, not shown)";

type Loaded = Pick<LoadedConfig, "config" | "layers" | "ignored" | "projectConfig" | "userConfig">;

/** In the order of docs/CONFIG.md. Providers and MCP servers are lists of their own in `config`, not here. */
export function effectiveSettings(loaded: Loaded): EffectiveSetting[] {
  const { providers: _providers, plugins: _plugins, mcp: _mcp, ...sections } = ROOT.fields;
  return [...walk(sections, loaded.config as unknown as Record<string, unknown>, { path: [], loaded })];
}

/** What of a provider or a server differs from the defaults, by its key in a file and in the order of docs/CONFIG.md. */
export function effectiveEntry(entry: ProviderEntry | PluginEntry): Readonly<Record<string, unknown>> {
  const fields: Fields = "baseUrl" in entry ? PROVIDERS.fields : PLUGINS.fields;
  const values = entry as unknown as Record<string, unknown>;
  const shown = Object.entries(fields).flatMap(([key, node]): [string, unknown][] => {
    const value = values[camel(key)];
    if (node.node === "unused" || value === undefined || isEmptyTable(value)) return [];
    if (node.node !== "leaf") return [[key, withoutBlanks(snakeCased(value, node.node === "dictionary"))]];
    if (sameData(value, node.fallback)) return [];
    return [[key, shownLeaf(MAY_HOLD_KEYS.has(key) ? { ...node, secret: true } : node, value)]];
  });
  return Object.fromEntries(shown.filter(([, value]) => !isEmptyTable(value)));
}

/** Tables of an entry in which people write keys, whatever else they hold. */
const MAY_HOLD_KEYS: ReadonlySet<string> = new Set(["headers", "env", "extra_body", "oauth"]);

/** A blank text in a table of an entry is its default. */
function withoutBlanks(value: unknown): unknown {
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, item]) => item !== "").map(([key, item]) => [key, withoutBlanks(item)]),
  );
}

function isEmptyTable(value: unknown): boolean {
  return isTable(value) && Object.keys(value).length === 0;
}

function* walk(
  fields: Fields,
  values: Record<string, unknown>,
  at: { readonly path: readonly string[]; readonly loaded: Loaded },
): Generator<EffectiveSetting> {
  for (const [name, node] of Object.entries(fields)) {
    const value = values[camel(name)];
    const path = [...at.path, name];
    if (node.node === "table") yield* walk(node.fields, (value ?? {}) as Record<string, unknown>, { ...at, path });
    else if (node.node !== "unused" && value !== undefined) {
      const key = path.join(".");
      const shown = node.node === "leaf" ? shownLeaf(node, value) : snakeCased(value, node.node === "dictionary");
      yield { key, value: shown, origin: originOf(at.loaded, key) };
    }
  }
}

function shownLeaf(leaf: AnyLeaf, value: unknown): unknown {
  if (!leaf.secret || value === "") return typeof value === "string" ? withoutLogin(value) : value;
  if (!isTable(value)) return SECRET;
  return Object.fromEntries(Object.keys(value).map((name) => [name, SECRET]));
}

/** Entries and tables with free keys come in camelCase from the reader; the free keys themselves are left alone. */
function snakeCased(value: unknown, freeKeys: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => snakeCased(item, false));
  if (!isTable(value)) return value;
  const pairs = Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) => [
    freeKeys ? key : key.replace(/[A-Z0-9]/g, (letter) => /\d/.test(letter) ? letter : `_${letter.toLowerCase()}`),
    snakeCased(item, false),
  ]);
  return Object.fromEntries(pairs);
}

/** An address without the name and password in front of its host. */
export function withoutLogin(text: string): string {
  return text.replace(/(\/\/)[^\s/@]*@/g, "$1");
}
