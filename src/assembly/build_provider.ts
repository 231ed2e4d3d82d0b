/** From a chosen model to a provider that can be asked. */
import {
  type Config,
  type EnvironmentReader,
  loadConfirmedKeys,
  type LoadedConfig,
  type ModelChoice,
  providerSettings,
  type ReasonixPaths,
} from "../config/mod.ts";
import type { Provider } from "../contract/provider.ts";
import { createPorts, createProvider } from "../providers/mod.ts";

export interface ProviderContext {
  readonly config: Config;
  readonly keys: LoadedConfig["keys"];
  readonly paths: ReasonixPaths;
  readonly env: EnvironmentReader;
}

/** Throws `config.missing_key`, `config.key_not_confirmed`, `config.unknown_kind` or `config.type`. */
export async function buildProvider(choice: ModelChoice, context: ProviderContext): Promise<Provider> {
  const { config, keys, paths, env } = context;
  const settings = providerSettings(config, choice, {
    keys,
    confirmed: await loadConfirmedKeys(paths.confirmedKeys),
    envFile: paths.envFile,
    env,
  });
  const caFile = env("SSL_CERT_FILE");
  return await createProvider(settings, createPorts({ proxy: settings.proxy, ...(caFile ? { caFile } : {}) }));
}
