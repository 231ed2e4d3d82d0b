import assert from "node:assert/strict";
import fc from "fast-check";
import { createThinkSplitter } from "./think_tags.ts";

function split(pieces: Iterable<string>): { text: string; reasoning: string } {
  const said = { text: "", reasoning: "" };
  const splitter = createThinkSplitter({
    text: (part) => said.text += part,
    reasoning: (part) => said.reasoning += part,
    wasThinking() {
      said.reasoning = said.text;
      said.text = "";
    },
  });
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return said;
}

for (
  const [whole, text, reasoning] of [
    ["plain", "plain", ""],
    ["<think>why</think>\n\nanswer", "answer", "why"],
    ["a<think>b</think>c", "ac", "b"],
    ["<think>one</think>x<think>two</think>y", "xy", "onetwo"],
    ["<think>never closed", "", "never closed"],
    ["a < b and <b> and <thin", "a < b and <b> and <thin", ""],
    ["write `<think>` first", "write `<think>` first", ""],
    ["the server opened\n</think>\n\nanswer", "answer", "the server opened\n"],
    ["about `</think>` tags", "about `</think>` tags", ""],
    ["<think>a</think>b</think>", "b</think>", "a"],
    ["<think>a < b </thin k></think>z", "z", "a < b </thin k>"],
  ] as const
) {
  Deno.test(`thinking is told from text wherever it is cut: ${whole}`, () => {
    assert.deepEqual(split([whole]), { text, reasoning });
    assert.deepEqual(split(whole), { text, reasoning });
    for (let at = 1; at < whole.length; at++) {
      assert.deepEqual(split([whole.slice(0, at), whole.slice(at)]), { text, reasoning }, `cut at ${at}`);
    }
  });
}

Deno.test("no character is lost, however text and tags are mixed and cut", () => {
  const part = fc.constantFrom("<think>", "</think>", "<", "think>", "x", "`", " ", "/", "</");
  fc.assert(fc.property(fc.array(part), fc.array(fc.nat(), { maxLength: 10 }), (parts, places) => {
    const whole = parts.join("");
    const cuts = places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b);
    const pieces = [...cuts, whole.length].map((cut, at) => whole.slice(at === 0 ? 0 : cuts[at - 1], cut));
    assert.deepEqual(split(pieces), split([whole]));
  }));
});
