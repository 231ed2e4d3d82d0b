/**
 * Which hosts commands may reach. An entry is a host name (`example.com`: that host alone; `*.example.com`: every
 * host below it; `.example.com`: both), an address, or either with `:port`. A denied entry also covers what lies below
 * it, and wins. Without allowed entries everything is allowed that is not denied. Pure.
 */

export interface DomainRules {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

export interface Target {
  readonly host: string;
  readonly port: number;
}

export function isAllowedTarget(target: Target, rules: DomainRules): boolean {
  const host = plainHost(target.host);
  if (host === "") return false;
  const covers = (entry: string, below: boolean) => matches(entry, { host, port: target.port, below });
  if (rules.denied.some((entry) => covers(entry, true))) return false;
  return rules.allowed.length === 0 || rules.allowed.some((entry) => covers(entry, false));
}

/** True when the target itself is written in the list, so that it may be an address of this machine. */
export function isNamedLiterally(target: Target, rules: DomainRules): boolean {
  const host = plainHost(target.host);
  return rules.allowed.some((entry) => splitPort(entry).host === host);
}

/** `host:port`, with `[…]` around an IPv6 address; `port` when there is none. */
export function parseTarget(text: string, port: number): Target | undefined {
  const parts = /^(\[[0-9a-f:.%]+\]|[^\s:/@\[\]]+)(?::(\d{1,5}))?$/i.exec(text);
  if (!parts) return undefined;
  const number = parts[2] === undefined ? port : Number(parts[2]);
  return number > 0 && number < 65536 ? { host: parts[1]!.replace(/^\[|\]$/g, ""), port: number } : undefined;
}

/** Addresses of this machine and of local networks: an allowed name must not lead to one. */
export function isLocalAddress(address: string): boolean {
  const text = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
  const four = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(text);
  if (four) {
    const [a, b] = [Number(four[1]), Number(four[2])];
    return a === 0 || a === 10 || a === 127 || (a === 100 && b >= 64 && b < 128) || (a === 169 && b === 254) ||
      (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168);
  }
  return text === "::" || text === "::1" || /^f[cd]/.test(text) || /^fe[89ab]/.test(text) || text.startsWith("::ffff:");
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function splitPort(entry: string): { readonly host: string; readonly port?: number } {
  const text = entry.trim();
  const parts = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(text);
  return parts ? { host: plainHost(parts[1]!), port: Number(parts[2]) } : { host: plainHost(text) };
}

function matches(entry: string, target: Target & { readonly below: boolean }): boolean {
  const { host: pattern, port } = splitPort(entry);
  if (/^\*\.(?::|$)/.test(entry.trim())) return false;
  if (port !== undefined && port !== target.port) return false;
  if (pattern === "*") return true;
  const bare = pattern.replace(/^\*?\./, "");
  if (bare === "") return false;
  const isBelow = target.host.endsWith(`.${bare}`);
  if (pattern.startsWith("*.")) return isBelow;
  if (pattern.startsWith(".") || target.below) return isBelow || target.host === bare;
  return target.host === bare;
}
