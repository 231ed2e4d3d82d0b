import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message } from "../contract/message.ts";
import { encodeRecord, parseRecord, withoutFullText } from "./record.ts";

const roundTrip = (message: Message) => parseRecord(encodeRecord(message).slice(0, -1));

Deno.test("any message comes back from its line, unknown fields and broken surrogates included", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({
      unit: fc.constantFrom("\u2028", "\u2029", "\u0085", "\r", "\n", "\ud800", "\udc00", "\u0000", "é", "😀"),
    }),
  );
  const message = fc.record({
    role: fc.constantFrom("system", "user", "assistant", "tool"),
    content: text,
    raw_content: text,
    reasoning_content: text,
    name: text,
    tool_call_id: text,
    tool_calls: fc.array(fc.record({ id: text, name: text, arguments: text, diff: fc.jsonValue() })),
    createdAt: fc.nat(),
    from_another_version: fc.jsonValue(),
  }, { requiredKeys: ["role"] });
  fc.assert(fc.property(message, (value) => {
    // What JSON cannot tell apart, such as -0 and 0, is no difference here either.
    const stored = JSON.parse(JSON.stringify(value)) as Message;
    assert.deepEqual(roundTrip(stored), { kind: "message", message: stored });
    const line = encodeRecord(stored);
    assert.equal(line.indexOf(10), line.length - 1);
  }));
});

Deno.test("a record is one line for programs that break lines at other characters too", () => {
  const line = new TextDecoder().decode(
    encodeRecord({ role: "user", content: "a\u2028b\u2029c\u0085d\re\u000bf\u000cg\u001ch" }),
  );
  assert.equal(
    line,
    `{"role":"user","content":"a\\u2028b\\u2029c\\u0085d\\re\\u000bf\\fg\\u001ch"}\n`,
  );
});

Deno.test("the full text of a result stands last in its line and is not kept in memory", () => {
  const message: Message = {
    role: "tool",
    raw_content: "whole",
    content: "part",
    result_ref: "tr-1",
    tool_call_id: "c",
  };
  assert.equal(
    new TextDecoder().decode(encodeRecord(message)),
    `{"role":"tool","content":"part","result_ref":"tr-1","tool_call_id":"c","raw_content":"whole"}\n`,
  );
  assert.deepEqual(withoutFullText(message), {
    role: "tool",
    content: "part",
    result_ref: "tr-1",
    tool_call_id: "c",
  });
  const typed: Message = { role: "user", content: "block and text", raw_content: "text" };
  assert.equal(withoutFullText(typed), typed);
});

Deno.test("null stands for absent, as other programs write it", () => {
  assert.deepEqual(parseRecord(new TextEncoder().encode(`{"role":"assistant","content":null,"tool_calls":null}`)), {
    kind: "message",
    message: { role: "assistant" },
  });
});

Deno.test("sound JSON of another shape is told from damage", () => {
  const kinds = (text: string) => parseRecord(new TextEncoder().encode(text)).kind;
  const texts = [
    `{"role":"user","content":"x"}\r`,
    `{"role":"narrator"}`,
    `{"role":"user","content":[{"type":"text"}]}`,
    `{"role":"assistant","tool_calls":[{"id":1}]}`,
    `{"type":"header","version":7}`,
    `{"role":"user","content":"x"`,
    `{"role":"user","content":"x"}{"role":"user"}`,
    `[]`,
    `null`,
    `\u0000\u0000`,
    ``,
  ];
  assert.deepEqual(texts.map(kinds), [
    "message",
    "foreign",
    "foreign",
    "foreign",
    "foreign",
    "damaged",
    "damaged",
    "damaged",
    "damaged",
    "damaged",
    "damaged",
  ]);
});

Deno.test("bytes that are no UTF-8 are damage, never replaced in silence", () => {
  const line = encodeRecord({ role: "user", content: "né" });
  line[line.indexOf(0xc3)] = 0xff;
  assert.deepEqual(parseRecord(line.slice(0, -1)), { kind: "damaged" });
});
