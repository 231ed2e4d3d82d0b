/** What a replacement did, in whole lines, short enough to repeat to the model. */
const MAX_LINES = 24;
const MAX_CHARACTERS = 400;

export interface Replaced {
  readonly before: string;
  readonly after: string;
  /** The first match in `before`. */
  readonly at: { readonly start: number; readonly end: number };
  /** How long its replacement is in `after`. */
  readonly length: number;
}

export function receipt(
  replaced: Replaced,
  count: { readonly index: number; readonly total: number; readonly occurrences: number },
): string {
  const { before, after, at } = replaced;
  const removed = wholeLines(before, at.start, at.end);
  const added = wholeLines(after, at.start, at.start + replaced.length);
  let lead = 0;
  while (lead < Math.min(removed.length, added.length) && removed[lead] === added[lead]) lead++;
  let tail = 0;
  while (
    tail < Math.min(removed.length, added.length) - lead && removed.at(-1 - tail) === added.at(-1 - tail)
  ) tail++;
  const times = count.occurrences === 1 ? "1 occurrence" : `${count.occurrences} occurrences`;
  return [
    `@@ replacement ${count.index} of ${count.total} (${times}) @@`,
    ...signed("-", removed.slice(lead, removed.length - tail)),
    ...signed("+", added.slice(lead, added.length - tail)),
  ].join("\n");
}

/** From 1. */
export function lineNumber(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

function wholeLines(text: string, start: number, end: number): string[] {
  const from = start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1;
  // What ends with its own line end does not touch the next line.
  const ended = end > from && text[end - 1] === "\n";
  const to = ended ? end - 1 : text.indexOf("\n", end);
  if (end === from && start === end && from === text.length) return [];
  return text.slice(from, to < 0 ? text.length : to).split("\n").map((line) => line.replace(/\r$/, ""));
}

function signed(sign: string, lines: readonly string[]): string[] {
  const out = lines.slice(0, MAX_LINES).map((line) =>
    sign + (line.length > MAX_CHARACTERS ? line.slice(0, MAX_CHARACTERS) + "…" : line)
  );
  if (lines.length > MAX_LINES) out.push(`${sign}… ${lines.length - MAX_LINES} more lines`);
  return out;
}
