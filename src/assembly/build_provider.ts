/** From a chosen model to a provider that can be asked. */
import {
  type KeyAccess,
  type ModelChoice,
  originsOf,
  providerDemand,
  providerSettings,
  trustCommand,
  unconfirmedKey,
} from "../config/mod.ts";
import { ReasonixError } from "../contract/errors.ts";
import type { Provider, ProviderSettings } from "../contract/provider.ts";
import { showPath } from "../lib/shown_path.ts";
import { createPorts, createProvider } from "../providers/mod.ts";
import { keyAccess } from "./key_access.ts";
import type { Project } from "./project.ts";

export interface BuiltProvider {
  readonly provider: Provider;
  /** What the person should know; one line each. */
  readonly notices: readonly string[];
}

/**
 * Throws `config.missing_key`, `config.key_not_confirmed`, `config.provider_not_trusted`, `config.unknown_kind` or
 * `config.type`.
 */
export async function buildProvider(choice: ModelChoice, project: Project): Promise<BuiltProvider> {
  const access = await keyAccess(project);
  const settings = providerSettings(project.loaded.config, choice, access);
  requireTrust(choice, settings, project);
  const ports = createPorts({ proxy: settings.proxy, env: project.env });
  return { provider: await createProvider(settings, ports), notices: withheldKey(choice, access) };
}

/**
 * A folder's own host needs the person's word once: for a key that goes there, or for the folder. It reads the whole
 * conversation and answers with the calls to run.
 */
function requireTrust({ provider }: ModelChoice, { apiKey }: ProviderSettings, { root, agrees }: Project): void {
  const demand = providerDemand(provider);
  if (demand === undefined || apiKey !== "" || agrees(demand)) return;
  const [origin] = originsOf(provider);
  throw new ReasonixError(
    "config.provider_not_trusted",
    `this folder would have the conversation sent to its own provider "${showPath(provider.name)}" at ${origin}`,
    { remedy: `If that is right, run: ${trustCommand(root)}; or choose a model of yours with --model.` },
  );
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
