/** TOML text into a document, or one sentence that says where it broke off, what stood there and what should have. */
import { ReasonixError } from "../contract/errors.ts";
import { createRedactor } from "../lib/redact.ts";
import type { ConfigProblem } from "./findings.ts";

export type Document = Record<string, unknown>;

export type Parsed =
  | { readonly document: Document }
  | { readonly problem: ConfigProblem };

/** `file` is only named in the problem. */
export async function parseDocument(text: string, file: string): Promise<Parsed> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    return { document: parse(text, { integersAsBigInt: "asNeeded" }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = /^Invalid TOML document: (.*)/.exec(error.message)?.[1] ?? error.message.split("\n")[0]!;
    return { problem: syntaxProblem(text, file, { line: error.line, column: error.column, reason }) };
  }
}

interface Break {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

function syntaxProblem(text: string, file: string, at: Break): ConfigProblem {
  const line = text.split(/\r?\n/)[at.line - 1] ?? "";
  const { found, expected } = inPlainWords(line, at);
  const message = `${file}:${at.line}:${at.column}: found ${found}, expected ${expected} in: ${shownLine(line)}`;
  return new ReasonixError("config.syntax", message, {
    place: { file, line: at.line, column: at.column },
    remedy: "Correct that line; nothing was changed and no other file is used in its place.",
  });
}

/** The parser speaks of what it was doing when it gave up; people need what is wrong with their line. */
function inPlainWords(line: string, { column, reason }: Break): { found: string; expected: string } {
  const found = foundAt(line, column);
  const before = line.slice(0, column - 1);
  if (/unfinished string/.test(reason)) {
    return { found: "text without an end", expected: `a closing ${closingQuote(line.slice(column - 1))}` };
  }
  if (column > line.length) {
    // What the parser calls a control character is the end of the line.
    if (/control characters/.test(reason)) return { found, expected: "a closing quote" };
    if (/^\s*\[[^[\]]*$/.test(line) && /key/.test(reason)) return { found, expected: "a closing `]`" };
  } else if (/invalid value/.test(reason) && before.trim() === "") {
    return { found, expected: "a value, or the bracket that closes the list above" };
  }
  return { found, expected: expectedFor(reason) };
}

function closingQuote(opening: string): string {
  return `\`${/^("""|'''|["'])/.exec(opening)?.[0] ?? '"'}\``;
}

function foundAt(line: string, column: number): string {
  const rest = [...line.slice(column - 1)];
  if (rest.length === 0) return "the end of the line";
  const [first] = rest;
  const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(first!);
  return control ? `U+${first!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}` : `\`${first}\``;
}

/** What would have been right, by what the parser says went wrong. */
function expectedFor(reason: string): string {
  for (const [pattern, expected] of EXPECTED) if (pattern.test(reason)) return expected;
  return `valid TOML (${reason})`;
}

const EXPECTED: readonly (readonly [RegExp, string])[] = [
  [/end of key|incomplete key|bare key|character in key/, "`key = value`"],
  [/quoted key/, "a key on one line"],
  [/end-of-line/, "the end of the line after the value"],
  [/redefine|already defined/, "each key and table only once"],
  [/comma|end of structure/, "a comma or the closing bracket"],
  [/unfinished array/, "a closing `]`"],
  [/unfinished table/, "a closing `}`"],
  [/table array declaration/, "`]]`"],
  [/escape/, "a known escape such as `\\n`; write a backslash as `\\\\`, or use 'single quotes'"],
  [/control characters/, "no control characters"],
  [/numeric|leading zero|underscore|losslessly|integer/, "a number"],
  [/date/, "a date such as 2026-01-31"],
  [/value/, 'a value such as "text", 1, true or [ ]'],
  [/nested/, "fewer levels of nesting"],
];

const SECRET = /(key|token|password|passwd|secret|authorization|passphrase|cookie|hash)/i;

/** Whatever looks like a key, wherever it stands. */
const withoutKeys = createRedactor([]);

/** The line as people wrote it, without what would act on a terminal and without what looks like a secret. */
export function shownLine(line: string): string {
  const clean = line.trim().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u00b7");
  const equals = clean.indexOf("=");
  const secret = equals > 0 && SECRET.test(clean) && !/^\s*api_key_env\s*=\s*"[A-Za-z_]\w*"?\s*$/.test(clean);
  const shown = secret ? `${clean.slice(0, equals + 1)} …` : withoutKeys(clean, 1000);
  return shown.length > 160 ? `${shown.slice(0, 160)}…` : shown;
}
