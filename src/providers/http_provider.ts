/** A provider that speaks HTTP: joins what a kind gives with the shared recovery, and names the endpoint in messages. */
import { ReasonixError } from "../contract/errors.ts";
import type { Provider, ProviderPorts, ProviderSettings } from "../contract/provider.ts";
import type { Endpoint } from "./http_errors.ts";
import { possibleProxy } from "./proxy.ts";
import { createRedactor, type Redactor } from "../lib/redact.ts";
import { callModel } from "./recovery.ts";
import type { Wire } from "./wire.ts";

/** A request target. Throws `config.type` for what is no http address. */
export function parseTarget(settings: ProviderSettings, text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Told below.
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    const shown = redactorOf(settings)(text.replace(/\?.*/s, ""), 100);
    throw new ReasonixError("config.type", `the address of provider ${settings.name} is no http(s) URL: "${shown}"`, {
      remedy: `Set base_url of provider ${settings.name} to something like https://host/v1.`,
    });
  }
  return url;
}

/** `base_url` with the protocol's path, which it may already hold. */
export function derivedUrl(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  return base === "" || base.endsWith(path) ? base : base + path;
}

/** How messages speak of the other side, and what they must not show. */
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

function redactorOf(settings: ProviderSettings): Redactor {
  const { proxy } = settings;
  const headers = Object.values(settings.headers).flatMap((value) => [value, value.replace(/^\w+\s+/, "")]);
  return createRedactor([
    settings.apiKey,
    ...headers.filter((value) => value.length >= 8),
    ...(proxy.mode === "custom" && proxy.password ? [proxy.password] : []),
  ]);
}

export function createHttpProvider(
  settings: ProviderSettings,
  ports: ProviderPorts,
  options: { readonly wire: Wire; readonly target: URL },
): Provider {
  const { wire, target } = options;
  const context = {
    wire,
    ports,
    endpoint: createEndpoint(settings, { protocol: wire.protocol, target }),
    idleMs: settings.idleTimeoutSeconds * 1000,
    via: () => possibleProxy(settings.proxy, target, (name) => Deno.env.get(name)),
    memory: { keyWorked: false, calls: 0 },
  };
  return {
    name: settings.name,
    model: settings.model,
    contextWindow: settings.contextWindow,
    ...(settings.price ? { price: settings.price } : {}),
    ...(settings.vision ? { vision: true } : {}),
    stream: (request, signal) => callModel(context, request, signal),
  };
}
