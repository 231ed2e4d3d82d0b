/** Addresses of an endpoint, and how messages speak of it. */
import { ReasonixError } from "../contract/errors.ts";
import type { ProviderSettings } from "../contract/provider.ts";
import { createRedactor, type Redactor } from "../lib/redact.ts";

/** Who is spoken of in messages, and what they must not show. */
export interface Endpoint {
  /** Provider instance. */
  readonly provider: string;
  readonly model: string;
  readonly protocol: string;
  readonly host: string;
  readonly apiKeyEnv: string;
  readonly contextWindow: number;
  readonly redact: Redactor;
}

export function createEndpoint(
  settings: ProviderSettings,
  options: { readonly protocol: string; readonly target: URL },
): Endpoint {
  return {
    provider: settings.name,
    model: settings.model,
    protocol: options.protocol,
    host: options.target.host,
    apiKeyEnv: settings.apiKeyEnv,
    contextWindow: settings.contextWindow,
    redact: redactorOf(settings),
  };
}

/** The beginning of a message about it. */
export function nameOf({ provider, protocol, host }: Endpoint): string {
  return `${provider} (${protocol}) at ${host}`;
}

/** A request target. Throws `config.type` for what is no http address. */
export function parseTarget(settings: ProviderSettings, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  const shown = redactorOf(settings)(text.replace(/\?.*/s, ""), 100);
  throw new ReasonixError("config.type", `the address of provider ${settings.name} is no http(s) URL: "${shown}"`, {
    remedy: `Set base_url of provider ${settings.name} to something like https://host/v1.`,
  });
}

/** `base_url` with the protocol's path, which it may already hold. */
export function derivedUrl(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  return base === "" || base.endsWith(path) ? base : base + path;
}

/** Where models are listed beside `address`, which may already hold the protocol's path. */
export function listUrl(address: string, path: string): string {
  const root = address.replace(/\/+$/, "");
  return `${root.endsWith(path) ? root.slice(0, -path.length) : root}/models`;
}

function redactorOf(settings: ProviderSettings): Redactor {
  const { proxy } = settings;
  const headers = Object.values(settings.headers).flatMap((value) => [value, value.replace(/^\w+\s+/, "")]);
  return createRedactor([
    settings.apiKey,
    ...headers.filter((value) => value.length >= 8),
    ...(proxy.mode === "custom" && proxy.password ? [proxy.password] : []),
  ]);
}
