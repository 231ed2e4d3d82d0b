/**
 * Schemas of remote tools in a form every provider takes: references filled in, one dialect, nothing at the root but
 * an object. What was valid before stays valid; a constraint that cannot be said everywhere is left out, and the
 * server checks it for itself. A schema is hostile here: depth, size and references are bounded.
 */
import type { JsonSchema } from "../../contract/tool.ts";
import { append } from "../../lib/append.ts";
import { clip } from "../../lib/clip.ts";
import { isRecord } from "../../lib/json.ts";
import { followRef, type SchemaNode } from "./local_refs.ts";
import { joinAll, joinAny } from "./join.ts";

export type AcceptableSchema =
  | {
    readonly schema: JsonSchema;
    /** What a model should know that the schema no longer says; for the tool's description. */
    readonly hints: readonly string[];
    /** For people: what was loosened. */
    readonly problems: readonly string[];
  }
  /** No arguments could ever fit. */
  | { readonly unusable: string };

const DEPTH = 32;
const NODES = 4_000;
const TEXT = 1_000;
const SAMPLE = 500;
const ENUM = 500;
const SIZE = 120_000;

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const FORMATS = new Set(["date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"]);
const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
/** One provider takes no other names of properties. */
const PROPERTY = /^[A-Za-z0-9_.-]{1,64}$/;

/** `schema` is what a server sent. Never throws. */
export function acceptableSchema(schema: unknown): AcceptableSchema {
  if (schema === undefined || schema === null || schema === true) return { schema: EMPTY, hints: [], problems: [] };
  if (!isRecord(schema)) return { unusable: "its input schema is not an object" };
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  if (schema["type"] !== undefined && !types.includes("object")) {
    return {
      unusable: `its input schema describes ${clip(JSON.stringify(schema["type"]) ?? "nothing", 40)}, not an object`,
    };
  }
  const walk = new Walk(schema);
  const { type: _type, nullable: _nullable, enum: _enum, const: _const, ...rest } = walk.node(schema, 0, []);
  const root = flatRoot({ ...rest }, walk.hints);
  const result: JsonSchema = { type: "object", properties: {}, ...root };
  return { schema: within(result, walk.problems), hints: [...walk.hints], problems: [...walk.problems] };
}

const EMPTY: JsonSchema = { type: "object", properties: {} };

/** Unions at the root become one object that takes the arguments of every branch. */
function flatRoot(root: Record<string, unknown>, hints: Set<string>): Record<string, unknown> {
  const { anyOf, ...rest } = root;
  if (!Array.isArray(anyOf)) return rest;
  const branches = (anyOf as SchemaNode[]).filter((branch) =>
    branch["type"] === undefined || branch["type"] === "object"
  );
  if (branches.length === 0) return rest;
  const needs = branches.map((branch) => (branch["required"] as string[] | undefined) ?? []);
  if (new Set(needs.map((names) => names.join())).size > 1) {
    const ways = [...new Set(needs.map((names) => names.length === 0 ? "none" : names.join(" + ")))];
    hints.add(`Arguments go together in one of these ways: ${clip(ways.join(" | "), TEXT)}.`);
  }
  const { type: _type, anyOf: _inner, ...merged } = joinAll([rest, joinAny(branches)]);
  return merged;
}

class Walk {
  readonly hints = new Set<string>();
  readonly problems = new Set<string>();
  readonly #root: SchemaNode;
  #nodes = 0;

  constructor(root: SchemaNode) {
    this.#root = root;
  }

  /** `{}` takes anything: the answer where nothing better can be said. */
  node(schema: unknown, depth: number, refs: readonly string[]): Record<string, unknown> {
    if (!isRecord(schema)) return {};
    if (depth > DEPTH) return this.#loosen("it is nested very deeply");
    if (++this.#nodes > NODES) return this.#loosen("it is very large");
    const ref = schema["$ref"] ?? schema["$dynamicRef"] ?? schema["$recursiveRef"];
    if (typeof ref === "string") return this.#reference(schema, ref, { depth, refs });

    const out: Record<string, unknown> = {};
    this.#words(schema, out);
    const types = typesOf(schema);
    if (types !== undefined) out["type"] = types.length === 1 ? types[0] : types;
    this.#values(schema, out);
    limits(schema, out);
    this.#object(schema, out, { depth, refs });
    this.#array(schema, out, { depth, refs });
    return this.#combined(schema, out, { depth, refs });
  }

  #reference(schema: SchemaNode, ref: string, at: Place): Record<string, unknown> {
    const { $ref: _ref, $dynamicRef: _dynamic, $recursiveRef: _recursive, ...beside } = schema;
    const words: Record<string, unknown> = {};
    this.#words(beside, words);
    if (at.refs.includes(ref)) return { ...this.#loosen("it refers to itself"), ...words };
    const target = followRef(this.#root, ref);
    if (target === undefined) return { ...this.#loosen(`a reference leads nowhere (${clip(ref, 60)})`), ...words };
    const filled = this.node(target, at.depth + 1, [...at.refs, ref]);
    const more = Object.keys(beside).some((key) => !WORDS.has(key) && !DEFINITIONS.has(key));
    // A node with a reference and rules of its own has to satisfy both.
    const joined = more ? joinAll([filled, this.node(beside, at.depth + 1, at.refs)]) : filled;
    return { ...joined, ...words };
  }

  #words(schema: SchemaNode, out: Record<string, unknown>): void {
    const { description } = schema;
    if (typeof description === "string" && description.trim() !== "") out["description"] = clip(description, TEXT);
    if (isSample(schema["default"])) out["default"] = schema["default"];
    if (Array.isArray(schema["examples"]) && isSample(schema["examples"])) out["examples"] = schema["examples"];
  }

  #values(schema: SchemaNode, out: Record<string, unknown>): void {
    const values = schema["enum"] ?? (Object.hasOwn(schema, "const") ? [schema["const"]] : undefined);
    if (!Array.isArray(values) || values.length === 0) return;
    const fitting = out["type"] === undefined ? values : values.filter((value) => fits(value, out["type"]));
    const unique = [...new Map(fitting.map((value) => [JSON.stringify(value), value])).values()];
    if (unique.length === 0) return;
    if (unique.length > ENUM || JSON.stringify(unique).length > 20_000) {
      this.problems.add("a list of allowed values is too long to be shown");
      const shown = clip(unique.slice(0, 20).map((value) => JSON.stringify(value)).join(", "), SAMPLE);
      out["description"] = `${out["description"] ?? ""} One of ${unique.length} values, such as ${shown}.`.trim();
      return;
    }
    out["enum"] = unique;
    const kinds = [...new Set(unique.map(kindOf))];
    if (out["type"] === undefined && kinds.length === 1) out["type"] = kinds[0];
  }

  #object(schema: SchemaNode, out: Record<string, unknown>, { depth, refs }: Place): void {
    const { properties, patternProperties, additionalProperties, required } = schema;
    const isObject = isRecord(properties) || isRecord(patternProperties) || isRecord(additionalProperties);
    if (!isObject && out["type"] !== "object" && !Array.isArray(required) && additionalProperties !== false) return;
    let open = isRecord(patternProperties) && Object.keys(patternProperties).length > 0;
    const listed: [string, unknown][] = [];
    const odd = new Set<string>();
    for (const [name, value] of Object.entries(isRecord(properties) ? properties : {})) {
      if (value === false) continue;
      if (PROPERTY.test(name)) listed.push([name, this.node(value, depth + 1, refs)]);
      else odd.add(name);
    }
    if (odd.size > 0) {
      open = true;
      this.hints.add(`Also takes ${clip([...odd].map((name) => JSON.stringify(name)).join(", "), 300)}.`);
    }
    const names = Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : [];
    const needed = [...new Set(names)].filter((name) => PROPERTY.test(name));
    for (const name of needed) if (!listed.some(([known]) => known === name)) listed.push([name, {}]);
    if (listed.length > 0 || out["type"] === "object") out["properties"] = toRecord(listed);
    if (needed.length > 0) out["required"] = needed;
    if (additionalProperties === false && !open && names.every((name) => PROPERTY.test(name))) {
      out["additionalProperties"] = false;
    } else if (isRecord(additionalProperties) && !open) {
      out["additionalProperties"] = this.node(additionalProperties, depth + 1, refs);
    }
    if (isRecord(properties) && isBare(schema, out)) out["type"] = "object";
  }

  #array(schema: SchemaNode, out: Record<string, unknown>, { depth, refs }: Place): void {
    const { items, prefixItems, additionalItems } = schema;
    const places = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
    if (places !== undefined) {
      const after = places === items ? additionalItems : items;
      const choices = places.map((place) => this.node(place, depth + 1, refs));
      const closed = after === false || isRecord(after);
      if (isRecord(after)) choices.push(this.node(after, depth + 1, refs));
      out["items"] = closed && choices.length > 0 ? oneOrAny(choices) : {};
    } else if (isRecord(items)) {
      out["items"] = this.node(items, depth + 1, refs);
      if (isBare(schema, out)) out["type"] = "array";
    } else if (out["type"] === "array") out["items"] = {};
  }

  #combined(schema: SchemaNode, out: Record<string, unknown>, { depth, refs }: Place): Record<string, unknown> {
    const parts: Record<string, unknown>[] = [out];
    if (Array.isArray(schema["allOf"])) append(parts, schema["allOf"].map((part) => this.node(part, depth + 1, refs)));
    for (const key of ["anyOf", "oneOf"]) {
      const branches = schema[key];
      if (!Array.isArray(branches) || branches.length === 0) continue;
      parts.push(
        oneOrAny(branches.filter((branch) => branch !== false).map((branch) => this.node(branch, depth + 1, refs))),
      );
    }
    const joined = parts.length === 1 ? out : joinAll(parts);
    const types = joined["type"];
    if (!Array.isArray(types)) return joined;
    // Several types at once are said as a choice: more endpoints know that form.
    const { type: _type, ...rest } = joined;
    const choice = { anyOf: types.map((type) => ({ type })) };
    return rest["anyOf"] === undefined ? { ...rest, ...shaped(choice, rest) } : rest;
  }

  #loosen(why: string): Record<string, unknown> {
    this.problems.add(why);
    return {};
  }
}

interface Place {
  readonly depth: number;
  readonly refs: readonly string[];
}

const WORDS = new Set([
  "description",
  "title",
  "default",
  "examples",
  "$comment",
  "deprecated",
  "readOnly",
  "writeOnly",
]);
const DEFINITIONS = new Set(["$defs", "definitions", "$schema", "$id", "id"]);

/** Lists properties or items and says no type: any other value fits too, yet an object or an array is what is meant. */
function isBare(schema: SchemaNode, out: Record<string, unknown>): boolean {
  return ["type", "enum"].every((key) => out[key] === undefined) &&
    ["type", "anyOf", "oneOf", "allOf"].every((key) => schema[key] === undefined);
}

/** An array or an object in a choice of types keeps its own words there. */
function shaped(choice: { anyOf: { type: string }[] }, rest: Record<string, unknown>) {
  return {
    anyOf: choice.anyOf.map(({ type }) => type === "array" ? { type, items: rest["items"] ?? {} } : { type }),
  };
}

function typesOf(schema: SchemaNode): string[] | undefined {
  const { type } = schema;
  const listed = (Array.isArray(type) ? type : [type]).filter((one): one is string => TYPES.has(one as string));
  if (listed.length === 0 || listed.length < (Array.isArray(type) ? type.length : 1)) return undefined;
  const types = schema["nullable"] === true ? [...listed, "null"] : listed;
  // Whole numbers are numbers.
  return [...new Set(types.includes("number") ? types.filter((one) => one !== "integer") : types)];
}

/** Draft 4 says with a flag what later drafts say with a number. */
function limits(schema: SchemaNode, out: Record<string, unknown>): void {
  for (const [plain, exclusive] of [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]] as const) {
    if (schema[exclusive] === true && isNumber(schema[plain])) out[exclusive] = schema[plain];
    else if (isNumber(schema[plain])) out[plain] = schema[plain];
    if (isNumber(schema[exclusive])) out[exclusive] = schema[exclusive];
  }
  const step = schema["multipleOf"];
  if (isNumber(step) && step > 0) out["multipleOf"] = step;
  for (const key of COUNTS) {
    const value = schema[key];
    if (Number.isInteger(value) && (value as number) >= 0) out[key] = value;
  }
  if (schema["uniqueItems"] === true) out["uniqueItems"] = true;
  if (FORMATS.has(schema["format"] as string)) out["format"] = schema["format"];
  const pattern = schema["pattern"];
  if (typeof pattern === "string" && pattern.length <= SAMPLE && isPattern(pattern)) out["pattern"] = pattern;
}

function oneOrAny(branches: Record<string, unknown>[]): Record<string, unknown> {
  if (branches.some((branch) => Object.keys(branch).length === 0)) return {};
  return branches.length === 1 ? branches[0]! : branches.length === 0 ? {} : { anyOf: branches };
}

/** The last resort of a schema that is too large for any request. */
function within(schema: JsonSchema, problems: Set<string>): JsonSchema {
  if (JSON.stringify(schema).length <= SIZE) return schema;
  problems.add("it is very large; the descriptions in it are left out");
  const bare = JSON.parse(
    JSON.stringify(schema, (key, value) => key === "description" && typeof value === "string" ? undefined : value),
  );
  if (JSON.stringify(bare).length <= SIZE) return bare;
  problems.add("it is too large to be shown");
  return EMPTY;
}

function toRecord(entries: readonly [string, unknown][]): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries) out[key] = value;
  return out;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function fits(value: unknown, type: unknown): boolean {
  const types = Array.isArray(type) ? type : [type];
  const kind = kindOf(value);
  return types.some((one) => one === kind || (one === "integer" && Number.isInteger(value)));
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isSample(value: unknown): boolean {
  return value !== undefined && value !== null && (JSON.stringify(value)?.length ?? SAMPLE) < SAMPLE;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
