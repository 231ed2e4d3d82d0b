/**
 * `MEMORY.md`, the table of contents of a store. The files are the truth; the list in here follows them. Whatever people
 * write around the list stays where it is.
 */
import { toLine } from "../lib/terminal_text.ts";
import type { Fact } from "./fact.ts";

export const INDEX_NAME = "MEMORY.md";

/** A line as `entryOf` writes it; no other line is touched. */
const ENTRY = /^- \[(?:[^\]\\]|\\.)*\]\(<?([^()<>]+)\.md>?\) — \[(?:project|global)\/[a-z]+(?: pinned)?\] /;

/** The index with one line for each of `facts`: kept in the order it had, new ones behind the last. */
export function updateIndex(text: string, facts: readonly Fact[]): string {
  const missing = new Map(facts.map((fact) => [fact.name, fact]));
  const lines: string[] = [];
  let end: number | undefined;
  for (const line of text.replace(/\n+$/, "").split("\n")) {
    const name = ENTRY.exec(line)?.[1];
    if (name === undefined) {
      lines.push(line);
      continue;
    }
    const fact = missing.get(name);
    if (fact !== undefined) lines.push(entryOf(fact));
    missing.delete(name);
    end = lines.length;
  }
  if (text.trim() === "") lines.splice(0, lines.length, "# Memory", "");
  const fresh = [...missing.values()].map(entryOf);
  if (end === undefined && fresh.length > 0 && lines.at(-1)?.trim() !== "") lines.push("");
  lines.splice(end ?? lines.length, 0, ...fresh);
  return lines.join("\n") + "\n";
}

function entryOf({ title, name, scope, type, activation, description }: Fact): string {
  const label = toLine(title).replace(/[\\[\]]/g, "\\$&");
  const mark = activation === "pinned" ? " pinned" : "";
  const target = /[\s()]/.test(name) ? `<${name}.md>` : `${name}.md`;
  return `- [${label}](${target}) — [${scope}/${type}${mark}] ${toLine(description)}`;
}
