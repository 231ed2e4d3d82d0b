/** Addresses of providers: where requests go, and which hosts are the person's own. Pure. */
import { ReasonixError } from "../contract/errors.ts";
import { showPath } from "../lib/shown_path.ts";
import type { ProviderEntry } from "./config.ts";

type Addresses = Pick<ProviderEntry, "name" | "baseUrl" | "requestUrl" | "chatUrl" | "modelsUrl" | "balanceUrl">;

/** Every origin an entry can send its key to, the one of model requests first. Throws `config.type` for no valid address. */
export function originsOf(entry: Addresses): readonly [string, ...string[]] {
  const { requestUrl, chatUrl, baseUrl, modelsUrl, balanceUrl } = entry;
  const main = requestUrl ?? chatUrl ?? (baseUrl === "" ? undefined : baseUrl);
  if (main === undefined) throw badAddress(entry.name, "it has no base_url");
  const others = [baseUrl, modelsUrl, balanceUrl].filter((url) => url !== undefined && url !== "") as string[];
  const [first, ...rest] = [main, ...others].map((url) => webUrl(entry.name, url).origin);
  return [first!, ...new Set(rest.filter((origin) => origin !== first))];
}

function webUrl(provider: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    throw badAddress(provider, "its address is not an http or https URL");
  }
  return url;
}

function badAddress(provider: string, why: string): ReasonixError {
  return new ReasonixError("config.type", `provider "${showPath(provider)}": ${why}`, {
    remedy: 'Give it `base_url = "https://…"`.',
  });
}

/** Loopback, link-local and private addresses, and names that only resolve at home. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[")) return isPrivateV6(host.slice(1, -1));
  const octets = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host);
  if (octets) return isPrivateV4(Number(octets[1]), Number(octets[2]));
  return host === "localhost" || /\.(localhost|local|internal|home\.arpa)$/.test(host);
}

function isPrivateV4(a: number, b: number): boolean {
  return a === 127 || a === 10 || a === 0 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168) ||
    (a === 169 && b === 254) || (a === 100 && b >= 64 && b <= 127);
}

function isPrivateV6(host: string): boolean {
  if (host === "::1" || host === "::" || /^f[cd]/.test(host) || /^fe[89ab]/.test(host)) return true;
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (!mapped) return false;
  const high = parseInt(mapped[1]!, 16);
  return isPrivateV4(high >> 8, high & 0xff);
}
