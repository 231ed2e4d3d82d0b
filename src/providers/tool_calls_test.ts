import assert from "node:assert/strict";
import fc from "fast-check";
import type { Chunk } from "../contract/provider.ts";
import { type CallPiece, createCallAssembler } from "./tool_calls.ts";

function assemble(pieces: readonly CallPiece[], taken: readonly string[] = []) {
  const out: Chunk[] = [];
  const assembler = createCallAssembler({ isTaken: (id) => taken.includes(id), random: () => 0 });
  for (const piece of pieces) assembler.add(piece, out);
  return { calls: assembler.finish(out), out };
}

// proves PRV-14
Deno.test("pieces of several calls join by index however they are mixed", () => {
  const args = fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(fc.array(args, { minLength: 1, maxLength: 4 }), fc.array(fc.nat()), (calls, order) => {
    const queues = calls.map((parts, index) => [
      { index, id: `id${index}`, name: `tool${index}` },
      ...parts.map((part) => ({ index, args: part })),
    ]);
    // Which call speaks next is chance; within a call the order stands.
    const pieces: CallPiece[] = [];
    for (const pick of [...order, ...calls.flatMap((parts, at) => Array(parts.length + 1).fill(at) as number[])]) {
      const piece = queues[pick % queues.length]!.shift();
      if (piece) pieces.push(piece);
    }
    for (const queue of queues) pieces.push(...queue);
    const text = (parts: readonly string[]) => {
      const joined = parts.join("");
      return ["", "null"].includes(joined.trim()) ? "{}" : joined;
    };
    assert.deepEqual(
      assemble(pieces).calls,
      calls.map((parts, index) => ({ id: `id${index}`, name: `tool${index}`, arguments: text(parts) })),
    );
  }));
});

Deno.test("a name and an id that are repeated or empty later do not matter", () => {
  const { calls } = assemble([
    { index: 0, id: "a", name: "ls", args: "{" },
    { index: 0, id: "a", name: "ls", args: "}" },
    { index: 0, id: "", name: "", args: "" },
  ]);
  assert.deepEqual(calls, [{ id: "a", name: "ls", arguments: "{}" }]);
});

Deno.test("without an index the id tells, and else the latest call is meant", () => {
  const { calls } = assemble([
    { id: "a", name: "ls" },
    { args: '{"x":' },
    { id: "b", name: "cat", args: "{}" },
    { id: "a", args: "1}" },
  ]);
  assert.deepEqual(calls, [{ id: "a", name: "ls", arguments: '{"x":1}' }, { id: "b", name: "cat", arguments: "{}" }]);
});

Deno.test("another id with a name is another call although the index is the same", () => {
  const { calls } = assemble([
    { index: 0, id: "a", name: "ls", args: "{}" },
    { index: 0, id: "b", name: "ls", args: "{}" },
    { index: 0, args: " " },
  ]);
  assert.deepEqual(calls, [{ id: "a", name: "ls", arguments: "{}" }, { id: "b", name: "ls", arguments: "{} " }]);
});

for (const args of [undefined, "", "null", "  "]) {
  Deno.test(`arguments ${JSON.stringify(args)} are a call without parameters`, () => {
    const { calls } = assemble([{ index: 0, id: "a", name: "ls", ...(args === undefined ? {} : { args }) }]);
    assert.deepEqual(calls, [{ id: "a", name: "ls", arguments: "{}" }]);
  });
}

Deno.test("arguments that come as an object count once", () => {
  const { calls } = assemble([
    { index: 0, id: "a", name: "ls", wholeArgs: '{"x":1}' },
    { index: 0, wholeArgs: '{"x":1}' },
  ]);
  assert.deepEqual(calls, [{ id: "a", name: "ls", arguments: '{"x":1}' }]);
});

Deno.test("ids that earlier calls of the conversation have are replaced", () => {
  const { calls, out } = assemble([{ index: 0, id: "call_0", name: "ls" }], ["call_0"]);
  assert.notEqual(calls[0]!.id, "call_0");
  assert.deepEqual(out.map((chunk) => "id" in chunk ? chunk.id : ""), [calls[0]!.id, ""]);
});

Deno.test("a call is announced once, then every 2 KiB of its arguments", () => {
  const part = "x".repeat(1000);
  const { out } = assemble([
    { index: 0, id: "a" },
    { index: 0, name: "write_file" },
    ...Array.from({ length: 5 }, () => ({ index: 0, args: part })),
  ]);
  assert.deepEqual(out.slice(0, 2), [
    { type: "tool_call_start", index: 0, id: "a", name: "write_file" },
    { type: "tool_call_progress", index: 0, id: "a", argumentBytes: 3000 },
  ]);
  assert.deepEqual(out.map((chunk) => chunk.type), ["tool_call_start", "tool_call_progress", "tool_call"]);
});

Deno.test("a signature stays with its call", () => {
  const { calls } = assemble([{ index: 0, id: "a", name: "ls", signature: "sig" }]);
  assert.deepEqual(calls, [{ id: "a", name: "ls", arguments: "{}", thought_signature: "sig" }]);
});

Deno.test("arguments that come whole and then again in pieces are there once", () => {
  const { calls } = assemble([
    { index: 0, id: "a", name: "ls", wholeArgs: '{"x":1}' },
    { index: 0, args: "" },
    { index: 0, args: '{"x"' },
    { index: 0, args: ":1}" },
    { index: 1, id: "b", name: "ls", wholeArgs: '{"y":1}' },
    { index: 1, args: "" },
    { index: 2, id: "c", name: "ls", args: '{"z":1}' },
    { index: 2, wholeArgs: '{"z":1}' },
  ]);
  assert.deepEqual(calls.map((call) => call.arguments), ['{"x":1}', '{"y":1}', '{"z":1}']);
});
