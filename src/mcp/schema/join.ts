/**
 * Two schemas as one, in plain words: `joinAll` takes what both take, `joinAny` what either takes. Where that cannot be
 * said exactly the answer takes more, never less. Pure.
 */

type Schema = Readonly<Record<string, unknown>>;

const LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

export function joinAll(parts: readonly Schema[]): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const closed = parts.filter((part) => part["additionalProperties"] === false);
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      const before = out[key];
      if (before === undefined) out[key] = value;
      else if (key === "properties") out[key] = joinedProperties(before as Schema, value as Schema);
      else if (key === "required") out[key] = [...new Set([...before as string[], ...value as string[]])];
      else if (LOWER.includes(key)) out[key] = Math.max(before as number, value as number);
      else if (UPPER.includes(key)) out[key] = Math.min(before as number, value as number);
      else if (key === "enum") out[key] = common(before as unknown[], value as unknown[]) ?? before;
      else if (key === "type") out[key] = common(list(before), list(value)) ?? before;
      else if (key === "items") out[key] = joinAll([before as Schema, value as Schema]);
      // Two choices at once, two patterns: the first is told, the server checks the other.
    }
  }
  if (Array.isArray(out["type"]) && out["type"].length === 1) out["type"] = out["type"][0];
  // What one part closes, another may list: closed only where all that is listed is listed there.
  if (closed.length > 0) {
    const listed = Object.keys((out["properties"] ?? {}) as Schema);
    const covered = closed.every((part) =>
      listed.every((name) => Object.hasOwn((part["properties"] ?? {}) as Schema, name))
    );
    if (covered) out["additionalProperties"] = false;
    else delete out["additionalProperties"];
  }
  return out;
}

/** Of objects: the properties of all, needed only what all need. */
export function joinAny(branches: readonly Schema[]): Record<string, unknown> {
  const properties: Record<string, unknown> = Object.create(null);
  for (const branch of branches) {
    for (const [name, value] of Object.entries((branch["properties"] ?? {}) as Schema)) {
      properties[name] = Object.hasOwn(properties, name) ? either(properties[name] as Schema, value as Schema) : value;
    }
  }
  // A branch that does not list a name takes any value for it, unless it is closed.
  for (const name of Object.keys(properties)) {
    const free = branches.some((branch) =>
      !Object.hasOwn((branch["properties"] ?? {}) as Schema, name) && branch["additionalProperties"] !== false
    );
    if (free) properties[name] = wordsOf(properties[name] as Schema);
  }
  const needed = branches.map((branch) => (branch["required"] as string[] | undefined) ?? []);
  const required = (needed[0] ?? []).filter((name) => needed.every((names) => names.includes(name)));
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(branches.every((branch) => branch["additionalProperties"] === false) ? { additionalProperties: false } : {}),
  };
}

function either(a: Schema, b: Schema): Record<string, unknown> {
  if (JSON.stringify(a) === JSON.stringify(b)) return { ...a };
  const branches = [...choices(a), ...choices(b)];
  if (branches.some((branch) => Object.keys(branch).length === 0)) return wordsOf(a);
  const enums = branches.every((branch) =>
    Array.isArray(branch["enum"]) && branch["type"] === branches[0]!["type"] &&
    Object.keys(branch).every((key) => ["enum", "type", "description"].includes(key))
  );
  if (enums) return { ...branches[0], enum: [...new Set(branches.flatMap((branch) => branch["enum"] as unknown[]))] };
  return { anyOf: [...new Map(branches.map((branch) => [JSON.stringify(branch), branch])).values()] };
}

function choices(schema: Schema): Schema[] {
  const keys = Object.keys(schema);
  return keys.length === 1 && Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema];
}

function joinedProperties(a: Schema, b: Schema): Record<string, unknown> {
  const out: Record<string, unknown> = Object.assign(Object.create(null), a);
  for (const [name, value] of Object.entries(b)) {
    out[name] = Object.hasOwn(out, name) ? joinAll([out[name] as Schema, value as Schema]) : value;
  }
  return out;
}

/** A schema that takes anything and still says what is meant. */
function wordsOf(schema: Schema): Record<string, unknown> {
  return typeof schema["description"] === "string" ? { description: schema["description"] } : {};
}

function common(a: readonly unknown[], b: readonly unknown[]): unknown[] | undefined {
  const texts = new Set(b.map((value) => JSON.stringify(value)));
  const both = a.filter((value) => texts.has(JSON.stringify(value)));
  return both.length > 0 ? both : undefined;
}

function list(type: unknown): unknown[] {
  return Array.isArray(type) ? type : [type];
}
