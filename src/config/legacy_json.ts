/** `~/.reasonix/config.json` of the first versions: key, address, language and MCP servers. */
import { isRecord, parseJson } from "../lib/json.ts";
import { join } from "../lib/path.ts";
import type { ConfigEdit } from "./edit/data_edit.ts";
import { isTomlTable, type TomlValue } from "./edit/toml_value.ts";
import type { ReasonixPaths } from "./paths.ts";
import { readSourceFile } from "./source_file.ts";

export interface LegacyJson {
  readonly file: string;
  /** Of the default provider. */
  readonly apiKey?: string;
  /** What the file says, as edits of an empty config. */
  readonly edits: readonly ConfigEdit[];
  readonly servers: readonly ({ readonly name: string } & { readonly [key: string]: TomlValue })[];
}

const OFFICIAL = /^https:\/\/api\.deepseek\.com(\/v1|\/anthropic)?\/?$/;

/** Undefined when there is none, or it is not what it should be. */
export async function readLegacyJson(paths: ReasonixPaths): Promise<LegacyJson | undefined> {
  const file = join(paths.osHome, ".reasonix/config.json");
  const source = await readSourceFile(file);
  if (source.state !== "ok") return undefined;
  const json = parseJson(source.text);
  if (!isRecord(json)) return undefined;
  const apiKey = textOf(json, "apiKey", "api_key");
  const baseUrl = textOf(json, "baseUrl", "baseURL", "base_url");
  const language = textOf(json, "language", "lang");
  const edits: ConfigEdit[] = [];
  if (language !== undefined) edits.push({ set: ["language"], value: language });
  if (baseUrl !== undefined && !OFFICIAL.test(baseUrl)) edits.push(...providerAt(baseUrl));
  return { file, ...(apiKey === undefined ? {} : { apiKey }), edits, servers: serversOf(json) };
}

function providerAt(baseUrl: string): ConfigEdit[] {
  const value = {
    name: "deepseek",
    kind: "openai",
    base_url: baseUrl,
    models: ["deepseek-flash", "deepseek-v4-pro"],
    api_key_env: "DEEPSEEK_API_KEY",
  };
  return [{ set: ["default_model"], value: "deepseek" }, { append: ["providers"], value }];
}

/** Those that were switched off stay behind. */
function serversOf(json: Record<string, unknown>): LegacyJson["servers"] {
  const declared = json["mcpServers"];
  const disabled = Array.isArray(json["mcpDisabled"]) ? json["mcpDisabled"] : [];
  if (!isRecord(declared)) return [];
  return Object.entries(declared).flatMap(([name, entry]) => {
    if (name === "" || !isRecord(entry) || disabled.includes(name)) return [];
    const kept = Object.entries(entry).filter(([key, value]) => KEPT.includes(key) && isTomlValue(value));
    return [{ ...Object.fromEntries(kept) as Record<string, TomlValue>, name }];
  });
}

const KEPT = ["type", "command", "args", "env", "url", "headers"];

function isTomlValue(value: unknown): value is TomlValue {
  if (Array.isArray(value)) return value.every(isTomlValue);
  if (isTomlTable(value)) return Object.values(value).every(isTomlValue);
  return ["string", "number", "boolean"].includes(typeof value);
}

function textOf(json: Record<string, unknown>, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = json[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}
