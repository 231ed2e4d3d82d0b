import assert from "node:assert/strict";
import { readResult } from "./result.ts";

Deno.test("parts come in order; what is no text is a note with its type and size", () => {
  const { text } = readResult({
    content: [
      { type: "text", text: "one" },
      { type: "image", mimeType: "image/png", data: "AAAA" },
      { type: "audio", mimeType: "audio/wav", data: "AAA=" },
      { type: "resource", resource: { uri: "file:///a", text: "inside" } },
      { type: "resource", resource: { uri: "file:///b", mimeType: "application/pdf", blob: "AAAA" } },
      { type: "resource_link", uri: "https://x.example", name: "x", mimeType: "text/html" },
      { type: "hologram", depth: 3 },
    ],
  });
  assert.deepEqual(text.split("\n\n"), [
    "one",
    "[image: image/png, 3 bytes]",
    "[audio: audio/wav, 2 bytes]",
    "inside",
    "[resource file:///b: application/pdf, 3 bytes]",
    'Resource link: {"uri":"https://x.example","name":"x","mimeType":"text/html"}',
    '{"depth":3,"type":"hologram"}',
  ]);
});

Deno.test("structured content is told once", () => {
  const structuredContent = { b: 1, a: [2] };
  assert.equal(
    readResult({ content: [{ type: "text", text: '{"a": [2], "b": 1}' }], structuredContent }).text,
    '{"a": [2], "b": 1}',
  );
  assert.equal(
    readResult({ content: [{ type: "text", text: "done" }], structuredContent }).text,
    'done\n\nStructured content:\n{\n  "b": 1,\n  "a": [\n    2\n  ]\n}',
  );
});

Deno.test("whatever a server answers can be read", () => {
  assert.deepEqual(
    [{}, { content: "no list" }, { content: [null, 7] }, { toolResult: { old: true } }, { isError: true }].map((one) =>
      readResult(one)
    ),
    [
      { text: "(no content)", failed: false },
      { text: "(no content)", failed: false },
      { text: "null\n\n7", failed: false },
      { text: '{"old":true}', failed: false },
      { text: "the tool failed and said nothing", failed: true },
    ],
  );
});
