/**
 * A copy of a schema that can be checked in bounded time: patterns that could backtrack without end are dropped, and
 * with them what the validator would follow without end by itself.
 */
import type { JsonSchema } from "../contract/tool.ts";

/** Longer patterns are not worth the risk. Characters. */
const PATTERN_LIMIT = 500;
/** Larger schemas are not checked: the copy alone would be felt. Characters of JSON. */
const SCHEMA_LIMIT = 2_000_000;

/** Undefined for a schema that is too large. */
export function checkable(schema: JsonSchema): JsonSchema | undefined {
  const text = JSON.stringify(schema);
  if (text.length > SCHEMA_LIMIT) return undefined;
  return JSON.parse(text, (key, value) => {
    // Follows itself in place, without a step into the arguments.
    if (key === "$recursiveRef" || key === "$recursiveAnchor") return undefined;
    if (key === "pattern" && typeof value === "string") return isHarmless(value) ? value : undefined;
    if (key === "patternProperties" && typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).filter(([pattern]) => isHarmless(pattern)));
    }
    return value;
  });
}

/**
 * True for a pattern that takes time proportional to the text: no group is repeated, and one repetition at most, from the
 * start of the text on. Many good patterns are not harmless by this; those are left to whoever wrote the schema.
 */
function isHarmless(pattern: string): boolean {
  if (pattern.length > PATTERN_LIMIT) return false;
  try {
    new RegExp(pattern, "u");
  } catch {
    return false;
  }
  const bare = pattern.replace(/\\./gs, "a").replace(/\[[^\]]*\]/g, "a");
  const repetitions = bare.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0;
  const options = bare.match(/[^(]\?/g)?.length ?? 0;
  if (/\)(?:[*+{])/.test(bare) || options > 3) return false;
  return repetitions === 0 || (repetitions === 1 && bare.startsWith("^") && !bare.includes("|"));
}
