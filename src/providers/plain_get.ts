/** One small answer of an endpoint beside its model requests: one try, a limit of time and size, typed failures. */
import { isAbort, ReasonixError } from "../contract/errors.ts";
import type { ProviderPorts, ProviderSettings } from "../contract/provider.ts";
import { toText } from "../lib/bytes.ts";
import { readBounded } from "../lib/read_body.ts";
import { createEndpoint } from "./endpoint.ts";
import { isMarkup, statusFailure } from "./http_errors.ts";
import { possibleProxy } from "./proxy.ts";
import { transportFailure } from "./transport_errors.ts";

const LIMIT_MS = 30_000;
const MAX_BYTES = 8 * 1024 * 1024;

export interface PlainGet {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: string;
  /** What is asked for, such as `a list of models`. */
  readonly what: string;
  /** Which setting to look at when something else comes. */
  readonly remedy: string;
  readonly signal: AbortSignal;
}

/** The body, which is no page for people. Rejects with a typed error, or with the signal's reason. */
export async function plainGet(settings: ProviderSettings, ports: ProviderPorts, get: PlainGet): Promise<string> {
  const { url, headers, protocol } = get;
  const endpoint = createEndpoint(settings, { protocol, target: url });
  const time = AbortSignal.timeout(LIMIT_MS);
  const signal = AbortSignal.any([get.signal, time]);
  let response: Response;
  let text: string;
  try {
    response = await ports.fetch(url, {
      headers: { ...headers, accept: "application/json" },
      signal,
      redirect: "manual",
    });
    const bytes = await readBounded(response.body, { most: MAX_BYTES, signal });
    if (bytes === undefined) throw new ReasonixError("provider.bad_response", `${get.what} is too large`);
    text = toText(bytes);
  } catch (thrown) {
    if (get.signal.aborted || thrown instanceof ReasonixError) throw thrown;
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
  if (isMarkup(text)) throw notThat(settings, get, "an HTML page came");
  return text;
}

/** The endpoint answered with something else. */
export function notThat({ name }: ProviderSettings, { url, what, remedy }: PlainGet, came: string): ReasonixError {
  return new ReasonixError("provider.bad_response", `${name} at ${url.host}: ${came} in place of ${what}`, { remedy });
}
