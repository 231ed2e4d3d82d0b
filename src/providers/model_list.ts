/** Asks an endpoint which models it offers. */
import type { ListedModel, ProviderPorts, ProviderSettings } from "../contract/provider.ts";
import { isRecord, parseJson } from "../lib/json.ts";
import { notThat, type PlainGet, plainGet } from "./plain_get.ts";

export type ModelListOptions = Pick<PlainGet, "url" | "headers" | "protocol" | "signal">;

/** Where endpoints tell how many tokens a request may have. What is loaded counts before what the model could do. */
const WINDOW_FIELDS = [
  "loaded_context_length",
  "context_window",
  "context_length",
  "max_model_len",
  "max_context_length",
  "max_input_tokens",
  "inputTokenLimit",
];

export async function fetchModels(
  settings: ProviderSettings,
  ports: ProviderPorts,
  options: ModelListOptions,
): Promise<readonly ListedModel[]> {
  const get: PlainGet = {
    ...options,
    what: "a list of models",
    remedy: `Check models_url or base_url of provider ${settings.name}.`,
  };
  const models = modelsIn(await plainGet(settings, ports, get));
  if (models === undefined) throw notThat(settings, get, "something else came");
  return models;
}

/** `{data:[{id}]}`, `{models:[{id|name}]}`, or the bare list; a prefix `models/` is no part of an id. */
function modelsIn(text: string): readonly ListedModel[] | undefined {
  const object = parseJson(text) as { data?: unknown; models?: unknown } | null | undefined;
  const list = [object, object?.data, object?.models].find(Array.isArray) as unknown[] | undefined;
  if (!list) return undefined;
  const found = new Map<string, ListedModel>();
  for (const entry of list) {
    const model = toModel(entry);
    if (model.id !== "" && !found.has(model.id)) found.set(model.id, model);
  }
  return [...found.values()];
}

function toModel(entry: unknown): ListedModel {
  if (typeof entry === "string") return { id: entry };
  const fields = isRecord(entry) ? entry : {};
  const { id, name } = fields;
  const contextWindow = WINDOW_FIELDS.map((field) => fields[field]).find(isWindow);
  return {
    id: typeof id === "string" ? id : typeof name === "string" ? name.replace(/^models\//, "") : "",
    ...(contextWindow === undefined ? {} : { contextWindow }),
  };
}

function isWindow(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
