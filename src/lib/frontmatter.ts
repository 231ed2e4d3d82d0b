/**
 * The head of a Markdown file: `key: value` lines between two `---`, as many tools write them. Reading takes whatever
 * people write and never fails; what is not known is kept line by line. Writing quotes whatever could be misread.
 */

export type HeadValue = string | readonly string[];

export interface Document {
  /** By key, in lower case; of a key that stands twice the last holds. */
  readonly head: ReadonlyMap<string, HeadValue>;
  /** The lines a key came from, for those nobody asks about. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
  /** What makes it no head for those who are strict: it never ends, or a line of it belongs to no key. */
  readonly problem?: string;
}

/** As one text, for those who want no list: `[FILE]` stays in its brackets. */
export function headText(value: HeadValue | undefined): string {
  return typeof value === "object" ? `[${value.join(", ")}]` : value ?? "";
}

/** `key:value` too, but no address. */
const KEY = /^([A-Za-z_][\w.-]*)[ \t]*:(?!\/\/)[ \t]*(.*)$/;

export function parseDocument(text: string): Document {
  const all = text.replace(/^\ufeff/, "").replace(/\r+\n/g, "\n").split("\n");
  const head = new Map<string, HeadValue>();
  const lines = new Map<string, readonly string[]>();
  const end = all[0]?.trimEnd() === "---"
    ? all.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
    : -1;
  if (end < 0) {
    const isOpen = all.length > 1 && all[0]!.trimEnd() === "---";
    const problem = isOpen ? { problem: 'its head is not closed: a line of "---" is missing' } : {};
    return { head, lines, body: all.join("\n"), ...problem };
  }
  let stray: number | undefined;
  for (let at = 1; at < end;) {
    const [, key, rest = ""] = KEY.exec(all[at]!.trimEnd()) ?? [];
    let next = at + 1;
    while (next < end && isContinuation(all[next]!)) next++;
    if (key !== undefined) {
      head.set(key.toLowerCase(), toValue(rest.trim(), all.slice(at + 1, next)));
      lines.set(key.toLowerCase(), all.slice(at, next));
    } else if (/^[^\s#]/.test(all[at]!)) stray ??= at + 1;
    at = next;
  }
  return {
    head,
    lines,
    body: all.slice(end + 1).join("\n").replace(/^\n+/, ""),
    ...(stray === undefined ? {} : { problem: `line ${stray} of its head is not "key: value"` }),
  };
}

/** Indented, or an item of a list. */
function isContinuation(line: string): boolean {
  return /^(?:[ \t]+\S|- )/.test(line);
}

function toValue(text: string, more: readonly string[]): HeadValue {
  if (text === "" && more.length > 0 && more.every((line) => /^\s*- /.test(line))) {
    return more.map((line) => toText(line.replace(/^\s*- /, "").trim()));
  }
  if (/^[|>][+-]?$/.test(text)) return more.map((line) => line.trim()).join(text.startsWith("|") ? "\n" : " ").trim();
  if (text.startsWith("[") && text.endsWith("]")) return splitList(text.slice(1, -1));
  return toText([text, ...more.map((line) => line.trim())].join(" ").trim());
}

function splitList(text: string): string[] {
  const items = text.match(/\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+)/g) ?? [];
  return items.map((item) => toText(item.trim())).filter((item) => item !== "");
}

function toText(text: string): string {
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) {
    try {
      return String(JSON.parse(text));
    } catch {
      return text.slice(1, -1);
    }
  }
  if (text.length >= 2 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return text;
}

/** `known` in order, undefined ones left out; then `unknown` lines as they are. */
export function toDocumentText(
  known: readonly (readonly [string, HeadValue | number | undefined])[],
  unknown: readonly string[],
  body: string,
): string {
  const lines = known.flatMap(([key, value]) => value === undefined ? [] : [`${key}: ${written(value)}`]);
  return ["---", ...lines, ...unknown, "---", "", body.trim(), ""].join("\n");
}

function written(value: HeadValue | number): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? quoted(value) : `[${value.map(quoted).join(", ")}]`;
}

/** Words that a YAML reader would not take for text are quoted, and so is all punctuation it has a use for. */
function quoted(text: string): string {
  const isPlain = /^[\p{L}\p{N}][\p{L}\p{N} ()/.+-]*$/u.test(text) && !text.endsWith(" ") &&
    !/^(?:true|false|null|yes|no|on|off|[\d.e+-]+)$/i.test(text);
  return isPlain ? text : JSON.stringify(text).replaceAll("\u0085", "\\u0085").replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
