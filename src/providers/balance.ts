/** What is left on the account of an endpoint, where it tells: from `balance_url`, else from where its vendor has it. */
import type { ProviderPorts, ProviderSettings } from "../contract/provider.ts";
import { parseJson } from "../lib/json.ts";
import { ownValue } from "../lib/own_value.ts";
import { parseTarget } from "./endpoint.ts";
import { notThat, type PlainGet, plainGet } from "./plain_get.ts";

export interface BalanceAmount {
  readonly amount: number;
  /** Absent where the endpoint does not say. */
  readonly currency?: string;
}

export interface Balance {
  /** One for each currency. */
  readonly amounts: readonly BalanceAmount[];
  /** The endpoint says that it is not enough for requests. */
  readonly exhausted?: true;
}

/** By host of the model requests; the key goes to no other. */
const KNOWN: Readonly<Record<string, string>> = {
  "api.deepseek.com": "/user/balance",
  "api.moonshot.ai": "/v1/users/me/balance",
  "api.moonshot.cn": "/v1/users/me/balance",
  "openrouter.ai": "/api/v1/credits",
};

/** Where to ask; undefined where nobody knows. `configured`: `balance_url`. Throws `config.type` for what is no address. */
export function balanceUrl(settings: ProviderSettings, configured: string | undefined): URL | undefined {
  if (configured !== undefined && configured !== "") return parseTarget(settings, configured);
  const target = parseTarget(settings, settings.requestUrl ?? settings.chatUrl ?? settings.baseUrl);
  const path = ownValue(KNOWN, target.host);
  return path === undefined ? undefined : new URL(path, target.origin);
}

/** One request, no retries. Rejects with a typed error, or with the signal's reason. */
export async function fetchBalance(
  settings: ProviderSettings,
  ports: ProviderPorts,
  { url, signal }: { readonly url: URL; readonly signal: AbortSignal },
): Promise<Balance> {
  const get: PlainGet = {
    url,
    headers: settings.apiKey === "" ? {} : { authorization: `Bearer ${settings.apiKey}` },
    protocol: "balance",
    what: "a balance",
    remedy: `Check balance_url of provider ${settings.name}.`,
    signal,
  };
  const balance = parseBalance(parseJson(await plainGet(settings, ports, get)));
  if (balance === undefined) throw notThat(settings, get, "something else came");
  return balance;
}

/** Nobody's account has more: what claims so would fill the screen. */
const MOST_CURRENCIES = 8;
const BEYOND_MONEY = 1e12;

/** The forms vendors have: a list by currency, credit and what was used of it, or one number under a telling name. */
export function parseBalance(answer: unknown): Balance | undefined {
  const object = toObject(answer);
  if (object === undefined) return undefined;
  if (Array.isArray(object["balance_infos"])) {
    const infos = object["balance_infos"].slice(0, MOST_CURRENCIES);
    const amounts = infos.flatMap((entry) => toAmount(toObject(entry), ["total_balance"]) ?? []);
    if (amounts.length === 0) return undefined;
    return { amounts, ...(object["is_available"] === false ? { exhausted: true } : {}) };
  }
  const inner = toObject(object["data"]) ?? object;
  const credits = toNumber(inner["total_credits"]);
  if (credits !== undefined) {
    return { amounts: [{ amount: credits - (toNumber(inner["total_usage"]) ?? 0), currency: "USD" }] };
  }
  const amount = toAmount(inner, ["available_balance", "total_balance", "balance"]);
  return amount && { amounts: [amount] };
}

function toAmount(
  object: Readonly<Record<string, unknown>> | undefined,
  names: readonly string[],
): BalanceAmount | undefined {
  const amount = names.map((name) => toNumber(object?.[name])).find((value) => value !== undefined);
  if (amount === undefined) return undefined;
  const currency = object?.["currency"];
  return { amount, ...(typeof currency === "string" && /^[A-Za-z]{3}$/.test(currency) ? { currency } : {}) };
}

/** Also a number written as text, which is how some vendors keep its digits. */
function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Math.abs(number) < BEYOND_MONEY ? number : undefined;
}

function toObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : undefined;
}
