/** Entries for DeepSeek as older versions wrote them, moved to the Messages endpoint. Anything a person changed stays. */
import type { ConfigEdit } from "./edit/data_edit.ts";
import type { Document } from "./parse_document.ts";
import { isTable } from "./schema.ts";

const WRITTEN_BY_SETUP = new Set([
  "name",
  "kind",
  "base_url",
  "model",
  "models",
  "default",
  "api_key_env",
  "context_window",
  "preset_id",
  "preset_version",
]);

export function upgradedDeepSeek(document: Document): { readonly edits: ConfigEdit[]; readonly names: string[] } {
  const entries = Array.isArray(document["providers"]) ? document["providers"] : [];
  const edits: ConfigEdit[] = [];
  const names: string[] = [];
  entries.forEach((entry, index) => {
    if (!isTable(entry) || !isOldOfficial(entry)) return;
    edits.push({ set: ["providers", index, "kind"], value: "anthropic" });
    edits.push({ set: ["providers", index, "base_url"], value: "https://api.deepseek.com/anthropic" });
    names.push(String(entry["name"]));
  });
  return { edits, names };
}

function isOldOfficial(entry: Record<string, unknown>): boolean {
  const { name, kind = "openai", base_url, api_key_env = "DEEPSEEK_API_KEY", model, models = [] } = entry;
  const ids = [...(Array.isArray(models) ? models : []), ...(model === undefined ? [] : [model])];
  return Object.keys(entry).every((key) => WRITTEN_BY_SETUP.has(key)) &&
    typeof name === "string" && /^deepseek(-[a-z0-9]+)*$/.test(name) && kind === "openai" &&
    typeof base_url === "string" && /^https:\/\/api\.deepseek\.com(\/v1)?\/?$/.test(base_url) &&
    api_key_env === "DEEPSEEK_API_KEY" && ids.every((id) => typeof id === "string" && id.startsWith("deepseek-"));
}
