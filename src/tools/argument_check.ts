/**
 * Are these the arguments a schema asks for? Answers in lines a model can act on. The validator is loaded with the
 * first question. A schema is hostile here (a server may have written it): one that cannot be checked in bounded time
 * is not checked, and its arguments only have to be an object.
 */
import type { OutputUnit, Schema } from "@cfworker/json-schema";
import type { JsonSchema, Violations } from "../contract/tool.ts";
import { byteLength, headWithin, sha256 } from "../lib/bytes.ts";
import { isRecord } from "../lib/json.ts";
import { checkable } from "./checkable.ts";

/** All lines of one answer. Bytes. */
const LINES_LIMIT = 3_000;
/** One line. Bytes. */
const LINE_LIMIT = 400;

/** References followed in one check. */
const REFERENCE_LIMIT = 2_000;

type Validate = (args: unknown) => readonly OutputUnit[];

/** Keywords that only say "something below is wrong"; the line of what is wrong stands beside them. */
const WRAPPERS = new Set(["properties", "items", "prefixItems", "patternProperties", "allOf", "$ref", "if"]);

export class ArgumentCheck {
  readonly #validators = new WeakMap<JsonSchema, Promise<Validate | undefined>>();

  /** Never rejects. */
  async violations(schema: JsonSchema, args: unknown): Promise<Violations | undefined> {
    const lines = await this.#lines(schema, args);
    if (lines.length === 0) return undefined;
    return { fingerprint: (await sha256(JSON.stringify(schema))).slice(0, 8), lines: bounded(lines) };
  }

  async #lines(schema: JsonSchema, args: unknown): Promise<string[]> {
    if (typeof args !== "object" || args === null || Array.isArray(args)) {
      return [`/: type; expected an object, found ${describe(args)}`];
    }
    let validate = this.#validators.get(schema);
    if (validate === undefined) {
      validate = loadValidator(schema);
      this.#validators.set(schema, validate);
    }
    try {
      const units = (await validate)?.(args) ?? [];
      return toLines(units, schema, args);
    } catch {
      // A reference that leads nowhere, a nest too deep: the server that wrote the schema checks for itself.
      return [];
    }
  }
}

async function loadValidator(schema: JsonSchema): Promise<Validate | undefined> {
  try {
    // The validator writes into the schema it is given.
    const own = checkable(schema);
    if (own === undefined) return undefined;
    const { dereference, validate } = await import("@cfworker/json-schema");
    const places = dereference(own as Schema);
    return (args) => {
      // Every step but a reference goes deeper into the schema or the arguments; references are counted.
      let left = REFERENCE_LIMIT;
      const counted = new Proxy(places, {
        get(target, place) {
          if (--left < 0) throw new RangeError("too many references");
          return Reflect.get(target, place);
        },
      });
      return validate(args, own as Schema, "2020-12", counted, false).errors;
    };
  } catch {
    return undefined;
  }
}

function toLines(units: readonly OutputUnit[], schema: JsonSchema, args: unknown): string[] {
  const lines = new Set<string>();
  for (const unit of units) {
    if (WRAPPERS.has(unit.keyword)) continue;
    // `additionalProperties: false` reports the property twice; the second time as a schema that nothing fits.
    if (unit.keyword === "false") continue;
    lines.add(toLine(unit, schema, args));
  }
  if (lines.size === 0 && units.length > 0) lines.add(toLine(units.at(-1)!, schema, args));
  return [...lines];
}

function toLine(unit: OutputUnit, schema: JsonSchema, args: unknown): string {
  const path = unit.instanceLocation.slice(1) || "/";
  const found = at(args, unit.instanceLocation);
  const wanted = at(schema, unit.keywordLocation);
  const name = /"((?:[^"\\]|\\.)*)"/.exec(unit.error)?.[1];
  const say = (expected: string) => headWithin(`${decode(path)}: ${unit.keyword}; expected ${expected}`, LINE_LIMIT);
  switch (unit.keyword) {
    case "type":
      return say(`${[wanted].flat().join(" or ")}, found ${describe(found)}`);
    case "enum":
      return say(
        `one of ${[wanted].flat().map((value) => JSON.stringify(value)).join(", ")}, found ${describe(found)}`,
      );
    case "const":
      return say(`${JSON.stringify(wanted)}, found ${describe(found)}`);
    case "required":
      return headWithin(`${decode(join(path, name ?? ""))}: required; expected a value, found nothing`, LINE_LIMIT);
    case "additionalProperties":
    case "unevaluatedProperties": {
      const parent = at(schema, unit.keywordLocation.slice(0, unit.keywordLocation.lastIndexOf("/")));
      const allowed = isRecord(parent) && isRecord(parent.properties) ? Object.keys(parent.properties) : [];
      const expected = allowed.length > 0 ? `only ${allowed.join(", ")}` : "no such property";
      return headWithin(`${decode(join(path, name ?? ""))}: ${unit.keyword}; expected ${expected}`, LINE_LIMIT);
    }
    case "minimum":
    case "exclusiveMinimum":
    case "maximum":
    case "exclusiveMaximum":
    case "multipleOf":
      return say(`${RANGE[unit.keyword]} ${JSON.stringify(wanted)}, found ${describe(found)}`);
    case "minLength":
    case "maxLength":
    case "minItems":
    case "maxItems":
    case "minProperties":
    case "maxProperties":
      return say(`${RANGE[unit.keyword]} ${JSON.stringify(wanted)}, found ${sizeOf(found)}`);
    case "pattern":
    case "format":
      return say(`text of ${unit.keyword} ${JSON.stringify(wanted)}, found ${describe(found)}`);
    default:
      return say(
        OTHERWISE[unit.keyword] ?? `what the schema says (${unit.error.replace(/\s+/g, " ").replace(/\.$/, "")})`,
      );
  }
}

const OTHERWISE: Readonly<Record<string, string>> = {
  anyOf: "one of the alternatives to fit; none does",
  oneOf: "exactly one of the alternatives to fit",
  not: "something else",
  uniqueItems: "no two equal items",
  false: "nothing here",
};

const RANGE: Readonly<Record<string, string>> = {
  minimum: "at least",
  exclusiveMinimum: "more than",
  maximum: "at most",
  exclusiveMaximum: "less than",
  multipleOf: "a multiple of",
  minLength: "a length of at least",
  maxLength: "a length of at most",
  minItems: "at least this many items:",
  maxItems: "at most this many items:",
  minProperties: "at least this many properties:",
  maxProperties: "at most this many properties:",
};

function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text.length > 60 ? `a ${typeof value} of ${text.length} characters` : `${typeof value} ${text}`;
}

function sizeOf(value: unknown): string {
  if (typeof value === "string") return String([...value].length);
  if (Array.isArray(value)) return String(value.length);
  return isRecord(value) ? String(Object.keys(value).length) : describe(value);
}

/** The value a `#/a/b` pointer of the validator leads to; it passes through references within a schema. */
function at(root: unknown, pointer: string, steps = 20): unknown {
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
    if (key === "$ref" && typeof value === "string" && value.startsWith("#")) {
      if (steps <= 0) return undefined;
      value = at(root, value, steps - 1);
    }
  }
  return value;
}

function join(path: string, name: string): string {
  return path === "/" ? `/${name}` : `${path}/${name}`;
}

function decode(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}

function bounded(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += byteLength(line) + 1;
    if (bytes > LINES_LIMIT) {
      kept.push(`… and ${lines.length - kept.length} more`);
      break;
    }
    kept.push(line);
  }
  return kept;
}
