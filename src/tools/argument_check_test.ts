import assert from "node:assert/strict";
import fc from "fast-check";
import { sharedPath } from "../../tests/support/shared.ts";
import type { JsonSchema } from "../contract/tool.ts";
import { byteLength } from "../lib/bytes.ts";
import { ArgumentCheck } from "./argument_check.ts";

async function lines(schema: JsonSchema, args: unknown): Promise<readonly string[]> {
  return (await new ArgumentCheck().violations(schema, args))?.lines ?? [];
}

const EDIT: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    offset: { type: "integer", minimum: 0 },
    mode: { enum: ["a", "b"] },
    edits: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: { old: { type: "string" } },
        required: ["old"],
        additionalProperties: false,
      },
    },
  },
  required: ["path"],
  additionalProperties: false,
};

Deno.test("a line names the place, the rule, what was expected and what was found", async () => {
  // proves TOOL-06
  assert.deepEqual(await lines(EDIT, { path: "x" }), []);
  assert.deepEqual(await lines(EDIT, {}), ["/path: required; expected a value, found nothing"]);
  assert.deepEqual(await lines(EDIT, { path: 3, offset: 1.5, mode: "c", more: 1 }), [
    "/path: type; expected string, found number 3",
    "/offset: type; expected integer, found number 1.5",
    '/mode: enum; expected one of "a", "b", found string "c"',
    "/more: additionalProperties; expected only path, offset, mode, edits",
  ]);
  assert.deepEqual(await lines(EDIT, { path: "", offset: -1, edits: [] }), [
    "/path: minLength; expected a length of at least 1, found 0",
    "/offset: minimum; expected at least 0, found number -1",
    "/edits: minItems; expected at least this many items: 1, found 0",
  ]);
  assert.deepEqual(await lines(EDIT, { path: "x", edits: [{ old: "a" }, { older: null }] }), [
    "/edits/1/old: required; expected a value, found nothing",
    "/edits/1/older: additionalProperties; expected only old",
  ]);
});

Deno.test("alternatives and bans are told as such", async () => {
  const schema = {
    properties: {
      a: { anyOf: [{ type: "string" }, { type: "null" }] },
      b: { uniqueItems: true },
      c: { not: { type: "string" } },
      d: false,
      e: { dependentRequired: { x: ["y"] } },
    },
  };
  assert.deepEqual(await lines(schema, { a: 1, b: [1, 1], c: "x", e: { x: 1 } }), [
    "/a: anyOf; expected one of the alternatives to fit; none does",
    "/a: type; expected string, found number 1",
    "/a: type; expected null, found number 1",
    "/b: uniqueItems; expected no two equal items",
    "/c: not; expected something else",
    '/e: dependentRequired; expected what the schema says (Instance has "x" but does not have "y")',
  ]);
  assert.deepEqual(await lines(schema, { d: 1 }), ["/d: false; expected nothing here"]);
});

Deno.test("arguments that are no object are told so", async () => {
  for (const [args, found] of [[[], "an array of 0"], ["x", 'string "x"'], [null, "null"], [7, "number 7"]] as const) {
    assert.deepEqual(await lines(EDIT, args), [`/: type; expected an object, found ${found}`]);
  }
});

Deno.test("the fingerprint is that of the schema", async () => {
  const check = new ArgumentCheck();
  const one = await check.violations(EDIT, {});
  const same = await check.violations(EDIT, { path: 1 });
  const other = await check.violations({ ...EDIT, required: ["mode"] }, {});
  assert.match(one!.fingerprint, /^[0-9a-f]{8}$/);
  assert.equal(one!.fingerprint, same!.fingerprint);
  assert.notEqual(one!.fingerprint, other!.fingerprint);
});

Deno.test("however much is wrong, the lines stay short", async () => {
  const args = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`unknown_property_${i}`, "x".repeat(2000)]));
  const told = await lines(EDIT, args);
  assert.ok(byteLength(told.join("\n")) <= 3072, String(byteLength(told.join("\n"))));
  assert.match(told.at(-1)!, /^… and \d+ more$/);
});

Deno.test("a place is a JSON pointer, readable with any name", async () => {
  const schema = {
    type: "object",
    properties: { "a/b~c %": { type: "object", properties: { "#": { type: "null" } } } },
  };
  assert.deepEqual(await lines(schema, { "a/b~c %": { "#": 1 } }), [
    "/a~1b~0c %/#: type; expected null, found number 1",
  ]);
});

Deno.test("a schema without end or reason neither hangs nor throws, and what it says sensibly still counts", async () => {
  let nest: JsonSchema = { type: "string" };
  for (let i = 0; i < 500; i++) nest = { type: "object", properties: { a: nest } };
  const doubling: Record<string, unknown> = { l0: { type: "string" } };
  for (let i = 1; i < 60; i++) {
    doubling[`l${i}`] = { anyOf: [{ $ref: `#/$defs/l${i - 1}` }, { $ref: `#/$defs/l${i - 1}` }] };
  }
  const hostile: JsonSchema[] = [
    { $ref: "#" },
    { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
    { type: "object", properties: { a: { $ref: "#/$defs/none" } } },
    { $ref: "http://127.0.0.1/x" },
    { $id: "http://127.0.0.1/y", properties: { a: { $ref: "other" } } },
    { $recursiveAnchor: true, $recursiveRef: "#" },
    { $defs: doubling, properties: { a: { $ref: "#/$defs/l59" } } },
    { properties: { a: { pattern: "^(a+)+$" }, b: { pattern: "[" } } },
    { patternProperties: { "(a|a)*b": { type: "string" } } },
    { properties: null, required: true, type: 7, enum: "x" },
    { allOf: [[], 3, null] },
    { description: "d".repeat(2_000_001) },
    nest,
  ] as unknown as JsonSchema[];
  const args = { a: "a".repeat(40) + "!", b: "x", [`${"a".repeat(40)}`]: 1 };
  for (const schema of hostile) {
    await assert.doesNotReject(new ArgumentCheck().violations(schema, args), JSON.stringify(schema).slice(0, 80));
  }
  const half = { type: "object", properties: { a: { pattern: "^(a+)+$", type: "string" }, b: { type: "integer" } } };
  assert.deepEqual(await lines(half, { a: "aaaa!", b: "x" }), ['/b: type; expected integer, found string "x"']);
});

Deno.test("a simple pattern is checked, one that may backtrack without end is left to its server", async () => {
  assert.deepEqual(await lines({ properties: { a: { pattern: "^v[0-9]+$" } } }, { a: "x1" }), [
    '/a: pattern; expected text of pattern "^v[0-9]+$", found string "x1"',
  ]);
  assert.deepEqual(await lines({ properties: { a: { pattern: "^(?:[a-z]+-?)+$" } } }, { a: "X" }), []);
});

Deno.test("references within a schema are followed", async () => {
  const schema = {
    type: "object",
    properties: { tree: { $ref: "#/$defs/node" } },
    $defs: {
      node: {
        type: "object",
        properties: { children: { type: "array", items: { $ref: "#/$defs/node" } }, name: { type: "string" } },
      },
    },
  };
  assert.deepEqual(await lines(schema, { tree: { children: [{ children: [{ name: 5 }] }] } }), [
    "/tree/children/0/children/0/name: type; expected string, found number 5",
  ]);
});

Deno.test("the schema handed in is not changed", async () => {
  const schema = { type: "object", properties: { a: { $ref: "#/$defs/x" } }, $defs: { x: { type: "string" } } };
  const before = JSON.stringify(schema);
  await lines(schema, { a: 1 });
  assert.equal(JSON.stringify(schema), before);
});

const servers = sharedPath("fixtures/mcp/tools-list");

Deno.test({
  name: "the schemas of popular servers can be checked, whatever the arguments",
  ignore: servers === undefined,
  async fn() {
    const check = new ArgumentCheck();
    let tools = 0;
    for (const entry of Deno.readDirSync(servers!)) {
      const list = JSON.parse(Deno.readTextFileSync(`${servers}/${entry.name}`));
      for (const { inputSchema } of Array.isArray(list.tools) ? list.tools : []) {
        if (typeof inputSchema !== "object") continue;
        tools++;
        for (const args of fc.sample(fc.object({ maxDepth: 2 }), { seed: tools, numRuns: 3 })) {
          const wrong = await check.violations(inputSchema, args);
          for (const line of wrong?.lines ?? []) assert.match(line, /^\/.*: \w+; expected |^… and/s);
        }
      }
    }
    assert.ok(tools > 100, `${tools} tools`);
  },
});
