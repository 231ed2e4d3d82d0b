/** Why `old_string` was not found: the nearest real lines, and the first thing that differs, named. */
import { foldCharacters, trimBlanks } from "./fold.ts";

const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 300;
/** Enough of a huge `old_string` to find its place, of a huge file to look in, and of a long line to compare. */
const COMPARED_LINES = 200;
const SEARCHED_LINES = 200_000;
const COMPARED_CHARACTERS = 4000;

export function describeMiss(text: string, old: string): string {
  const opening = "old_string was not found in the file; nothing was changed.";
  if (text === "") return `${opening} The file is empty.`;
  const lines = linesOf(text).slice(0, SEARCHED_LINES);
  const wanted = linesOf(old).slice(0, COMPARED_LINES);
  const start = nearestStart(lines, wanted);
  if (start === undefined) return `${opening} No line resembles it: read the file again.`;
  const difference = firstDifference(lines, wanted, { start, ended: old.endsWith("\n") });
  const end = Math.min(lines.length, start + Math.min(wanted.length, SHOWN_LINES));
  const shown = lines.slice(start, end).map((line, i) => `${start + i + 1}→${cut(line.replace(/\r$/, ""))}`);
  return [
    opening,
    ...(difference === undefined ? [] : [difference]),
    "The nearest lines are below; read the file again if they are not the ones you mean.",
    ...shown,
  ].join("\n");
}

/** Without the nothing after a final line end. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** Index of the file's line that best stands for the first of `wanted`. */
function nearestStart(lines: readonly string[], wanted: readonly string[]): number | undefined {
  return byEqualLines(lines, wanted) ?? byWords(lines, wanted);
}

/** Every line that is equal but for blanks votes for where the block would start. */
function byEqualLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [i, line] of wanted.entries()) {
    const key = essence(line);
    if (key.length < 2) continue;
    const list = places.get(key);
    if (list === undefined) places.set(key, [i]);
    else list.push(i);
  }
  const votes = new Map<number, number>();
  for (let i = 0; i < lines.length; i++) {
    for (const place of places.get(essence(lines[i]!)) ?? []) {
      votes.set(i - place, (votes.get(i - place) ?? 0) + 1);
    }
  }
  let best: number | undefined;
  let most = 0;
  for (const [start, count] of votes) {
    if (count > most) [best, most] = [start, count];
  }
  return best === undefined ? undefined : Math.max(0, best);
}

/** No line is equal: the longest line of `wanted` and the line that shares most words with it. */
function byWords(lines: readonly string[], wanted: readonly string[]): number | undefined {
  let longest = 0;
  for (let i = 1; i < wanted.length; i++) if (wanted[i]!.length > wanted[longest]!.length) longest = i;
  const words = new Set(wordsOf(wanted[longest]!));
  if (words.size === 0) return undefined;
  let best: number | undefined;
  let highest = 0.3;
  for (let i = 0; i < lines.length; i++) {
    const here = wordsOf(lines[i]!);
    if (here.length === 0) continue;
    const shared = new Set(here.filter((word) => words.has(word))).size;
    const score = 2 * shared / (words.size + new Set(here).size);
    if (score > highest) [best, highest] = [i, score];
  }
  return best === undefined ? undefined : Math.max(0, best - longest);
}

function firstDifference(
  lines: readonly string[],
  wanted: readonly string[],
  at: { readonly start: number; readonly ended: boolean },
): string | undefined {
  for (const [i, line] of wanted.entries()) {
    const real = lines[at.start + i];
    if (real === undefined) return "The file ends before old_string does: it has no further line there.";
    if (agrees(real, line, { first: i === 0, last: i === wanted.length - 1 && !at.ended })) continue;
    return `Line ${at.start + i + 1} differs ${nameDifference(real.replace(/\r$/, ""), line.replace(/\r$/, ""))}`;
  }
  return at.ended && at.start + wanted.length === lines.length
    ? "The file has no line end after its last line."
    : undefined;
}

/** The first line of a search may begin, the last may end, inside a line of the file. */
function agrees(real: string, line: string, at: { readonly first: boolean; readonly last: boolean }): boolean {
  const a = trimBlanks(foldCharacters(real.replace(/\r$/, "")));
  const b = trimBlanks(foldCharacters(line.replace(/\r$/, "")));
  if (at.first && at.last) return a.includes(b);
  return at.first ? a.endsWith(b) : at.last ? a.startsWith(b) : a === b;
}

function nameDifference(real: string, line: string): string {
  if (real.trimStart() === line.trimStart()) {
    return `in its indentation: the file has ${blanks(real)}, old_string has ${blanks(line)}.`;
  }
  if (essence(real) === essence(line)) return "in its blanks inside the line.";
  if (foldCharacters(real).trim() === foldCharacters(line).trim()) {
    return "in its quotes, dashes or indentation.";
  }
  if (real.toLowerCase().trim() === line.toLowerCase().trim()) return "in upper and lower case.";
  const [a, b] = differingMiddle(real.trim(), line.trim());
  return `here: the file has ${quote(a)}, old_string has ${quote(b)}.`;
}

function blanks(line: string): string {
  const indent = /^[^\S\n]*/.exec(line)![0];
  if (indent === "") return "none";
  const tabs = indent.split("\t").length - 1;
  const spaces = indent.split(" ").length - 1;
  const parts = [];
  if (tabs > 0) parts.push(tabs === 1 ? "1 tab" : `${tabs} tabs`);
  if (spaces > 0) parts.push(spaces === 1 ? "1 space" : `${spaces} spaces`);
  if (tabs + spaces < indent.length) parts.push("other blank characters");
  return parts.join(" and ");
}

/** What is left of two lines without their common start and end, cut at word borders. */
function differingMiddle(a: string, b: string): [string, string] {
  const left = a.slice(0, COMPARED_CHARACTERS).match(/[\p{L}\p{N}_]+|./gsu) ?? [];
  const right = b.slice(0, COMPARED_CHARACTERS).match(/[\p{L}\p{N}_]+|./gsu) ?? [];
  let start = 0;
  while (start < Math.min(left.length, right.length) && left[start] === right[start]) start++;
  let tail = 0;
  const rest = Math.min(left.length, right.length) - start;
  while (tail < rest && left.at(-1 - tail) === right.at(-1 - tail)) tail++;
  return [left.slice(start, left.length - tail).join(""), right.slice(start, right.length - tail).join("")];
}

function quote(text: string): string {
  return text === "" ? "nothing" : `\`${cut(text)}\``;
}

function essence(line: string): string {
  return foldCharacters(line).replace(/\s+/g, "");
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function cut(text: string): string {
  return text.length > SHOWN_CHARACTERS ? text.slice(0, SHOWN_CHARACTERS) + "…" : text;
}
