/**
 * The outside world of providers: HTTP with proxies and certificate authorities, clock, chance.
 *
 * Authorities beside the built-in ones come from a PEM file: `REASONIX_CA_FILE`, else `SSL_CERT_FILE`, else
 * `NODE_EXTRA_CA_CERTS`. Certificate checks cannot be switched off.
 */
import { ReasonixError } from "../contract/errors.ts";
import type { ProviderPorts, ProxySettings } from "../contract/provider.ts";
import { guardDial } from "./dial_guard.ts";
import { createProxiedClient, isProxyAddress, possibleProxy, type ReadEnv } from "./proxy.ts";

export interface PortOptions {
  readonly proxy: ProxySettings;
  /** PEM file of certificate authorities; default: the one the environment names. */
  readonly caFile?: string;
  /** Default: the environment of the process. */
  readonly env?: ReadEnv;
}

const CA_VARIABLES = ["REASONIX_CA_FILE", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"];

export function createPorts(options: PortOptions): ProviderPorts {
  return { fetch: createFetch(options), sleep, random: Math.random, now: Date.now };
}

/**
 * Plain `fetch` obeys the environment's proxies by itself and starts fastest, so it serves wherever nothing else is
 * asked for. An encrypted connection has a client of its own: HTTP/1.1, where one slow answer cannot hold up another.
 */
function createFetch(options: PortOptions): typeof fetch {
  const { proxy } = options;
  const env = options.env ?? ((name) => Deno.env.get(name));
  let client: Promise<Deno.HttpClient> | undefined;
  const clientFor = (target: URL): Promise<Deno.HttpClient> | undefined => {
    if (target.protocol !== "https:" && proxy.mode === "env") return undefined;
    return client ??= createClient(options, env);
  };
  return async (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input);
    const chosen = await clientFor(target);
    const answer = fetch(input, chosen ? { ...init, client: chosen } : init);
    // Behind a proxy the host cannot be dialled, and the proxy answers for it.
    return possibleProxy(proxy, target, env) === undefined ? guardDial(answer, target) : answer;
  };
}

async function createClient(options: PortOptions, env: ReadEnv): Promise<Deno.HttpClient> {
  if (options.proxy.mode === "custom" && !isProxyAddress(options.proxy.url)) {
    throw new ReasonixError("provider.proxy", "the proxy's address is not valid", {
      remedy: "Set proxy_url to something like http://host:port or socks5://host:port.",
    });
  }
  const caFile = options.caFile ?? CA_VARIABLES.map(env).find(Boolean);
  const authorities = caFile ? { caCerts: [await readAuthorities(caFile)] } : {};
  try {
    return createProxiedClient(options.proxy, { ...authorities, http2: false });
  } catch (cause) {
    throw unusable(caFile ?? "", "holds a certificate that cannot be read", cause);
  }
}

async function readAuthorities(file: string): Promise<string> {
  let text: string;
  try {
    text = await Deno.readTextFile(file);
  } catch (cause) {
    throw unusable(file, "cannot be read", cause);
  }
  if (!text.includes("-----BEGIN CERTIFICATE-----")) throw unusable(file, "holds no PEM certificate");
  return text;
}

const unusable = (file: string, why: string, cause?: unknown) =>
  new ReasonixError("provider.tls", `the file of certificate authorities ${why}: ${file}`, {
    cause,
    remedy: `Correct or unset ${CA_VARIABLES.join(", ")}.`,
  });

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(new DOMException("The wait was aborted.", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
