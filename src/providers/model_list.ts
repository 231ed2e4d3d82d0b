/** Asks an endpoint which models it offers. */
import { isAbort, ReasonixError } from "../contract/errors.ts";
import type { ProviderPorts, ProviderSettings } from "../contract/provider.ts";
import { parseJson } from "../lib/json.ts";
import { createEndpoint } from "./endpoint.ts";
import { isMarkup, statusFailure } from "./http_errors.ts";
import { possibleProxy } from "./proxy.ts";
import { transportFailure } from "./transport_errors.ts";

const LIMIT_MS = 30_000;
const MAX_BYTES = 8 * 1024 * 1024;

export interface ModelListOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: string;
  readonly signal: AbortSignal;
}

export async function fetchModels(
  settings: ProviderSettings,
  ports: ProviderPorts,
  options: ModelListOptions,
): Promise<readonly string[]> {
  const { url, headers, protocol } = options;
  const endpoint = createEndpoint(settings, { protocol, target: url });
  const bad = (what: string) =>
    new ReasonixError(
      "provider.bad_response",
      `${settings.name} at ${url.host}: ${what} in place of a list of models`,
      {
        remedy: `Check models_url or base_url of provider ${settings.name}.`,
      },
    );
  const time = AbortSignal.timeout(LIMIT_MS);
  const signal = AbortSignal.any([options.signal, time]);
  let response: Response;
  let text: string;
  try {
    response = await ports.fetch(url, {
      headers: { ...headers, accept: "application/json" },
      signal,
      redirect: "manual",
    });
    text = await readText(response);
  } catch (thrown) {
    if (options.signal.aborted || thrown instanceof ReasonixError) throw thrown;
    if (time.aborted || isAbort(thrown)) {
      const text = `${settings.name} at ${url.host} did not answer within ${LIMIT_MS / 1000} s`;
      throw new ReasonixError("provider.stalled", text, { retry: true });
    }
    throw transportFailure(endpoint, thrown, possibleProxy(settings.proxy, url, (name) => Deno.env.get(name))).error;
  }
  if (!response.ok) {
    const answer = { status: response.status, headers: response.headers, body: text.slice(0, 4096) };
    throw statusFailure(endpoint, answer, { keyWorked: false, now: ports.now() }).error;
  }
  if (isMarkup(text)) throw bad("an HTML page came");
  const ids = modelIds(text);
  if (ids === undefined) throw bad("something else came");
  return ids;
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_BYTES) throw new ReasonixError("provider.bad_response", "the list of models is too large");
  }
  return text + decoder.decode();
}

/** `{data:[{id}]}`, `{models:[{id|name}]}`, or the bare list; a prefix `models/` is no part of an id. */
function modelIds(text: string): readonly string[] | undefined {
  const object = parseJson(text) as { data?: unknown; models?: unknown } | null | undefined;
  const list = [object, object?.data, object?.models].find(Array.isArray) as unknown[] | undefined;
  if (!list) return undefined;
  const ids = list.map((entry) => {
    if (typeof entry === "string") return entry;
    const { id, name } = (entry ?? {}) as { id?: unknown; name?: unknown };
    return typeof id === "string" ? id : typeof name === "string" ? name.replace(/^models\//, "") : "";
  });
  return [...new Set(ids.filter((id) => id !== ""))];
}
