// Schemas of servers become schemas every provider takes, and take what they took before.
import { type Schema, Validator } from "@cfworker/json-schema";
import assert from "node:assert/strict";
import fc from "fast-check";
import { sharedPath } from "../../../tests/support/shared.ts";
import { acceptableSchema } from "./acceptable.ts";

// deno-lint-ignore no-explicit-any
type Any = any;

/** What one or another endpoint is known to refuse; `undefined` when none does. */
function objection(schema: Any, path = "/"): string | undefined {
  const refused = [
    "$ref",
    "$defs",
    "definitions",
    "$schema",
    "$id",
    "id",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "const",
    "patternProperties",
    "propertyNames",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "prefixItems",
    "additionalItems",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "nullable",
    "$dynamicRef",
  ];
  const found = refused.find((key) => Object.hasOwn(schema, key));
  if (found) return `${path}: ${found}`;
  if (path === "/" && (schema.type !== "object" || !schema.properties || schema.anyOf || schema.enum)) return "/: root";
  if (Array.isArray(schema.type)) return `${path}: several types`;
  if (schema.type === "array" && !schema.items) return `${path}: an array without items`;
  for (const key of ["exclusiveMinimum", "exclusiveMaximum"]) {
    if (typeof schema[key] === "boolean") return `${path}: ${key}`;
  }
  if (schema.enum && (schema.enum.length === 0 || schema.enum.length > 500)) return `${path}: enum`;
  if (schema.description !== undefined && (schema.description === "" || schema.description.length > 1_100)) {
    return `${path}: description`;
  }
  const names = Object.keys(schema.properties ?? {});
  const odd = names.find((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name));
  if (odd) return `${path}: property ${odd}`;
  if (schema.required?.some((name: string) => !names.includes(name))) return `${path}: required`;
  if (schema.required && new Set(schema.required).size !== schema.required.length) return `${path}: required twice`;
  const inner: [string, Any][] = [
    ...names.map((name): [string, Any] => [name, schema.properties[name]]),
    ...(schema.anyOf ?? []).map((branch: Any, at: number): [string, Any] => [`anyOf/${at}`, branch]),
    ...(schema.items ? [["items", schema.items] as [string, Any]] : []),
    ...(typeof schema.additionalProperties === "object"
      ? [["additionalProperties", schema.additionalProperties] as [string, Any]]
      : []),
  ];
  for (const [step, one] of inner) {
    const wrong = objection(one, `${path}${step}/`);
    if (wrong) return wrong;
  }
  return undefined;
}

const accepted = (schema: unknown): Any => {
  const made = acceptableSchema(schema);
  assert.ok("schema" in made, JSON.stringify(made));
  assert.equal(objection(made.schema), undefined);
  return JSON.parse(JSON.stringify(made.schema));
};
const valid = (schema: unknown, value: unknown) => new Validator(schema as Schema, "2020-12").validate(value).valid;

const folder = sharedPath("fixtures/mcp/tools-list");

Deno.test({
  name: "every tool list recorded from a public server becomes tools that every kind of provider takes",
  ignore: folder === undefined,
  fn() {
    let tools = 0;
    let compared = 0;
    for (const { name } of Deno.readDirSync(folder!)) {
      if (name === "summary.json" || !name.endsWith(".json")) continue;
      for (const tool of toolsIn(JSON.parse(Deno.readTextFileSync(`${folder}/${name}`)))) {
        tools++;
        const made = acceptableSchema(tool.inputSchema);
        assert.ok("schema" in made, `${name} ${tool.name}`);
        assert.equal(objection(made.schema), undefined, `${name} ${tool.name}`);
        const args = sample(tool.inputSchema, tool.inputSchema);
        if (valid(tool.inputSchema, args)) {
          compared++;
          assert.ok(valid(made.schema, args), `${name} ${tool.name} ${JSON.stringify(args)}`);
        }
      }
    }
    assert.ok(tools > 350 && compared > tools * 0.8, `${tools} tools, ${compared} compared`);
  },
});

/** The lists lie in recordings of several shapes. */
function toolsIn(value: Any): { name: string; inputSchema: Any }[] {
  if (Array.isArray(value)) return value.flatMap(toolsIn);
  if (typeof value !== "object" || value === null) return [];
  if (typeof value.name === "string" && typeof value.inputSchema === "object") return [value];
  return Object.values(value).flatMap(toolsIn);
}

/** Some arguments that a schema of the real world is likely to take. */
function sample(schema: Any, root: Any, depth = 0): Any {
  if (depth > 8 || typeof schema !== "object" || schema === null) return {};
  if (typeof schema.$ref === "string") {
    return sample(schema.$ref.slice(2).split("/").reduce((at: Any, key: string) => at?.[key], root), root, depth + 1);
  }
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const union = schema.anyOf ?? schema.oneOf;
  if (union && !schema.properties) return sample(union[0], root, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, one]) => [name, sample(one, root, depth + 1)]),
    );
  }
  if (type === "array") return [sample(schema.items ?? {}, root, depth + 1)];
  if (type === "string") {
    return schema.format === "uri"
      ? "https://a.example/"
      : schema.format === "date-time"
      ? "2026-01-01T00:00:00Z"
      : "text";
  }
  if (type === "number" || type === "integer") {
    return schema.minimum ?? (schema.exclusiveMinimum === undefined ? 1 : schema.exclusiveMinimum + 1);
  }
  if (type === "boolean") return true;
  return type === "null" ? null : "text";
}

Deno.test("references are filled in; those that lead nowhere or to themselves take anything", () => {
  const schema = {
    type: "object",
    properties: {
      a: { $ref: "#/$defs/pair", description: "mine" },
      b: { $ref: "#/$defs/missing" },
      c: { $ref: "http://127.0.0.1:1/schema.json" },
      tree: { $ref: "#/definitions/tree" },
      self: { $ref: "#" },
    },
    $defs: { pair: { type: "object", description: "theirs", properties: { x: { type: "integer" } } } },
    definitions: {
      tree: { type: "object", properties: { left: { $ref: "#/definitions/tree" }, value: { type: "string" } } },
    },
  };
  const made = accepted(schema);
  assert.deepEqual(made.properties.a, { description: "mine", type: "object", properties: { x: { type: "integer" } } });
  assert.deepEqual([made.properties.b, made.properties.c], [{}, {}]);
  assert.deepEqual(made.properties.tree.properties, { left: {}, value: { type: "string" } });
  assert.equal(made.properties.self.type, "object");
});

Deno.test("old drafts, several types, single values and loose enums are said in words all endpoints know", () => {
  const made = accepted({
    properties: {
      old: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
      two: { type: ["string", "null"], maxLength: 3 },
      one: { const: "x" },
      loose: { type: "string", enum: ["a", null, "a"] },
      open: { type: "string", nullable: true },
      tuple: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false },
      list: { type: "array" },
      any: true,
      none: false,
      "odd name": { type: "string" },
    },
    required: ["old", "absent", "old", "odd name"],
    additionalProperties: false,
  });
  assert.deepEqual(made, {
    type: "object",
    properties: {
      old: { type: "number", exclusiveMinimum: 0, maximum: 5 },
      two: { anyOf: [{ type: "string" }, { type: "null" }], maxLength: 3 },
      one: { type: "string", enum: ["x"] },
      loose: { type: "string", enum: ["a"] },
      open: { anyOf: [{ type: "string" }, { type: "null" }] },
      tuple: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
      list: { type: "array", items: {} },
      any: {},
      absent: {},
    },
    required: ["old", "absent"],
  });
});

Deno.test("a choice at the root becomes one object, and its ways are told", () => {
  const made = acceptableSchema({
    type: "object",
    oneOf: [
      { properties: { id: { type: "string" } }, required: ["id"] },
      { properties: { name: { type: "string" }, kind: { enum: ["a"] } }, required: ["name"] },
    ],
    properties: { verbose: { type: "boolean" } },
  });
  assert.deepEqual(JSON.parse(JSON.stringify(made)), {
    schema: {
      type: "object",
      properties: { verbose: { type: "boolean" }, id: {}, name: {}, kind: {} },
    },
    hints: ["Arguments go together in one of these ways: id | name."],
    problems: [],
  });
});

Deno.test("what describes no object is left out with a reason; what says nothing takes any object", () => {
  assert.deepEqual(acceptableSchema("text"), { unusable: "its input schema is not an object" });
  assert.deepEqual(acceptableSchema({ type: "string" }), {
    unusable: `its input schema describes "string", not an object`,
  });
  for (const nothing of [undefined, null, true, {}, { $schema: "x" }]) {
    assert.deepEqual(accepted(nothing), { type: "object", properties: {} });
  }
});

Deno.test("depth, size and long words are bounded", () => {
  let deep: Any = { type: "string" };
  for (let i = 0; i < 5_000; i++) deep = { type: "object", properties: { a: deep } };
  accepted(deep);
  const wide = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { type: "string", description: "d".repeat(100) }]),
    ),
  };
  assert.ok(JSON.stringify(accepted(wide)).length < 130_000);
  const long = accepted({
    type: "object",
    description: "x".repeat(2 << 20),
    properties: { a: { type: "string", description: "y".repeat(2 << 20) } },
  });
  assert.ok(JSON.stringify(long).length < 3_000);
  // Each level names the one below twice: sixty levels are 2^60 places.
  const bomb = {
    type: "object",
    properties: { a: { $ref: "#/$defs/d0" } },
    $defs: Object.fromEntries(
      Array.from(
        { length: 60 },
        (
          _,
          i,
        ) => [`d${i}`, {
          type: "object",
          properties: { l: { $ref: `#/$defs/d${i + 1}` }, r: { $ref: `#/$defs/d${i + 1}` } },
        }],
      ),
    ),
  };
  assert.ok(JSON.stringify(accepted(bomb)).length < 130_000);
  const many = accepted({
    type: "object",
    properties: { e: { enum: Array.from({ length: 5_000 }, (_, i) => `v${i}`) } },
  });
  assert.match(many.properties.e.description, /One of 5000 values, such as "v0", "v1"/);
});

const leaf = fc.oneof(
  fc.constant({ type: "boolean" }),
  fc.record({
    type: fc.constantFrom("integer", "number"),
    minimum: fc.integer({ min: -5, max: 0 }),
    maximum: fc.integer({ min: 1, max: 9 }),
  }, { requiredKeys: ["type"] }),
  fc.record({ type: fc.constant("string"), minLength: fc.nat(2), maxLength: fc.integer({ min: 3, max: 6 }) }, {
    requiredKeys: ["type"],
  }),
  fc.record({ type: fc.constant(["string", "null"]) }),
  fc.record({
    enum: fc.uniqueArray(fc.oneof(fc.string({ maxLength: 3 }), fc.integer({ min: -2, max: 2 }), fc.constant(null)), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  fc.record({ const: fc.oneof(fc.string({ maxLength: 2 }), fc.integer({ min: 0, max: 3 })) }),
  fc.constant({ $ref: "#/$defs/word" }),
);
const { schema: anySchema } = fc.letrec<{ schema: unknown; object: unknown }>((tie) => ({
  object: fc.record({
    type: fc.constant("object"),
    properties: fc.dictionary(fc.constantFrom("a", "b", "odd key", "c"), tie("schema"), { maxKeys: 3 }),
    required: fc.uniqueArray(fc.constantFrom("a", "b", "odd key"), { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), leaf),
    patternProperties: fc.constantFrom({ "^x": { type: "string" } }, {}),
  }, { requiredKeys: ["type", "properties"] }),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    tie("object"),
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat(3) }, { requiredKeys: ["type"] }),
    fc.record({
      type: fc.constant("array"),
      prefixItems: fc.array(leaf, { minLength: 1, maxLength: 2 }),
      items: fc.oneof(fc.boolean(), leaf),
    }),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
    fc.array(tie("object"), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
  ),
}));
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<unknown>(null, true, 0, 1, -2, 2.5, "", "a", "ab", "word"),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "odd key", "x1"), tie("value"), { maxKeys: 3 }),
  ),
})).value;

Deno.test("arguments that were valid stay valid, whatever the schema, and the result suits all", () => {
  const roots = fc.record({
    type: fc.constant("object"),
    properties: fc.dictionary(fc.constantFrom("a", "b", "c"), anySchema, { minKeys: 1, maxKeys: 3 }),
    anyOf: fc.array(
      fc.record({
        properties: fc.dictionary(fc.constantFrom("a", "d"), leaf, { maxKeys: 2 }),
        required: fc.uniqueArray(fc.constantFrom("a", "d"), { maxLength: 1 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    additionalProperties: fc.boolean(),
  }, { requiredKeys: ["type", "properties"] });
  const values = fc.array(fc.dictionary(fc.constantFrom("a", "b", "c", "d"), anyValue, { maxKeys: 4 }), {
    minLength: 5,
    maxLength: 15,
  });
  let compared = 0;
  fc.assert(
    fc.property(roots, values, (root, candidates) => {
      const schema = JSON.parse(JSON.stringify({ ...root, $defs: { word: { type: "string", maxLength: 4 } } }));
      const made = accepted(schema);
      for (const value of candidates) {
        if (!valid(schema, value)) continue;
        compared++;
        assert.ok(
          valid(made, value),
          `${JSON.stringify(value)} no longer fits\n${JSON.stringify(schema)}\n${JSON.stringify(made)}`,
        );
      }
    }),
    { numRuns: 1_500 },
  );
  assert.ok(compared > 300, String(compared));
});
