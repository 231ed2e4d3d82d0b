/**
 * The one form every tool schema takes when it enters the registry: keys sorted, `required` sorted, no words that only
 * schema tools read. Equal schemas give equal bytes, so the request prefix never changes by chance.
 */
import type { JsonSchema } from "../contract/tool.ts";
import { isRecord } from "../lib/json.ts";

/** Keywords whose value is a schema, a list of schemas, or a map from names to schemas. */
const SCHEMA = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const SCHEMA_LIST = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);
const SCHEMA_MAP = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);
/** Says nothing to a model and nothing to a check of arguments. */
const NOISE = new Set(["$comment", "$schema"]);

export interface CanonicalOptions {
  /** Objects that list their properties take no others, unless the schema says so. For schemas we write ourselves. */
  readonly closed: boolean;
}

/** Throws a `RangeError` for a schema nested beyond all reason. Values that are not schemas are kept as they are. */
export function canonicalSchema(schema: JsonSchema, options: CanonicalOptions): JsonSchema {
  return canonical(schema, options) as JsonSchema;
}

function canonical(schema: unknown, options: CanonicalOptions): unknown {
  if (!isRecord(schema)) return schema;
  const out: Record<string, unknown> = Object.create(null);
  const closes = options.closed && isRecord(schema.properties) && schema.additionalProperties === undefined;
  const keys = Object.keys(schema);
  if (closes) keys.push("additionalProperties");
  for (const key of keys.sort()) {
    if (NOISE.has(key)) continue;
    const value = schema[key];
    if (value === undefined) {
      if (key === "additionalProperties" && closes) out[key] = false;
    } else if (SCHEMA_MAP.has(key) && isRecord(value)) {
      out[key] = sortedMap(value, (inner) => Array.isArray(inner) ? inner : canonical(inner, options));
    } else if (SCHEMA_LIST.has(key) && Array.isArray(value)) {
      out[key] = value.map((inner) => canonical(inner, options));
    } else if (SCHEMA.has(key)) {
      out[key] = canonical(value, options);
    } else if (key === "required" && Array.isArray(value)) {
      out[key] = [...value].sort();
    } else {
      out[key] = sortedData(value);
    }
  }
  return out;
}

function sortedData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedData);
  return isRecord(value) ? sortedMap(value, sortedData) : value;
}

/** Without a prototype, so that a property named `__proto__` is a property. */
function sortedMap(map: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(map).sort()) out[key] = change(map[key]);
  return out;
}
