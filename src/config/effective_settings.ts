/** Every setting in force with where it comes from, for people who look: secret values are left out. */
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
