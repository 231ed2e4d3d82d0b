/** Which proxy a request goes through, and the HTTP clients that know it. */
import type { ProxySettings } from "../contract/provider.ts";

/** Reads one environment variable. */
export type ReadEnv = (name: string) => string | undefined;

const VARIABLES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
const EXCEPTIONS = ["NO_PROXY", "no_proxy"];

/**
 * The proxy that would carry a request to `target`, without its user name and password: for error messages. Exceptions
 * are not weighed, so this is a "may", and says so in its name.
 */
export function possibleProxy(proxy: ProxySettings, target: URL, env: ReadEnv): string | undefined {
  const scheme = target.protocol === "https:" ? ["HTTPS_PROXY", "https_proxy"] : ["HTTP_PROXY", "http_proxy"];
  const address = proxy.mode === "custom"
    ? proxy.url
    : proxy.mode === "env"
    ? [...scheme, "ALL_PROXY", "all_proxy"].map(env).find(Boolean)
    : undefined;
  if (!address) return undefined;
  try {
    return new URL(proxyUrl(address)).host;
  } catch {
    return "an address that is not valid";
  }
}

/**
 * A client that obeys `proxy`. Every client of Deno also obeys the environment it is created in, and offers no other
 * way to say "no proxy" or to name exceptions; so for the moment of its creation the environment says what is wanted.
 */
export function createProxiedClient(
  proxy: ProxySettings,
  options: Omit<Deno.CreateHttpClientOptions, "proxy">,
): Deno.HttpClient {
  if (proxy.mode === "env") return Deno.createHttpClient(options);
  if (proxy.mode === "direct") return withoutProxyVariables("", () => Deno.createHttpClient(options));
  const { username, password } = proxy;
  const basicAuth = username === undefined ? {} : { basicAuth: { username, password: password ?? "" } };
  return withoutProxyVariables(
    proxy.noProxy.join(","),
    () => Deno.createHttpClient({ ...options, proxy: { url: proxyUrl(proxy.url), ...basicAuth } }),
  );
}

const proxyUrl = (address: string): string => address.includes("://") ? address : `http://${address}`;

export function isProxyAddress(address: string): boolean {
  try {
    return /^(?:https?|socks5h?):$/.test(new URL(proxyUrl(address)).protocol);
  } catch {
    return false;
  }
}

/** Synchronous from the first change to the last: nobody else sees the environment in between. */
function withoutProxyVariables<T>(exceptions: string, create: () => T): T {
  const saved = [...VARIABLES, ...EXCEPTIONS].map((name) => [name, Deno.env.get(name)] as const);
  const set = saved.filter(([, value]) => value !== undefined);
  if (set.length === 0 && exceptions === "") return create();
  try {
    for (const [name] of set) Deno.env.delete(name);
    if (exceptions !== "") Deno.env.set("NO_PROXY", exceptions);
    return create();
  } finally {
    if (exceptions !== "") Deno.env.delete("NO_PROXY");
    for (const [name, value] of set) Deno.env.set(name, value!);
  }
}
