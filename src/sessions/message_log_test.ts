import assert from "node:assert/strict";
import type { Message } from "../contract/message.ts";
import { MessageLog } from "./message_log.ts";
import { encodeRecord } from "./record.ts";
import { toPreview } from "./preview.ts";

/** A log over bytes in memory that counts what is read back. */
function logOver(residentBytes: number) {
  let file = new Uint8Array(0);
  let reads = 0;
  const log = new MessageLog({
    residentBytes,
    readSpan: ({ offset, length }) => {
      reads++;
      return file.slice(offset, offset + length);
    },
    unreadable: (cause) => new Error("unreadable", { cause }),
  });
  return {
    log,
    reads: () => reads,
    add(message: Message) {
      const line = encodeRecord(message);
      const offset = file.length;
      const longer = new Uint8Array(offset + line.length);
      longer.set(file);
      longer.set(line, offset);
      file = longer;
      log.add({ ...message }, { offset, length: line.length });
    },
    spoil: () => file.fill(32),
  };
}

const long = (n: number): Message => ({
  role: "assistant",
  content: `${n} ` + "x".repeat(1000),
  tool_calls: [{ id: `c${n}`, name: "write_file", arguments: JSON.stringify({ text: "y".repeat(1000) }) }],
  extra: ["short"],
} as Message);

Deno.test("old entries give way to the file and keep their identity and every value", () => {
  const { log, add, reads } = logOver(10_000);
  const all = Array.from({ length: 20 }, (_, n) => long(n));
  const entries: Message[] = [];
  for (const message of all) {
    add(message);
    entries.push(log.messages.at(-1)!);
  }
  assert.equal(reads(), 0);
  log.messages.forEach((message, n) => assert.equal(message, entries[n]));
  assert.equal(Object.getOwnPropertyDescriptor(entries[19], "content")?.get, undefined, "the newest is at hand");
  assert.notEqual(Object.getOwnPropertyDescriptor(entries[0], "content")?.get, undefined, "the oldest is not");
  assert.equal(Object.getOwnPropertyDescriptor(entries[0], "extra")?.get, undefined, "short values stay");
  assert.deepEqual(log.messages.map((message) => ({ ...message })), all);
  assert.equal(JSON.stringify(log.messages), JSON.stringify(all));
  assert.ok(reads() < 40, "one reading serves all fields of a message");
});

Deno.test("one entry is always at hand, however large", () => {
  const { log, add, reads } = logOver(10);
  add(long(0));
  add(long(1));
  assert.deepEqual(log.messages.at(-1), long(1));
  assert.equal(reads(), 0);
});

Deno.test("an old text that cannot be read back is an error, not another text", async () => {
  const { log, add, spoil } = logOver(10);
  add({ role: "tool", tool_call_id: "a", result_ref: "tr-1", content: "part", raw_content: "whole" });
  add(long(1));
  add(long(2));
  spoil();
  assert.throws(() => log.messages[1]!.content, /unreadable/);
  await assert.rejects(log.results.read("a", "tr-1"), /unreadable/);
});

Deno.test("a preview is one short line without control characters", () => {
  assert.equal(toPreview("  Fix\n\tthe \u001b[31mbuild\u2028now\u202e \ud800 "), "Fix the [31mbuild now");
  const cut = toPreview("🚀".repeat(200));
  assert.equal(cut, "🚀".repeat(119) + "…");
  assert.equal(toPreview("x".repeat(120)), "x".repeat(120));
});
