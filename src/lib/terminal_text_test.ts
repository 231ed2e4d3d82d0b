import assert from "node:assert/strict";
import { showControls, toJsonLine, toLine, toTerminal } from "./terminal_text.ts";

Deno.test("control bytes become symbols; tab and line ends stay", () => {
  assert.equal(showControls("A\u001b[2J\u0007\u007f\u009b\t\r\nB"), "A\u241b[2J\u2407\u2421\ufffd\t\r\nB");
});

Deno.test("a lone carriage return cannot overwrite a line of the terminal", () => {
  assert.equal(toTerminal("50%\r100%\r\n"), "50%\u240d100%\n");
});

Deno.test("toLine() folds white space and cuts", () => {
  assert.equal(toLine(" a\n\t b "), "a b");
  assert.equal(toLine("abcdef", 4), "abc…");
});

Deno.test("text that would be shown in another order than it stands shows its direction marks", () => {
  assert.equal(toTerminal("rm \u202eelif\u202c x\u2028y"), "rm \u27e8U+202E\u27e9elif\u27e8U+202C\u27e9 x\ny");
  assert.equal(toLine("a\u2066b"), "a\u27e8U+2066\u27e9b");
});

Deno.test("what is not seen at all is shown by its code point; joiners, which letters and emoji need, stay", () => {
  assert.equal(
    toTerminal("a\u200bb\u00ad\u3164\ufeff\u2060\u{e0041}"),
    "a⟨U+200B⟩b⟨U+00AD⟩⟨U+3164⟩⟨U+FEFF⟩⟨U+2060⟩⟨U+E0041⟩",
  );
  for (const text of ["👩\u200d💻 \u2764\ufe0f", "می\u200cخواهم", "𐀀"]) assert.equal(toTerminal(text), text);
});

Deno.test("a line of JSON holds nothing that a terminal obeys, and still the same value", () => {
  const value = { text: "\u001b[2J\u009b31m\u202e\u2028\u007f\u200b\u{e0041}\ud800 é" };
  const line = toJsonLine(value);
  assert.deepEqual(JSON.parse(line), value);
  assert.match(line, /^[\x20-\x7eé]+$/);
});
