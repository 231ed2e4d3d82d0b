/**
 * A form that a server wants filled in, as questions to the person: first whether to answer at all, then one question
 * per field. Answers are put into the shape the form asks for. What is no form, or has too much of it, is declined.
 */
import type { AskAnswer, Question } from "../contract/decision.ts";
import { isRecord } from "../lib/json.ts";
import { toLine } from "../lib/terminal_text.ts";
import type { ElicitAnswer, Fields } from "./connection.ts";

/** Puts questions to the person; `dismissed` when they would rather not. */
export type AskPerson = (questions: readonly Question[], signal: AbortSignal) => Promise<AskAnswer>;

const FIELDS = 12;
/** Questions on one card. */
const ON_A_CARD = 4;
const OPTIONS = 4;
const KEEP = "Leave as proposed";
const SKIP = "Leave empty";

interface Field {
  readonly name: string;
  readonly schema: Fields;
  readonly required: boolean;
}

export async function elicitFromPerson(
  server: string,
  request: Fields,
  { ask, signal }: { readonly ask: AskPerson; readonly signal: AbortSignal },
): Promise<ElicitAnswer> {
  const fields = fieldsOf(request["requestedSchema"]);
  if (request["mode"] === "url" || fields === undefined) return { action: "decline" };
  const message = toLine(String(request["message"] ?? ""), 600);
  const consent: Question = {
    header: toLine(server, 30),
    question: `The MCP server "${toLine(server, 60)}" asks: ${message}`,
    options: [{ label: "Answer" }, { label: "Decline", description: "The server is told no" }],
    multiSelect: false,
  };
  const first = await ask([consent], signal);
  if (first === "dismissed") return { action: "cancel" };
  if (first.choices[0]?.[0] !== "Answer") return { action: "decline" };

  const content: ElicitAnswer["content"] = {};
  for (let at = 0; at < fields.length; at += ON_A_CARD) {
    const card = fields.slice(at, at + ON_A_CARD);
    const answer = await ask(card.map(toQuestion), signal);
    if (answer === "dismissed") return { action: "cancel" };
    for (const [index, field] of card.entries()) {
      const value = toValue(field.schema, answer.choices[index] ?? []);
      if (value !== undefined) content[field.name] = value;
      else if (field.required && field.schema["default"] === undefined) return { action: "cancel" };
    }
  }
  return { action: "accept", content };
}

function fieldsOf(schema: unknown): Field[] | undefined {
  if (!isRecord(schema) || !isRecord(schema["properties"])) return undefined;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const entries = Object.entries(schema["properties"]);
  if (entries.length > FIELDS || entries.some(([, field]) => !isRecord(field))) return undefined;
  return entries.map(([name, field]) => ({ name, schema: field as Fields, required: required.includes(name) }));
}

function toQuestion({ name, schema, required }: Field): Question {
  const title = toLine(text(schema["title"]) || name, 60);
  const about = toLine(text(schema["description"]), 300);
  const proposed = schema["default"];
  const options: { label: string; description?: string }[] = choicesOf(schema).slice(0, OPTIONS)
    .map(({ label }) => ({ label }));
  if (proposed !== undefined && options.length < OPTIONS) {
    options.push({ label: KEEP, description: toLine(String(proposed), 80) });
  }
  if (!required && options.length < OPTIONS) options.push({ label: SKIP });
  // A card wants two options at least; anything may be written instead.
  while (options.length < 2) options.push({ label: options.length === 0 ? SKIP : "Write an answer" });
  return { header: title, question: about === "" ? title : about, options, multiSelect: schema["type"] === "array" };
}

interface Choice {
  readonly value: string | boolean;
  readonly label: string;
}

function choicesOf(schema: Fields): Choice[] {
  if (schema["type"] === "boolean") return [{ value: true, label: "Yes" }, { value: false, label: "No" }];
  const source = isRecord(schema["items"]) ? schema["items"] : schema;
  const titled = source["oneOf"] ?? source["anyOf"];
  if (Array.isArray(titled)) {
    return titled.filter(isRecord).map((one) => ({
      value: String(one["const"] ?? ""),
      label: toLine(text(one["title"]) || String(one["const"] ?? ""), 60),
    }));
  }
  const values = Array.isArray(source["enum"]) ? source["enum"].map(String) : [];
  const names = Array.isArray(source["enumNames"]) ? source["enumNames"].map(String) : [];
  return values.map((value, at) => ({ value, label: toLine(names[at] ?? value, 60) }));
}

/** Undefined: left out, so that the form's own default stands. */
function toValue(schema: Fields, chosen: readonly string[]): string | number | boolean | string[] | undefined {
  const given = chosen.filter((one) => one !== KEEP && one !== SKIP && one.trim() !== "");
  const [first] = given;
  if (first === undefined) return undefined;
  const choices = choicesOf(schema);
  const valueOf = (one: string) =>
    choices.find(({ label, value }) => label === one || String(value) === one)?.value ??
      choices.find(({ label }) => label.toLowerCase() === one.trim().toLowerCase())?.value;
  switch (schema["type"]) {
    case "boolean":
      return valueOf(first) as boolean | undefined ?? (/^(?:true|y|1)$/i.test(first.trim()) ? true : undefined);
    case "integer":
    case "number": {
      const number = Number(first.trim());
      return Number.isFinite(number) && (schema["type"] === "number" || Number.isInteger(number)) ? number : undefined;
    }
    case "array": {
      const known = given.flatMap((one) => valueOf(one) ?? []).map(String);
      return known.length > 0 ? known : undefined;
    }
    default:
      return choices.length === 0 ? first : valueOf(first) as string | undefined;
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
