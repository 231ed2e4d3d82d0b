/** A provider that speaks HTTP: joins what a kind gives with the shared recovery. */
import type { Provider, ProviderPorts, ProviderSettings } from "../contract/provider.ts";
import { createEndpoint } from "./endpoint.ts";
import { possibleProxy } from "./proxy.ts";
import { callModel } from "./recovery.ts";
import type { Wire } from "./wire.ts";

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
