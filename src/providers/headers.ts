/** Headers of a model request. */
import type { ProviderSettings } from "../contract/provider.ts";

/** `own`: those of the protocol. The configured ones win over them. */
export function requestHeaders(
  settings: ProviderSettings,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    "content-type": "application/json",
    "accept": "text/event-stream",
    "user-agent": "Reasonix",
    ...own,
    ...Object.fromEntries(Object.entries(settings.headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
}

export const bearer = (settings: ProviderSettings): Record<string, string> =>
  settings.apiKey === "" ? {} : { authorization: `Bearer ${settings.apiKey}` };
