/**
 * Colours for code: comments, strings, numbers and keywords by family of language. One pass over the text with sticky
 * patterns that never go back, so hostile code costs no more than its length. Unknown languages stay as they are.
 */
import { ownValue } from "../../../lib/own_value.ts";

export type TokenKind = "comment" | "string" | "number" | "keyword" | "name" | "plain";

interface Family {
  readonly keywords: ReadonlySet<string>;
  readonly pattern: RegExp;
  readonly ignoreCase?: true;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const NUMBER = String.raw`(?<number>\b(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?)\w*)`;
const NAME = String.raw`(?<name>[\p{L}_$][\p{L}\p{N}_$]*)`;
const DOUBLE = String.raw`"(?:[^"\\\n]|\\[^])*"?`;
const SINGLE = String.raw`'(?:[^'\\\n]|\\[^])*'?`;
const BACKTICK = "`(?:[^`\\\\]|\\\\[^])*`?";
const SLASHES = String.raw`//[^\n]*|/\*(?:(?!\*/)[^])*(?:\*/)?`;
const HASH = String.raw`#[^\n]*`;
const DASHES = String.raw`--[^\n]*|/\*(?:(?!\*/)[^])*(?:\*/)?`;
const TRIPLE = String.raw`"""(?:(?!""")[^])*(?:""")?|'''(?:(?!''')[^])*(?:''')?`;

function family(comment: string, string: string, keywords: string, ignoreCase?: true): Family {
  const source = `(?<comment>${comment})|(?<string>${string})|${NUMBER}|${NAME}`;
  return { keywords: words(keywords), pattern: new RegExp(source, "giu"), ...(ignoreCase ? { ignoreCase } : {}) };
}

const C_LIKE =
  "if else for while do switch case default break continue return goto struct union enum typedef static const void int char long short float double unsigned signed sizeof extern inline auto class public private protected virtual template typename namespace using new delete try catch throw this nullptr true false bool override final import package func interface type map chan go defer select range var nil fn let mut pub impl trait use mod match loop move ref self Self where async await dyn crate as in out is when val fun object internal abstract extends implements instanceof super synchronized throws boolean byte string null";
const SCRIPT =
  "if else for while do switch case default break continue return function class extends implements interface type enum namespace const let var new delete typeof instanceof in of try catch finally throw this super null undefined true false async await yield import export from as static get set readonly public private protected abstract declare keyof satisfies void infer is never unknown any string number boolean object symbol bigint";
const PYTHON =
  "if elif else for while break continue return def class import from as with try except finally raise pass lambda global nonlocal assert yield async await in is not and or None True False del match case self end then do begin rescue ensure module require unless until nil true false puts";
const SHELL =
  "if then else elif fi for while until do done case esac in function select return exit export local readonly declare set unset shift trap source alias echo cd test sudo";
const SQL =
  "select from where insert into values update set delete create table drop alter add index view join left right inner outer full on as and or not null is in exists between like group by order having limit offset union all distinct case when then else end primary key foreign references default unique check begin commit rollback with returning";

const FAMILIES = {
  c: family(SLASHES, `${DOUBLE}|${SINGLE}`, C_LIKE),
  script: family(SLASHES, `${DOUBLE}|${SINGLE}|${BACKTICK}`, SCRIPT),
  python: family(HASH, `${TRIPLE}|${DOUBLE}|${SINGLE}`, PYTHON),
  shell: family(HASH, `${DOUBLE}|'[^']*'?`, SHELL),
  sql: family(DASHES, `${DOUBLE}|${SINGLE}`, SQL, true),
  data: family(HASH, `${TRIPLE}|${DOUBLE}|${SINGLE}`, "true false null yes no on off"),
};

const LANGUAGES: Readonly<Record<string, keyof typeof FAMILIES>> = {
  ...all("c", "c h cpp c++ cc hpp cs csharp java kotlin kt go golang rust rs swift scala dart php objc zig css scss"),
  ...all("script", "js javascript jsx mjs ts typescript tsx mts vue svelte json jsonc json5"),
  ...all("python", "python py ruby rb lua elixir ex julia jl r nim"),
  ...all("shell", "sh bash zsh shell console fish powershell ps1 dockerfile makefile make"),
  ...all("sql", "sql mysql postgres postgresql sqlite"),
  ...all("data", "toml yaml yml ini conf properties env"),
};

function all(name: keyof typeof FAMILIES, languages: string): Record<string, keyof typeof FAMILIES> {
  return Object.fromEntries(languages.split(" ").map((language) => [language, name]));
}

/** Lines of the code with styles on. Answers as many lines as the code has. */
export function highlight(
  code: string,
  language: string | undefined,
  paint: Readonly<Record<TokenKind, (text: string) => string>>,
): string[] {
  const known = ownValue(LANGUAGES, (language ?? "").toLowerCase().split(/[\s,{]/)[0]!);
  if (known === undefined) return code.split("\n");
  const { keywords, pattern, ignoreCase } = FAMILIES[known];
  let out = "";
  let at = 0;
  for (const match of code.matchAll(pattern)) {
    const groups = match.groups!;
    out += code.slice(at, match.index);
    at = match.index + match[0].length;
    const kind = groups.comment !== undefined
      ? "comment"
      : groups.string !== undefined
      ? "string"
      : groups.number !== undefined
      ? "number"
      : keywords.has(ignoreCase ? match[0].toLowerCase() : match[0])
      ? "keyword"
      : "name";
    // A style ends with its line: lines are wrapped and written one by one.
    out += match[0].split("\n").map(paint[kind]).join("\n");
  }
  return (out + code.slice(at)).split("\n");
}

export function isDiffLanguage(language: string | undefined): boolean {
  return /^(?:diff|patch|udiff)\b/i.test(language ?? "");
}

/** Lines of a unified diff, by their first characters. */
export function paintDiff(
  code: string,
  paint: Readonly<Record<"added" | "removed" | "dim", (text: string) => string>>,
): string[] {
  return code.split("\n").map((line) => {
    if (/^(?:diff |index |@@|\+\+\+ |--- )/.test(line)) return paint.dim(line);
    return line.startsWith("+") ? paint.added(line) : line.startsWith("-") ? paint.removed(line) : line;
  });
}

/** Nothing but a unified diff, as `git diff` and `diff -u` print it. */
export function isWholeDiff(text: string): boolean {
  const lines = text.trim().split("\n", 12);
  const isHeaded = /^(?:diff |Index: |--- )/.test(lines[0] ?? "");
  return isHeaded && lines.some((line, at) => line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) &&
    lines.some((line) => line.startsWith("@@ "));
}
