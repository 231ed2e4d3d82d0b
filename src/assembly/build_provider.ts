/** From a chosen model to a provider that can be asked. */
import { loadConfirmedKeys, type ModelChoice, providerSettings } from "../config/mod.ts";
import type { Provider } from "../contract/provider.ts";
import { createPorts, createProvider } from "../providers/mod.ts";
import type { Project } from "./project.ts";

/** Throws `config.missing_key`, `config.key_not_confirmed`, `config.unknown_kind` or `config.type`. */
export async function buildProvider(choice: ModelChoice, project: Project): Promise<Provider> {
  const { paths, env } = project;
  const { config, keys } = project.loaded;
  const settings = providerSettings(config, choice, {
    keys,
    confirmed: await loadConfirmedKeys(paths.confirmedKeys),
    envFile: paths.envFile,
    env,
  });
  const caFile = env("SSL_CERT_FILE");
  return await createProvider(settings, createPorts({ proxy: settings.proxy, ...(caFile ? { caFile } : {}) }));
}
