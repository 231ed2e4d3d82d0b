/** Values and keys as TOML text. */

export type TomlValue = string | number | boolean | readonly TomlValue[] | { readonly [key: string]: TomlValue };

export function isTomlTable(value: unknown): value is { readonly [key: string]: TomlValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function keyToToml(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : textToToml(key, { literal: false });
}

export function dottedKeyToToml(path: readonly string[]): string {
  return path.map(keyToToml).join(".");
}

/** On one line. */
export function valueToToml(value: TomlValue): string {
  if (typeof value === "string") return textToToml(value, { literal: true });
  if (typeof value === "number") return numberToToml(value);
  if (typeof value === "boolean") return String(value);
  if (isTomlTable(value)) {
    const pairs = Object.entries(value).map(([key, item]) => `${keyToToml(key)} = ${valueToToml(item)}`);
    return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
  }
  return `[${value.map(valueToToml).join(", ")}]`;
}

function numberToToml(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  // Beyond 2^53 an integer would come back as one of another type.
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? `${text}.0` : text;
}

/** `literal`: single quotes are allowed, which spare the doubled backslashes of Windows paths. */
function textToToml(text: string, options: { readonly literal: boolean }): string {
  if (options.literal && text.includes("\\") && !/['\p{Cc}]/u.test(text) && text.isWellFormed()) return `'${text}'`;
  return JSON.stringify(text.toWellFormed()).replace(/\x7f/g, "\\u007f");
}
