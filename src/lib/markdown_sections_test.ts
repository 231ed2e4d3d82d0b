import assert from "node:assert/strict";
import { excerptOf, markdownSections } from "./markdown_sections.ts";

const PAGE = `# Guide

How it works.

## Set up: \`reasonix setup\`

Words.

\`\`\`sh
# no heading
\`\`\`

## Empty

### Below

More words.
`;

Deno.test("a page is taken apart at its headings, and a comment in a fence is none", () => {
  assert.deepEqual(markdownSections(PAGE), [
    { path: ["Guide"], text: "How it works." },
    { path: ["Guide", "Set up: reasonix setup"], text: "Words.\n\n```sh\n# no heading\n```" },
    { path: ["Guide", "Empty", "Below"], text: "More words." },
  ]);
});

Deno.test("of a long section the paragraphs and rows that have a word of the question are shown", () => {
  const filler = "Nothing of that here. ".repeat(20).trim();
  const rows = Array.from({ length: 40 }, (_, at) => `| \`key_${at}\` | meaning ${at} |`).join("\n");
  const text = `${filler}\n\nThe proxy is meant.\n\n| Key | Means |\n| --- | --- |\n${rows}`;
  const section = { path: ["Config"], text };
  const terms = (...words: string[]) => (term: string) => words.includes(term) ? 1 : 0;
  assert.equal(
    excerptOf(section, terms("proxy", "key_7"), 400),
    "The proxy is meant.\n\n| Key | Means |\n| --- | --- |\n| `key_7` | meaning 7 |",
  );
  assert.equal(excerptOf(section, terms("absent"), 30), `${filler.slice(0, 30).trimEnd()} …`);
  assert.equal(excerptOf({ path: [], text: "short" }, terms("absent"), 30), "short");
});

Deno.test("lines that the source only wrapped are one, and code, tables and items keep theirs", () => {
  const page = "# T\n\nA paragraph\nover two lines.\n\n- an item\n  that goes on\n- another\n\n1. first\n   too\n\n" +
    "    indented code\n\n```sh\na\nb\n```\nbehind it\n\n| a |\n| - |\n| b |\n";
  assert.equal(
    markdownSections(page)[0]!.text,
    "A paragraph over two lines.\n\n- an item that goes on\n- another\n\n1. first too\n\n    indented code\n\n" +
      "```sh\na\nb\n```\nbehind it\n\n| a |\n| - |\n| b |",
  );
});
