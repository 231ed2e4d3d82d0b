/** From settings to a provider, by the name of the wire kind. */
import { ReasonixError } from "../contract/errors.ts";
import type { ListedModel, Provider, ProviderPorts, ProviderSettings } from "../contract/provider.ts";
import type { Balance } from "./balance.ts";
import { builtinKinds, type KindLoader } from "./kinds.ts";
import type { WireKind } from "./wire.ts";

/**
 * Rejects with `config.unknown_kind` for a kind that is not in `kinds`, and with `config.type` for settings the kind
 * cannot work with. Sends nothing.
 */
export async function createProvider(
  settings: ProviderSettings,
  ports: ProviderPorts,
  options: { readonly kinds?: ReadonlyMap<string, KindLoader> } = {},
): Promise<Provider> {
  return (await loadKind(settings, options.kinds ?? builtinKinds)).create(settings, ports);
}

/**
 * Models in the endpoint's order, each once: from `models_url`, else from where the kind has its list. One request,
 * no retries. Rejects with a typed error, or with the signal's reason.
 */
export async function listModels(
  settings: ProviderSettings,
  ports: ProviderPorts,
  options: { readonly signal: AbortSignal },
): Promise<readonly ListedModel[]> {
  const kind = await loadKind(settings, builtinKinds);
  if (!kind.modelList) {
    throw new ReasonixError("config.type", `provider ${settings.name} (kind ${settings.kind}) has no list of models`);
  }
  const { fetchModels } = await import("./model_list.ts");
  return await fetchModels(settings, ports, { ...kind.modelList(settings), signal: options.signal });
}

/**
 * What is left on the account; undefined where nobody knows how to ask. `configured`: `balance_url`. One request, no
 * retries. Rejects with a typed error, or with the signal's reason.
 */
export async function requestBalance(
  settings: ProviderSettings,
  ports: ProviderPorts,
  options: { readonly configured: string | undefined; readonly signal: AbortSignal },
): Promise<Balance | undefined> {
  const { balanceUrl, fetchBalance } = await import("./balance.ts");
  const url = balanceUrl(settings, options.configured);
  return url && await fetchBalance(settings, ports, { url, signal: options.signal });
}

async function loadKind(settings: ProviderSettings, kinds: ReadonlyMap<string, KindLoader>): Promise<WireKind> {
  const load = kinds.get(settings.kind);
  if (load) return await load();
  const known = [...kinds.keys()].join(", ");
  throw new ReasonixError(
    "config.unknown_kind",
    `provider ${settings.name} has kind "${settings.kind}", which does not exist; known kinds: ${known}`,
    { remedy: `Set kind of provider ${settings.name} to one of: ${known}.` },
  );
}
