/** From a chosen model to a provider that can be asked. */
import {
  type KeyAccess,
  loadConfirmedKeys,
  type ModelChoice,
  providerSettings,
  unconfirmedKey,
} from "../config/mod.ts";
import type { Provider } from "../contract/provider.ts";
import { createPorts, createProvider } from "../providers/mod.ts";
import type { Project } from "./project.ts";

export interface BuiltProvider {
  readonly provider: Provider;
  /** What the person should know; one line each. */
  readonly notices: readonly string[];
}

/** Throws `config.missing_key`, `config.key_not_confirmed`, `config.unknown_kind` or `config.type`. */
export async function buildProvider(choice: ModelChoice, project: Project): Promise<BuiltProvider> {
  const { paths, env } = project;
  const { config, keys } = project.loaded;
  const access: KeyAccess = {
    keys,
    confirmed: await loadConfirmedKeys(paths.confirmedKeys),
    envFile: paths.envFile,
    env,
  };
  const settings = providerSettings(config, choice, access);
  const caFile = env("SSL_CERT_FILE");
  const ports = createPorts({ proxy: settings.proxy, ...(caFile ? { caFile } : {}) });
  return { provider: await createProvider(settings, ports), notices: withheldKey(choice, access) };
}

function withheldKey({ provider }: ModelChoice, access: KeyAccess): string[] {
  const withheld = unconfirmedKey(provider, access);
  if (withheld === undefined) return [];
  const { key, origin } = withheld;
  return [
    `provider "${provider.name}" of this project is asked without your key ${key}; ` +
    `to send it there: reasonix trust --key ${key} --origin ${origin}`,
  ];
}
