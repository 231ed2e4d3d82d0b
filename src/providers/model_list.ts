/** Asks an endpoint which models it offers. */
import type { ProviderPorts, ProviderSettings } from "../contract/provider.ts";
import { parseJson } from "../lib/json.ts";
import { notThat, type PlainGet, plainGet } from "./plain_get.ts";

export type ModelListOptions = Pick<PlainGet, "url" | "headers" | "protocol" | "signal">;

export async function fetchModels(
  settings: ProviderSettings,
  ports: ProviderPorts,
  options: ModelListOptions,
): Promise<readonly string[]> {
  const get: PlainGet = {
    ...options,
    what: "a list of models",
    remedy: `Check models_url or base_url of provider ${settings.name}.`,
  };
  const ids = modelIds(await plainGet(settings, ports, get));
  if (ids === undefined) throw notThat(settings, get, "something else came");
  return ids;
}

/** `{data:[{id}]}`, `{models:[{id|name}]}`, or the bare list; a prefix `models/` is no part of an id. */
function modelIds(text: string): readonly string[] | undefined {
  const object = parseJson(text) as { data?: unknown; models?: unknown } | null | undefined;
  const list = [object, object?.data, object?.models].find(Array.isArray) as unknown[] | undefined;
  if (!list) return undefined;
  const ids = list.map((entry) => {
    if (typeof entry === "string") return entry;
    const { id, name } = (entry ?? {}) as { id?: unknown; name?: unknown };
    return typeof id === "string" ? id : typeof name === "string" ? name.replace(/^models\//, "") : "";
  });
  return [...new Set(ids.filter((id) => id !== ""))];
}
