/** The model a run would use: is there a key, does its endpoint answer, does it know the model. One bounded request. */
import { defaultModel, findModel, type ModelChoice, needsKey, providerSettings } from "../../config/mod.ts";
import { isAbort, ReasonixError } from "../../contract/errors.ts";
import type { ListedModel, ProviderSettings } from "../../contract/provider.ts";
import { errorText } from "../../lib/error_text.ts";
import { createPorts, listModels } from "../../providers/mod.ts";
import type { InspectedProject } from "../inspect_project.ts";
import { keyAccess } from "../key_access.ts";
import { type Check, failed, ok, skipped, warning } from "./check.ts";

const LIMIT_MS = 8000;

export interface EndpointOptions {
  /** Send nothing. */
  readonly offline: boolean;
  readonly signal?: AbortSignal;
}

export async function checkEndpoint(project: InspectedProject, options: EndpointOptions): Promise<Check[]> {
  const { loaded } = project;
  let choice: ModelChoice;
  let settings: ProviderSettings;
  try {
    choice = defaultModel(loaded.config);
    settings = await settingsFor(choice, project);
  } catch (error) {
    const isKey = error instanceof ReasonixError && /key/.test(error.code);
    return [fromError(isKey ? "key" : "model", error)];
  }
  const name = choice.provider.apiKeyEnv;
  const key = settings.apiKey !== ""
    ? ok("key", `${name} is present in ${project.paths.envFile}`)
    : ok("key", `${choice.provider.name} needs none`);
  if (options.offline) return [key, skipped("endpoint", "not asked: --offline")];
  return [key, ...await ask(choice, settings, options)];
}

async function ask(choice: ModelChoice, settings: ProviderSettings, options: EndpointOptions): Promise<Check[]> {
  const host = URL.canParse(settings.baseUrl) ? new URL(settings.baseUrl).host : settings.name;
  try {
    const models = await requestModels(settings, options.signal);
    const reached = ok("endpoint", `${host} answered`);
    const listed = models.find(({ id }) => id === choice.model);
    if (listed !== undefined) {
      return [reached, ok("model", `${choice.ref} is listed`), ...windowCheck(choice, settings, listed)];
    }
    const some = models.slice(0, 8).map(({ id }) => id).join(", ") + (models.length > 8 ? " …" : "");
    const remedy = "Choose a listed model as default_model, or refresh the list with reasonix setup.";
    return [reached, warning("model", `${choice.ref} is not among the models of ${host}: ${some || "none"}`, remedy)];
  } catch (error) {
    if (error instanceof ReasonixError && ["provider.rejected", "provider.bad_response"].includes(error.code)) {
      const message = `${host} answered, but has no list of models: ${error.message}`;
      return [warning("endpoint", message, "A run may still work. Set models_url where the endpoint has a list.")];
    }
    return [fromError("endpoint", error)];
  }
}

/** Without the window long conversations are not folded, and fail one day. */
function windowCheck({ ref }: ModelChoice, { name, contextWindow }: ProviderSettings, listed: ListedModel): Check[] {
  if (contextWindow > 0) return [];
  const told = listed.contextWindow;
  return [warning(
    "context_window",
    `how many tokens ${ref} takes is not known, so long conversations are not folded`,
    told === undefined
      ? `Set context_window for provider ${name}.`
      : `Set context_window = ${told} for provider ${name}: so its endpoint says.`,
  )];
}

/** Models of the endpoint, within some seconds. Throws `provider.*`. */
export async function requestModels(settings: ProviderSettings, signal?: AbortSignal): Promise<readonly ListedModel[]> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const ports = createPorts({ proxy: settings.proxy });
  try {
    return await listModels(settings, ports, { signal: signal ? AbortSignal.any([signal, limit]) : limit });
  } catch (error) {
    if (!limit.aborted || signal?.aborted || (!isAbort(error, limit) && error instanceof ReasonixError)) throw error;
    throw new ReasonixError("provider.stalled", `${settings.name} did not answer within ${LIMIT_MS / 1000} s`, {
      retry: true,
      remedy: "Check the address, the proxy and the network.",
    });
  }
}

/** Throws `config.*`: a missing key, one that was not confirmed, an address that is none. */
async function settingsFor(choice: ModelChoice, project: InspectedProject): Promise<ProviderSettings> {
  return providerSettings(project.loaded.config, choice, await keyAccess(project));
}

/** Providers other than the default one: a key that is missing is no fault until they are used. */
export function checkKeys({ loaded }: InspectedProject): Check[] {
  const used = findModel(loaded.config, loaded.config.defaultModel)?.provider.apiKeyEnv;
  const without = loaded.config.providers.filter((provider) => {
    try {
      return provider.apiKeyEnv !== used && needsKey(provider) && !loaded.keys.values.has(provider.apiKeyEnv);
    } catch {
      return false;
    }
  });
  return without.map(({ name, apiKeyEnv }) => skipped("key.other", `${name}: ${apiKeyEnv} is not saved`));
}

function fromError(name: string, error: unknown): Check {
  const message = errorText(error);
  const remedy = error instanceof ReasonixError ? error.remedy : undefined;
  return failed(name, message, remedy ?? "Check the address, the key, the proxy and the network.");
}
