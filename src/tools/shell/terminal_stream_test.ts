import assert from "node:assert/strict";
import fc from "fast-check";
import { TerminalStream } from "./terminal_stream.ts";

function plain(...pieces: string[]): string {
  const terminal = new TerminalStream();
  return pieces.map((piece) => terminal.write(piece)).join("") + terminal.end();
}

Deno.test("escape sequences are taken out and progress shows its last state", () => {
  const given = "A\x1b[2J\x1b]0;t\x07\x1b]52;c;aGk=\x07\x1b[31mB\x1b[0m\r50%\r100%\n";
  assert.equal(plain(given), "AB\n100%\n");
});

Deno.test("what a terminal would show is what is left", () => {
  const cases: Record<string, string> = {
    "plain\ntext\n": "plain\ntext\n",
    "no end": "no end",
    "dos\r\nlines\r\n": "dos\nlines\n",
    "odd\r\r\n": "odd\n",
    " 10% [##  ]\r 90% [####]\r100% [####]\ndone\n": "100% [####]\ndone\n",
    "fetching\rfetched\n": "fetching\nfetched\n",
    "busy |\b/\b-\b\\\b done\n": "busy  done\n",
    "gone\x1b[2K\x1b[1Ghere\n": "gone\nhere\n",
    "kept\r\x1b[K\n": "kept\n",
    "link \x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\\n": "link text\n",
    "\x1bPsixel\x1b\\\x1b(B\x1b=x\n": "x\n",
    "c1 \x9b31mred\x9d0;title\x9c\n": "c1 red\n",
    "\x1b]0;never ends\nnext\n": "0;never ends\nnext\n",
    "tab\tand\0nul\n": "tab\tand\0nul\n",
    "\x1b": "",
    "中文\r英文\n": "中文\n英文\n",
  };
  for (const [given, expected] of Object.entries(cases)) assert.equal(plain(given), expected, JSON.stringify(given));
});

Deno.test("a line that grows without end is passed on in pieces", () => {
  const terminal = new TerminalStream();
  let text = "";
  for (let i = 0; i < 100; i++) text += terminal.write("x".repeat(10_000));
  assert.ok(text.length > 900_000);
  assert.equal(text + terminal.end(), "x".repeat(1_000_000));
});

Deno.test("where the stream is cut makes no difference, and no escape byte gets through", () => {
  const part = fc.constantFrom(
    "a",
    "\n",
    "\r",
    "\b",
    "\x1b",
    "[",
    "]",
    "0;",
    "\x07",
    "m",
    "G",
    "\\",
    "50%",
    "\x9b",
    "é",
    " ",
  );
  fc.assert(fc.property(fc.array(part, { maxLength: 40 }), fc.nat(), fc.nat(), (parts, first, second) => {
    const text = parts.join("");
    const [a, b] = [first % (text.length + 1), second % (text.length + 1)].sort((x, y) => x - y) as [number, number];
    const whole = plain(text);
    assert.equal(plain(text.slice(0, a), text.slice(a, b), text.slice(b)), whole);
    assert.doesNotMatch(whole, /[\x1b\r\b\x80-\x9f]/);
  }));
});
