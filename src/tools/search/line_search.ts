/** Lines of a text that a pattern matches, numbered and shortened for a reply. */
import { showPath } from "../../lib/shown_path.ts";
import type { LinePattern } from "../line_pattern.ts";

/** A shown line. Characters; around the match, which is what the reader wants to see of a minified file. */
const SHOWN = 400;
const BEFORE_MATCH = 100;

/** The matching lines as `path:line:text`; now and then nothing, which lets the caller look at the clock. */
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
