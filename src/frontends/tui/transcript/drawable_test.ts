import assert from "node:assert/strict";
import { createTheme } from "../theme.ts";
import { isDrawable } from "./drawable.ts";
import { renderMarkdown, StreamedAnswer } from "./streamed_answer.ts";

Deno.test("what people and models write is drawn", () => {
  const prose = "A sentence of the usual length, with `code`, *stress* and [links](https://a.example). ".repeat(100);
  const code = `\`\`\`json\n${"x".repeat(500_000)}\n\`\`\`\n`;
  const list = "- an item of a long list without a blank line\n".repeat(2_000);
  const table = `| a | b |\n|---|---|\n${"| cell | cell |\n".repeat(3_000)}`;
  const nested = Array.from({ length: 20 }, (_, level) => `${"  ".repeat(level)}- level ${level}\n`).join("");
  for (
    const text of [
      prose,
      code,
      list,
      table,
      nested,
      "> > > quoted\n\n- - 1. [ ] x",
      `${prose}\n\n${code}${list}${table}`,
    ]
  ) {
    assert.ok(isDrawable(text), text.slice(0, 40));
  }
});

Deno.test("what is made to cost time is not", () => {
  const texts = [
    ">".repeat(3_000),
    "> - ".repeat(2_000),
    "1. ".repeat(40),
    "*a".repeat(10_000),
    "line\n[a](".repeat(5_000),
    "- " + "_".repeat(20_000),
  ];
  for (const text of texts) assert.equal(isDrawable(`Fine.\n\n${text}`), false, text.slice(0, 10));
});

Deno.test("no text, whole or in pieces, is more than the screen can bear", () => {
  const { markdown } = createTheme("none");
  // Level by level, so that no line of it tells.
  const deep = Array.from({ length: 1_500 }, (_, level) => `${" ".repeat(2 * level)}- ${level}`).join("\n");
  for (const text of [">".repeat(5_000), deep]) {
    assert.ok(renderMarkdown(text, 80, markdown).length > 50);
    const answer = new StreamedAnswer(markdown, () => 0);
    answer.update(text);
    assert.ok(answer.rest(80).length > 0);
    answer.finish(text);
    assert.ok(answer.take(80).length > 0);
  }
});
