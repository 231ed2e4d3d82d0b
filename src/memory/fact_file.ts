/** A fact as the text of its file, and back. Files of earlier versions and of people are read with what they have. */
import { sha256 } from "../lib/bytes.ts";
import { type Document, type HeadValue, parseDocument, toDocumentText } from "../lib/frontmatter.ts";
import { toLine } from "../lib/terminal_text.ts";
import { ACTIVATIONS, type Fact, FACT_TYPES, type FactScope, toKeywords, VOLATILITIES } from "./fact.ts";

const KNOWN = new Set([
  ...["id", "revision", "created_at", "updated_at", "name", "title", "description", "keywords", "type", "fact_type"],
  ...["scope", "activation", "volatility", "subject_key", "expires_at", "last_verified_at"],
]);

export interface FactFile {
  readonly scope: FactScope;
  /** Without the extension. */
  readonly name: string;
  readonly text: string;
  /** When the file was last changed; stands in for dates it does not have. Unix time in milliseconds. */
  readonly modifiedMs: number;
}

/** Undefined for a file that says nothing. The same file always gives the same fact. */
export async function parseFact(file: FactFile): Promise<Fact | undefined> {
  const { scope, name } = file;
  const { head, lines, body } = parseDocument(file.text);
  const text = (key: string) => textOf(head.get(key));
  const description = toLine(text("description") ?? firstLine(body) ?? "", 400);
  if (description === "") return undefined;
  const type = oneOf(FACT_TYPES, text("fact_type") ?? text("type")) ?? "project";
  const updatedAt = timeOf(text("updated_at")) ?? new Date(file.modifiedMs).toISOString();
  const volatility = oneOf(VOLATILITIES, text("volatility"));
  const subjectKey = text("subject_key");
  const lastVerifiedAt = timeOf(text("last_verified_at"));
  const expiresAt = timeOf(text("expires_at"));
  return {
    id: idOf(text("id")) ?? `legacy-${(await sha256(`${scope}/${name}`)).slice(0, 32)}`,
    revision: revisionOf(text("revision")) ?? 1,
    scope,
    name,
    title: toLine(text("title") ?? text("name") ?? name, 200),
    description,
    keywords: toKeywords(head.get("keywords") ?? []),
    type,
    activation: oneOf(ACTIVATIONS, text("activation")) ?? "relevant",
    ...(volatility ? { volatility } : {}),
    ...(subjectKey ? { subjectKey } : {}),
    createdAt: timeOf(text("created_at")) ?? updatedAt,
    updatedAt,
    ...(lastVerifiedAt ? { lastVerifiedAt } : {}),
    ...(expiresAt ? { expiresAt } : {}),
    body: body.trim(),
    unknown: unknownLines(lines),
  };
}

export function toFactText(fact: Fact): string {
  return toDocumentText(
    [
      ["id", fact.id],
      ["revision", fact.revision],
      ["created_at", fact.createdAt],
      ["updated_at", fact.updatedAt],
      ["name", fact.name],
      ["title", fact.title],
      ["description", fact.description],
      ["keywords", fact.keywords.length === 0 ? undefined : fact.keywords],
      ["type", fact.type],
      ["scope", fact.scope],
      ["activation", fact.activation],
      ["volatility", fact.volatility],
      ["subject_key", fact.subjectKey],
      ["expires_at", fact.expiresAt],
      ["last_verified_at", fact.lastVerifiedAt],
    ],
    fact.unknown,
    fact.body,
  );
}

function unknownLines(lines: Document["lines"]): string[] {
  return [...lines].flatMap(([key, own]) => KNOWN.has(key) ? [] : own);
}

function textOf(value: HeadValue | undefined): string | undefined {
  const text = typeof value === "string" ? value : value?.join(", ");
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}

/** Ids become file names of snapshots: nothing that a path could take for more. */
function idOf(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z0-9][A-Za-z0-9_-]{2,99}$/.test(text) ? text : undefined;
}

function revisionOf(text: string | undefined): number | undefined {
  const revision = /^\d{1,15}$/.test(text ?? "") ? Number(text) : 0;
  return revision >= 1 ? revision : undefined;
}

function timeOf(text: string | undefined): string | undefined {
  const time = text === undefined ? NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : text;
}

function oneOf<T extends string>(values: readonly T[], text: string | undefined): T | undefined {
  return values.find((value) => value === text?.toLowerCase());
}

function firstLine(body: string): string | undefined {
  return body.split("\n").map((line) => line.replace(/^[#>*\s-]+/, "").trim()).find((line) => line !== "");
}
