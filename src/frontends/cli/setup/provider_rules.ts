/** What a provider's name, address and key variable may be, and which are free. Pure. */
import { defaultKeyName } from "../../../config/mod.ts";
import { nameOf, type ProviderTable } from "./draft.ts";

export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name)) return "Letters, digits, `.`, `_` and `-`, please.";
  return taken.includes(name) ? `There is a provider ${name} already.` : undefined;
}

export function addressProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    return "An http or https address, such as https://host/v1.";
  }
  return url.username !== "" || url.password !== ""
    ? "Without name and password: keys are asked for by themselves."
    : undefined;
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
