// proves TOOL-04
import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalSchema } from "./canonical.ts";

const open = { closed: false };
const text = (schema: Record<string, unknown>, options = open) => JSON.stringify(canonicalSchema(schema, options));

/** The same value with the keys of every object in another order. */
function shuffled(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, seed));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const turn = entries.length === 0 ? 0 : seed % entries.length;
  return Object.fromEntries(
    [...entries.slice(turn), ...entries.slice(0, turn)].reverse().map(([key, one]) => [key, shuffled(one, seed + 1)]),
  );
}

Deno.test("equal schemas have equal bytes, whatever the order of their keys", () => {
  const leaf = fc.oneof(
    fc.constant({ type: "string" }),
    fc.record({ enum: fc.array(fc.string()) }),
    fc.record({ type: fc.constant("integer"), minimum: fc.integer(), default: fc.integer() }),
  );
  const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(fc.string(), tie("schema")),
        required: fc.array(fc.string()),
        $defs: fc.dictionary(fc.string(), tie("schema")),
      }),
      fc.record({ anyOf: fc.array(tie("schema")), items: tie("schema"), description: fc.string() }),
    ),
  }));
  fc.assert(fc.property(schema, fc.nat(9), (one, seed) => {
    assert.equal(text(shuffled(one, seed) as Record<string, unknown>), text(one));
  }));
});

Deno.test("the canonical form of a canonical form is itself", () => {
  const schema = { type: "object", properties: { b: { type: "string" }, a: {} }, required: ["b", "a"] };
  const once = canonicalSchema(schema, { closed: true });
  assert.deepEqual(canonicalSchema(once, { closed: true }), once);
  assert.equal(
    JSON.stringify(once),
    '{"additionalProperties":false,"properties":{"a":{},"b":{"type":"string"}},"required":["a","b"],"type":"object"}',
  );
});

Deno.test("the words of schema tools go, properties of the same name stay", () => {
  assert.equal(
    text({ $schema: "x", $comment: "y", properties: { $schema: { type: "string" }, required: { type: "null" } } }),
    '{"properties":{"$schema":{"type":"string"},"required":{"type":"null"}}}',
  );
});

Deno.test("data inside a schema keeps the order of its lists", () => {
  assert.equal(
    text({ enum: ["b", "a"], default: { b: [2, 1], a: 0 } }),
    '{"default":{"a":0,"b":[2,1]},"enum":["b","a"]}',
  );
});

Deno.test("a property named like a part of the language is a property", () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"null"}}}');
  assert.equal(text(schema), '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"null"}}}');
});

Deno.test("only schemas of our own are closed to further properties, and only where they list some", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "object" }, b: { properties: {}, additionalProperties: true } },
  };
  assert.deepEqual(JSON.parse(text(schema, { closed: true })), {
    additionalProperties: false,
    properties: { a: { type: "object" }, b: { additionalProperties: true, properties: {} } },
    type: "object",
  });
});
