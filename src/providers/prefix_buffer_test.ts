import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message } from "../contract/message.ts";
import { createListBuffer } from "./prefix_buffer.ts";

const decoder = new TextDecoder();

Deno.test("a body is head, messages with commas between, and tail, whatever was built before", () => {
  const message = fc.record({
    role: fc.constant("user" as const),
    content: fc.string({ unit: "grapheme", maxLength: 40 }),
  });
  const pool = fc.array(message, { minLength: 1, maxLength: 8 });
  const builds = fc.array(fc.array(fc.nat(), { maxLength: 8 }), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(pool, builds, (messages, picks) => {
    const buffer = createListBuffer((one) => one.content === "" ? "" : JSON.stringify(one));
    for (const pick of picks) {
      const list = pick.map((at) => messages[at % messages.length]!);
      const kept = list.filter((one) => one.content !== "");
      assert.equal(decoder.decode(buffer.build("[", list, () => "]")), JSON.stringify(kept));
    }
  }));
});

Deno.test("a message is encoded once while the conversation grows", () => {
  const encoded: string[] = [];
  const buffer = createListBuffer((one) => {
    encoded.push(one.content!);
    return JSON.stringify(one);
  });
  const messages: Message[] = [];
  for (let at = 0; at < 50; at++) {
    messages.push({ role: "user", content: `${at} ` + "x".repeat(2000) });
    buffer.build("{", [...messages], () => "}");
  }
  assert.equal(encoded.length, 50);
});

Deno.test("a body that was handed out does not change when the next one is built", () => {
  const buffer = createListBuffer((one) => JSON.stringify(one));
  const first: Message = { role: "user", content: "a" };
  const body = buffer.build("[", [first], () => "]");
  const before = decoder.decode(body);
  buffer.build("[", [first, { role: "user", content: "b" }], () => "]");
  buffer.build("[", [{ role: "user", content: "c" }], () => "]");
  assert.equal(decoder.decode(body), before);
});
