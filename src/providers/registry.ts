/** From settings to a provider, by the name of the wire kind (CONTRACT §3.1). */
import { ReasonixError } from "../contract/errors.ts";
import type { Provider, ProviderPorts, ProviderSettings } from "../contract/provider.ts";
import { builtinKinds, type KindLoader } from "./builtin.ts";

/**
 * Rejects with `config.unknown_kind` for a kind that is not in `kinds`, and with `config.type` for settings the kind
 * cannot work with. Sends nothing.
 */
export async function createProvider(
  settings: ProviderSettings,
  ports: ProviderPorts,
  options: { readonly kinds?: ReadonlyMap<string, KindLoader> } = {},
): Promise<Provider> {
  const kinds = options.kinds ?? builtinKinds;
  const load = kinds.get(settings.kind);
  if (!load) {
    const known = [...kinds.keys()].join(", ");
    throw new ReasonixError(
      "config.unknown_kind",
      `provider ${settings.name} has kind "${settings.kind}", which does not exist; known kinds: ${known}`,
      { remedy: `Set kind of provider ${settings.name} to one of: ${known}.` },
    );
  }
  return (await load()).create(settings, ports);
}
