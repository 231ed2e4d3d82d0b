/** What a provider's name, address and key variable may be, and which are free. Pure. */
import { defaultKeyName, type TomlValue } from "../../../config/mod.ts";
import type { ListedModel } from "../../../contract/provider.ts";
import { isRecord } from "../../../lib/json.ts";
import { nameOf, type ProviderTable } from "./draft.ts";

export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name)) return "Letters, digits, `.`, `_` and `-`, please.";
  return taken.includes(name) ? `There is a provider ${name} already.` : undefined;
}

export function addressProblem(text: string): string | undefined {
  const address = toAddress(text);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || /^(?:|https?)$/.test(url.hostname)) {
    return "An http or https address, such as https://host/v1.";
  }
  return url.username !== "" || url.password !== ""
    ? "Without name and password: keys are asked for by themselves."
    : undefined;
}

/** As people paste it: without a scheme, with one too many, with slashes at the end. */
export function toAddress(text: string): string {
  const bare = text.trim().replace(/^(?:https?:\/\/)+(?=https?:\/\/)/i, "").replace(/\/+$/, "");
  if (bare === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(bare)) return bare;
  const isHere = /^(?:localhost|127\.|10\.|192\.168\.|\[::1\])/i.test(bare);
  return `${isHere ? "http" : "https"}://${bare}`;
}

/** `128k`, `1M`, `131072`; undefined for anything else. */
export function toTokens(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)\s*([km]?)$/i.exec(text.trim().replaceAll(/[_,]/g, "")) ?? [];
  if (digits === undefined) return undefined;
  const tokens = Math.round(Number(digits) * ({ "": 1, k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1));
  return tokens > 0 ? tokens : undefined;
}

export function windowProblem(text: string): string | undefined {
  return text.trim() === "" || toTokens(text) !== undefined ? undefined : "A number of tokens, such as 128k or 131072.";
}

/**
 * The windows of a provider's models as settings, where the endpoint tells them: that of its default for all, and what
 * differs for each. Undefined where it tells none.
 */
export function toWindows(
  provider: ProviderTable,
  listed: readonly ListedModel[],
): Readonly<Record<string, TomlValue>> | undefined {
  const chosen = modelsOf(provider);
  const told = new Map(
    listed.flatMap(({ id, contextWindow }) =>
      contextWindow !== undefined && chosen.includes(id) ? [[id, contextWindow] as const] : []
    ),
  );
  if (told.size === 0) return undefined;
  const written = Number(provider["context_window"]);
  const general = told.get(String(provider["default"])) ?? (written > 0 ? written : Math.min(...told.values()));
  const overrides = isRecord(provider["model_overrides"]) ? provider["model_overrides"] : {};
  const differing = [...told].filter(([, tokens]) => tokens !== general).map(([id, tokens]) =>
    [id, { ...(isRecord(overrides[id]) ? overrides[id] : {}), context_window: tokens }] as const
  );
  return {
    context_window: general,
    ...(differing.length === 0
      ? {}
      : { model_overrides: { ...overrides, ...Object.fromEntries(differing) } as TomlValue }),
  };
}

export function variableProblem(text: string): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) ? undefined : "Letters, digits and `_`, please.";
}

export function keyProblem(text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return "One line, please: the key alone.";
  return /\s/.test(text) ? "A key holds no blanks." : undefined;
}

/** `custom-<host-with-dashes>`, made free by a number. */
export function customName(address: string, taken: readonly string[]): string {
  const host = URL.canParse(address) ? new URL(address).hostname : "provider";
  return freeName(`custom-${host.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "")}`, taken);
}

export function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1;; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

export function variableOf(provider: ProviderTable): string {
  const written = provider["api_key_env"];
  return typeof written === "string" ? written.trim() : defaultKeyName(nameOf(provider));
}

/** Names of the other providers that use the variable. */
export function usersOf(variable: string, providers: readonly ProviderTable[], except: string): string[] {
  if (variable === "") return [];
  return providers.filter((provider) => nameOf(provider) !== except && variableOf(provider) === variable).map(nameOf);
}

export function modelsOf(provider: ProviderTable): string[] {
  const { models, model, default: chosen } = provider;
  const listed = Array.isArray(models) ? models.filter((id) => typeof id === "string") : [];
  return [...new Set([...listed, ...[model, chosen].filter((id) => typeof id === "string" && id !== "")])] as string[];
}
