/** A Markdown page taken apart at its headings, and the part of a long section that answers some words. Pure. */
import { append } from "./append.ts";
import { toTerms } from "./search_terms.ts";

export interface MarkdownSection {
  /** From the page's title down to this section's own heading, without marks. */
  readonly path: readonly string[];
  /** What stands below the heading, up to the next one: each paragraph and list item one line. Trimmed. */
  readonly text: string;
}

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const FENCE = /^\s*(?:```|~~~)/;

/** Sections without a word of their own are left out; their headings stay in the paths of those below. */
export function markdownSections(page: string): readonly MarkdownSection[] {
  const sections: MarkdownSection[] = [];
  const path: string[] = [];
  let lines: string[] = [];
  let fenced = false;
  const close = () => {
    const text = unwrapped(lines).trim();
    if (text !== "") sections.push({ path: path.filter((part) => part !== undefined), text });
    lines = [];
  };
  for (const line of page.split(/\r?\n/)) {
    if (FENCE.test(line)) fenced = !fenced;
    const [, marks, title] = fenced ? [] : HEADING.exec(line) ?? [];
    if (marks === undefined || title === undefined) {
      lines.push(line);
      continue;
    }
    close();
    path.length = Math.min(path.length, marks.length - 1);
    path[marks.length - 1] = title.replace(/[`*]/g, "");
  }
  close();
  return sections;
}

/** Where the source was wrapped means nothing to a screen of another width. Fences, tables and headings stay. */
function unwrapped(lines: readonly string[]): string {
  const out: string[] = [];
  let fenced = false;
  for (const line of lines) {
    const isMark = FENCE.test(line);
    const before = out.at(-1) ?? "";
    const goesOn = !fenced && !isMark && line.trim() !== "" && before.trim() !== "" && !FENCE.test(before) &&
      !/^\s*(?:[-*+]\s|\d+[.)]\s|[|>#])/.test(line) && !/^\s*[|#]/.test(before);
    if (goesOn) out[out.length - 1] = `${before.trimEnd()} ${line.trim()}`;
    else out.push(line);
    if (isMark) fenced = !fenced;
  }
  return out.join("\n");
}

/**
 * A section at most about `limit` characters long: whole, or of its paragraphs and table rows those that weigh most, in
 * their order. `weigh`: what a term tells, 0 for one that was not asked for.
 */
export function excerptOf({ text }: MarkdownSection, weigh: (term: string) => number, limit: number): string {
  if (text.length <= limit) return text;
  const blocks = blocksOf(text).map((block, at) => ({ ...block, at, weight: weightOf(block.text, weigh) }));
  const best = blocks.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight || a.at - b.at);
  const chosen: typeof blocks = [];
  let length = 0;
  for (const block of best) {
    length += block.text.length;
    if (length > limit && chosen.length > 0) break;
    chosen.push(block);
  }
  if (chosen.length === 0) return `${text.slice(0, limit).trimEnd()} …`;
  return joined(chosen.sort((a, b) => a.at - b.at));
}

function weightOf(text: string, weigh: (term: string) => number): number {
  return [...new Set(toTerms(text))].reduce((sum, term) => sum + weigh(term), 0);
}

interface Block {
  readonly text: string;
  /** Of a table's row: the table's first two lines. */
  readonly head?: string;
}

/** Paragraphs, lists and fences whole; of tables each row by itself. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let fenced = false;
  const close = () => {
    const rows = lines.filter((line) => line.startsWith("|"));
    if (rows.length === lines.length && rows.length > 2) {
      const head = rows.slice(0, 2).join("\n");
      append(blocks, rows.slice(2).map((row) => ({ text: row, head })));
    } else if (lines.length > 0) blocks.push({ text: lines.join("\n") });
    lines = [];
  };
  for (const line of text.split("\n")) {
    if (FENCE.test(line)) fenced = !fenced;
    if (line.trim() === "" && !fenced) close();
    else lines.push(line);
  }
  close();
  return blocks;
}

/** Rows of one table stay together, below its head. */
function joined(blocks: readonly Block[]): string {
  let text = "";
  let head: string | undefined;
  for (const block of blocks) {
    const begins = block.head !== undefined && block.head !== head;
    text += text === "" ? "" : block.head !== undefined && !begins ? "\n" : "\n\n";
    text += begins ? `${block.head}\n${block.text}` : block.text;
    head = block.head;
  }
  return text;
}
