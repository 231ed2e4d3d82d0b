/** Which model a text means: `provider/model`, a provider, or a model. */
import { ReasonixError } from "../contract/errors.ts";
import { showPath } from "../lib/shown_path.ts";
import { closestName } from "../lib/closest_name.ts";
import type { Config, ProviderEntry } from "./config.ts";

export interface ModelChoice {
  readonly provider: ProviderEntry;
  readonly model: string;
  /** `provider/model`, the unambiguous form. */
  readonly ref: string;
}

type Providers = Pick<Config, "providers">;

/** Undefined when nothing fits. Exact `provider/model`, then a provider's name, then the first that lists the model. */
export function findModel(config: Providers, ref: string): ModelChoice | undefined {
  const wanted = ref.trim();
  if (wanted === "") return undefined;
  for (const provider of config.providers) {
    if (!wanted.startsWith(provider.name + "/")) continue;
    const model = wanted.slice(provider.name.length + 1);
    if (provider.models.includes(model) || (provider.models.length === 0 && model !== "")) {
      return chosen(provider, model);
    }
  }
  const named = config.providers.find((provider) => provider.name === wanted && provider.default !== "");
  if (named) return chosen(named, named.default);
  const listing = config.providers.find((provider) => provider.models.includes(wanted));
  return listing && chosen(listing, wanted);
}

/** Throws `config.unknown_model`, which lists what is configured. `where` says who asked, such as `--model`. */
export function resolveModel(config: Providers, ref: string, where = "model"): ModelChoice {
  const found = findModel(config, ref);
  if (found) return found;
  const refs = modelRefs(config);
  const near = closestName(ref, refs) ?? closestName(ref, config.providers.map((provider) => provider.name));
  const hint = near === undefined ? "." : `; did you mean ${showPath(near)}?`;
  const list = refs.length === 0 ? "none" : refs.map(showPath).join(", ");
  throw new ReasonixError(
    "config.unknown_model",
    `${where}: unknown model "${showPath(ref.slice(0, 200))}"${hint} Configured: ${list}`,
    {
      remedy: "Name one of the configured models, or add it to a provider with `reasonix setup`.",
    },
  );
}

/** The model of a run without any other choice. */
export function defaultModel(config: Config): ModelChoice {
  return resolveModel(config, config.defaultModel, "default_model");
}

/** Every configured `provider/model`. */
export function modelRefs(config: Providers): string[] {
  return config.providers.flatMap((provider) =>
    provider.models.length === 0 ? [`${provider.name}/…`] : provider.models.map((model) => `${provider.name}/${model}`)
  );
}

function chosen(provider: ProviderEntry, model: string): ModelChoice {
  return { provider, model, ref: `${provider.name}/${model}` };
}
