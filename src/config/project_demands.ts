/**
 * What a folder asks of the person who trusts it: settings that loosen safety and servers that would start. In one
 * canonical form each, so that a later change can be told from new spacing, and old and new shown side by side.
 */
import { canonicalJson } from "../lib/canonical_json.ts";
import type { PluginEntry, ProviderEntry } from "./config.ts";
import type { LoadedConfig } from "./load.ts";
import type { Loosening } from "./merge.ts";
import { isPrivateHost } from "./origins.ts";

export interface ProjectDemand {
  readonly kind: "setting" | "server" | "provider" | "hook";
  /** `sandbox.bash`, the name of the server or provider, or event and place of a hook. */
  readonly name: string;
  /** JSON with sorted keys: equal texts are equal demands. */
  readonly value: string;
}

/** Sorted by kind and name. */
export function projectDemands(loaded: Pick<LoadedConfig, "config" | "loosenings" | "heldServers">): ProjectDemand[] {
  const settings = loaded.loosenings.map(settingDemand);
  const servers = [...loaded.config.plugins, ...loaded.heldServers]
    .filter(({ source }) => source.layer === "project" || source.layer === "mcp_json")
    .map(serverDemand);
  const providers = loaded.config.providers.flatMap((provider) => providerDemand(provider) ?? []);
  return sortedDemands([...settings, ...servers, ...providers]);
}

export function sortedDemands(demands: readonly ProjectDemand[]): ProjectDemand[] {
  return [...demands].sort((a, b) => compare(a.kind, b.kind) || compare(a.name, b.name));
}

export function settingDemand({ key, project }: Loosening): ProjectDemand {
  return demand("setting", key, project);
}

export function serverDemand(server: PluginEntry): ProjectDemand {
  return demand("server", server.name, whatRuns(server));
}

/**
 * A provider that the folder brings along and that is asked at a public address: whoever answers there reads the
 * conversation and decides what the agent does. Undefined for the person's own providers and hosts.
 */
export function providerDemand(provider: ProviderEntry): ProjectDemand | undefined {
  if (provider.source.layer !== "project") return undefined;
  const { baseUrl, requestUrl, chatUrl } = provider;
  const asked = [requestUrl, chatUrl, baseUrl].filter((url): url is string => url !== undefined && url !== "");
  const isPublic = (url: string) => !URL.canParse(url) || !isPrivateHost(new URL(url).hostname);
  return asked.some(isPublic) ? demand("provider", provider.name, { baseUrl, requestUrl, chatUrl }) : undefined;
}

/** Tells whether exactly this was agreed to. */
export function agreement(agreed: readonly ProjectDemand[]): (demand: ProjectDemand) => boolean {
  const known = new Map(agreed.map((item) => [`${item.kind}\0${item.name}`, item.value]));
  return ({ kind, name, value }) => known.get(`${kind}\0${name}`) === value;
}

export interface DemandChange {
  readonly kind: ProjectDemand["kind"];
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
}

/** What differs between what was agreed to and what is asked now. Empty: nothing new to ask. */
export function demandChanges(agreed: readonly ProjectDemand[], now: readonly ProjectDemand[]): DemandChange[] {
  const id = ({ kind, name }: ProjectDemand) => `${kind}\0${name}`;
  const before = new Map(agreed.map((item) => [id(item), item]));
  const after = new Map(now.map((item) => [id(item), item]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, fresh] = [before.get(key), after.get(key)];
    if (old?.value === fresh?.value) return [];
    const { kind, name } = (fresh ?? old)!;
    return [{ kind, name, ...(old ? { before: old.value } : {}), ...(fresh ? { after: fresh.value } : {}) }];
  });
}

function whatRuns({ type, command, args, env, dir, url, headers }: PluginEntry): unknown {
  return type === "stdio"
    ? { type, command, args, env, ...(dir === undefined ? {} : { dir }) }
    : { type, url, headers };
}

function demand(kind: ProjectDemand["kind"], name: string, value: unknown): ProjectDemand {
  return { kind, name, value: canonicalJson(value) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
