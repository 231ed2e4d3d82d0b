/** The configured providers as a person chooses among them: address, models, and whether their key is there. */
import { type KeyAccess, modelRefs, needsKey, originsOf, type ProviderEntry, unconfirmedKey } from "../config/mod.ts";
import type { KeyState, ProviderRow } from "../controller/mod.ts";
import { keyAccess } from "./key_access.ts";
import type { Project } from "./project.ts";

export async function listProviders(project: Project): Promise<readonly ProviderRow[]> {
  const access = await keyAccess(project);
  return project.loaded.config.providers.map((provider) => ({
    name: provider.name,
    label: provider.displayName || provider.name,
    kind: provider.kind,
    ...placeOf(provider, access),
    models: provider.models.length === 0 ? [] : modelRefs({ providers: [provider] }),
    keyName: provider.apiKeyEnv,
    ofProject: provider.source.layer !== "user" && provider.source.layer !== "built_in",
  }));
}

/** An address that is none keeps the entry in the list: what is wrong is said when it is chosen. */
function placeOf(provider: ProviderEntry, access: KeyAccess): { readonly host: string; readonly key: KeyState } {
  try {
    return { host: new URL(originsOf(provider)[0]).host, key: keyState(provider, access) };
  } catch {
    return { host: "?", key: "not_needed" };
  }
}

function keyState(provider: ProviderEntry, access: KeyAccess): KeyState {
  if (unconfirmedKey(provider, access)) return "unconfirmed";
  if (access.keys.values.get(provider.apiKeyEnv)) return "present";
  return needsKey(provider) ? "missing" : "not_needed";
}
