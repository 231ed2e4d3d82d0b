/** Lines of a text that a pattern matches, numbered and shortened for a reply. */
import { showPath } from "../../lib/shown_path.ts";

/** A shown line. Characters; around the match, which is what the reader wants to see of a minified file. */
const SHOWN = 400;
const BEFORE_MATCH = 100;

/** What RE2 offers here. */
export interface LinePattern {
  test(line: string): boolean;
  /** Start of the first match, in code units. */
  find(line: string): number;
  /** Text every match holds, where the pattern is nothing but text. */
  readonly literal?: string;
}

/** `syntax error` is thrown as it comes from RE2: a `SyntaxError` of its own kind with a message for people. */
export async function loadPattern(source: string): Promise<LinePattern> {
  const { RE2JS } = await import("re2js");
  const pattern = RE2JS.compile(source);
  return {
    test: (line) => pattern.test(line),
    find: (line) => {
      const matcher = pattern.matcher(line);
      return matcher.find() ? matcher.start() : 0;
    },
    ...(/^[^\\.+*?()|[\]{}^$]+$/.test(source) ? { literal: source } : {}),
  };
}

/** At most `limit` lines as `path:line:text`. `over` is asked now and then; true ends the search. */
export function* matchingLines(path: string, text: string, pattern: LinePattern): Generator<string | undefined> {
  if (pattern.literal !== undefined && !text.includes(pattern.literal)) return;
  const name = showPath(path);
  let number = 0;
  for (let start = 0; start < text.length;) {
    number++;
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    const line = text.slice(start, text[end - 1] === "\r" && end > start ? end - 1 : end);
    if (pattern.test(line)) yield `${name}:${number}:${shortened(line, pattern)}`;
    // Gives the caller a moment to look at the clock.
    else if (number % 4096 === 0 || line.length > 65_536) yield undefined;
    start = end + 1;
  }
}

function shortened(line: string, pattern: LinePattern): string {
  if (line.length <= SHOWN) return line;
  const start = whole(line, Math.max(0, Math.min(pattern.find(line) - BEFORE_MATCH, line.length - SHOWN)));
  const end = whole(line, start + SHOWN);
  return `${start > 0 ? "…" : ""}${line.slice(start, end)}${
    end < line.length ? "…" : ""
  } [line of ${line.length} characters]`;
}

/** A place that does not split a character. */
function whole(line: string, at: number): number {
  const unit = line.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at - 1 : at;
}
