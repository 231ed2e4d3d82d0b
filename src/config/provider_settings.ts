/** One provider entry and one of its models, made into all a provider needs: address, key, limits, price, proxy. */
import { ReasonixError } from "../contract/errors.ts";
import type { ProviderSettings, ProxySettings } from "../contract/provider.ts";
import type { Price } from "../contract/usage.ts";
import { showPath } from "../lib/shown_path.ts";
import type { Config, EntrySource, NetworkConfig, ProviderEntry } from "./config.ts";
import type { ConfirmedKeys } from "./confirmed_keys.ts";
import type { EnvFile } from "./env_file.ts";
import { expandVariables } from "./expand.ts";
import type { ModelChoice } from "./models.ts";
import { isPrivateHost, originsOf } from "./origins.ts";
import type { EnvironmentReader } from "./paths.ts";

export interface KeyAccess {
  /** Of `<home>/.env`: the only source of keys. */
  readonly keys: EnvFile;
  readonly confirmed: ConfirmedKeys;
  /** Named in remedies. */
  readonly envFile: string;
  /** For `${VAR}` of the proxy's password; never a source of keys. */
  readonly env: EnvironmentReader;
}

/** A key of the user that an entry from the project would receive. */
export interface KeyQuestion {
  readonly provider: string;
  readonly key: string;
  readonly origin: string;
}

/** `config.key_not_confirmed`, with what to ask the person. */
export class KeyNotConfirmed extends ReasonixError {
  readonly question: KeyQuestion;
  constructor(question: KeyQuestion) {
    const { provider, key, origin } = question;
    super(
      "config.key_not_confirmed",
      `provider "${showPath(provider)}" of this project would receive your key ${key} at ${origin}`,
      { remedy: `If that is right, run: reasonix trust --key ${key} --origin ${origin}` },
    );
    this.question = question;
  }
}

/**
 * Throws `config.missing_key`, `config.key_not_confirmed`, or `config.type` for an unusable address. Does no I/O.
 */
export function providerSettings(config: Config, choice: ModelChoice, access: KeyAccess): ProviderSettings {
  const { provider, model } = choice;
  const overrides = provider.modelOverrides[model];
  const price = priceOf(provider, model);
  return {
    name: provider.name,
    kind: provider.kind,
    model,
    baseUrl: provider.baseUrl,
    ...defined({ requestUrl: provider.requestUrl, chatUrl: provider.chatUrl, modelsUrl: provider.modelsUrl }),
    apiKey: keyFor(provider, access),
    apiKeyEnv: provider.apiKeyEnv,
    authHeader: provider.authHeader,
    headers: provider.headers,
    extraBody: provider.extraBody,
    contextWindow: overrides?.contextWindow ?? provider.contextWindow,
    maxOutputTokens: overrides?.maxOutputTokens ?? provider.maxOutputTokens,
    idleTimeoutSeconds: provider.idleTimeoutSeconds,
    ...defined({
      thinking: provider.thinking || undefined,
      effort: provider.effort || undefined,
      reasoningProtocol: overrides?.reasoningProtocol || provider.reasoningProtocol,
      supportedEfforts: overrides?.supportedEfforts ?? provider.supportedEfforts,
      defaultEffort: overrides?.defaultEffort ?? provider.defaultEffort,
      visionDetail: provider.visionDetail || undefined,
    }),
    vision: overrides?.vision ?? (provider.vision || (provider.visionModels ?? []).includes(model)),
    webSearch: provider.webSearch,
    responsesMode: provider.responsesMode,
    ...defined({ price }),
    proxy: provider.noProxy ? { mode: "direct" } : proxySettings(config.network, access),
  };
}

/** The key a project's entry would receive without the user's word for it; undefined when there is nothing to ask. */
export function unconfirmedKey(provider: ProviderEntry, access: KeyAccess): KeyQuestion | undefined {
  if (isOwn(provider.source) || !access.keys.values.get(provider.apiKeyEnv)) return undefined;
  const origin = originsOf(provider).find((origin) => !access.confirmed.has(provider.apiKeyEnv, origin));
  return origin === undefined ? undefined : { provider: provider.name, key: provider.apiKeyEnv, origin };
}

/** Without a key a provider works only when its host is the person's own, or when `api_key_env` is blank. */
export function needsKey(provider: ProviderEntry): boolean {
  return provider.apiKeyEnv !== "" && !isPrivateHost(new URL(originsOf(provider)[0]).hostname);
}

function keyFor(provider: ProviderEntry, access: KeyAccess): string {
  const name = provider.apiKeyEnv;
  const required = needsKey(provider);
  const question = unconfirmedKey(provider, access);
  if (question) {
    // A host of the person's own is asked without the key: nothing leaks, and a local model needs none.
    if (required) throw new KeyNotConfirmed(question);
    return "";
  }
  const key = name === "" ? undefined : access.keys.values.get(name);
  if (key) return key;
  if (!required) return "";
  const elsewhere = access.env(name) ? ` The ${name} of your shell is not read.` : "";
  throw new ReasonixError("config.missing_key", `provider "${showPath(provider.name)}": missing env ${name}`, {
    remedy: `Add the line ${name}=… to ${access.envFile}, or run \`reasonix setup\`.${elsewhere}`,
  });
}

function isOwn(source: EntrySource): boolean {
  return source.layer === "user" || source.layer === "built_in";
}

/** Undefined where a price is not complete: unknown is not zero. */
function priceOf(provider: ProviderEntry, model: string): Price | undefined {
  const listed = provider.prices[model];
  const { input, output, cacheHit, cacheWrite, currency } = listed ?? provider.price;
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    ...defined({ cacheHit, cacheWrite }),
    currency: currency ?? provider.billingCurrency ?? "USD",
  };
}

export function proxySettings(network: NetworkConfig, access: Pick<KeyAccess, "keys" | "env">): ProxySettings {
  if (network.proxyMode === "off") return { mode: "direct" };
  if (network.proxyMode !== "custom") return { mode: "env" };
  const { url, username, password } = customProxy(network);
  const read = (name: string) => access.env(name) ?? access.keys.values.get(name);
  return {
    mode: "custom",
    url,
    ...defined({
      username: username || undefined,
      password: password === "" ? undefined : expandVariables(password, read),
    }),
    noProxy: network.noProxy,
  };
}

function customProxy(network: NetworkConfig): { url: string; username: string; password: string } {
  const { type, server, port, username, password } = network.proxy;
  const written = network.proxyUrl !== ""
    ? network.proxyUrl
    : server === ""
    ? ""
    : `${type}://${server.includes(":") && !server.startsWith("[") ? `[${server}]` : server}${port ? `:${port}` : ""}`;
  if (!URL.canParse(written) || !/^(https?|socks5h?):$/.test(new URL(written).protocol)) {
    throw new ReasonixError(
      "config.type",
      'network.proxy_mode is "custom", but there is no usable proxy_url or proxy.server',
      {
        remedy: 'Set network.proxy_url, such as "http://127.0.0.1:8080", or another proxy_mode.',
      },
    );
  }
  const url = new URL(written);
  const named = { username: decode(url.username) || username, password: decode(url.password) || password };
  url.username = "";
  url.password = "";
  return { url: url.href.replace(/\/$/, ""), ...named };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Without the members that are undefined. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
