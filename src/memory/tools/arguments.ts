/** The arguments of `remember` as a change of a fact. They fit the schema already. */
import { ToolError } from "../../contract/errors.ts";
import { toLine } from "../../lib/terminal_text.ts";
import { type Activation, type FactType, toKeywords, type Volatility } from "../fact.ts";
import type { FactContent } from "../fact_store.ts";

/** Of one fact; recall shows a small part of it anyway. Characters. */
const LONGEST_BODY = 64_000;

export function toChange(args: Readonly<Record<string, unknown>>): FactContent & { readonly name?: string } {
  const text = (key: string) => typeof args[key] === "string" ? args[key] as string : undefined;
  const description = text("description") ?? "";
  const body = text("body") ?? "";
  if (toLine(description) === "") throw new ToolError("description is empty: say in one line what the fact is about");
  if (body.trim() === "") throw new ToolError("body is empty: it is the fact itself");
  if (body.length > LONGEST_BODY) {
    throw new ToolError(`body has ${body.length} characters; a fact holds at most ${LONGEST_BODY}`);
  }
  const expires = text("expires_at");
  const keywords = Array.isArray(args.keywords) ? args.keywords.map(String) : text("keywords");
  return {
    description,
    body,
    ...optional("name", text("name")),
    ...optional("title", text("title")),
    ...optional("type", text("type") as FactType | undefined),
    ...optional("activation", text("activation") as Activation | undefined),
    ...optional("volatility", text("volatility") as Volatility | undefined),
    ...optional("subjectKey", text("subject_key")),
    ...optional("keywords", keywords === undefined ? undefined : toKeywords(keywords)),
    ...optional("expiresAt", expires === undefined ? undefined : toExpiry(expires)),
    ...optional("verified", args.verified === true ? true : undefined),
  };
}

/** A day ends where it ends everywhere; null: never. */
function toExpiry(text: string): string | null {
  const given = text.trim();
  if (/^(?:never|none)$/i.test(given)) return null;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(given);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i.test(given);
  const time = isDay ? Date.parse(`${given}T23:59:59.999Z`) : isTime ? Date.parse(given) : NaN;
  // 2025-02-31 would roll over to March.
  if (Number.isNaN(time) || (isDay && new Date(time).toISOString().slice(0, 10) !== given)) {
    throw new ToolError(`expires_at "${toLine(given, 40)}" is no date; write 2026-01-31, RFC 3339, or never`);
  }
  return new Date(time).toISOString();
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : { [key]: value } as { readonly [P in K]: V };
}
