/**
 * The language the table of settings (keys/) is written in: leaves with a type, a default and a meaning, joined into
 * tables. Reading, type checks, merging, the `Config` type, docs/CONFIG.md and the example file all follow from it.
 */

import { showPath } from "../lib/shown_path.ts";

/**
 * Who may set a key. `any`: user and project file. `user`: ignored in a project file. `inert`: read and kept, without
 * effect. `retired`: without effect and removed by the one-time migration.
 */
export type Scope = "any" | "user" | "inert" | "retired";

/** A value as read. `adjusted` says in words what was made of a value out of range. Undefined: wrong type. */
export type Reading<T> = { readonly value: T; readonly adjusted?: string } | undefined;

interface About {
  /** One line for people; also the text in docs/CONFIG.md. */
  readonly meaning: string;
  readonly scope?: Scope;
  /** Read, checked and kept, and no code acts on it. A `guard` is one that people rely on: setting it warns. */
  readonly notYet?: "option" | "guard";
}

export interface LeafOptions<T> {
  readonly scope?: Scope;
  /** How a higher layer joins a lower one. Absent: it replaces it. */
  readonly merge?: (below: T, above: T) => T;
  /** True when a project's value gives away safety the layers below it had. Such a value needs a trusted folder. */
  readonly loosens?: (project: T, below: T) => boolean;
  /** The part of a loosening value that still holds in a folder that is not trusted. Absent: nothing of it. */
  readonly untrusted?: (project: T, below: T) => T;
  /** An entry without this key is refused. */
  readonly required?: boolean;
  /** May hold a key or a password: its value is never shown. */
  readonly secret?: boolean;
  /** For the documentation, where the default is made elsewhere. */
  readonly shown?: string;
  /** For the documentation, where it says more than `expected`. */
  readonly takes?: string;
}

export interface Leaf<T> extends About, LeafOptions<T> {
  readonly node: "leaf";
  /** What messages say was expected, such as `a whole number`. */
  readonly expected: string;
  readonly fallback: T;
  read(raw: unknown): Reading<T>;
}

// deno-lint-ignore no-explicit-any
export type AnyLeaf = Leaf<any>;
export type Fields = { readonly [key: string]: Node };

export interface Table<F extends Fields> extends About {
  readonly node: "table";
  readonly fields: F;
}

/** An array of tables: `[[name]]`. */
export interface Entries<F extends Fields> extends About {
  readonly node: "entries";
  readonly fields: F;
}

/** A table whose keys the user chooses. */
export interface Dictionary<N extends Node> extends About {
  readonly node: "dictionary";
  readonly of: N;
}

/** A key that parses, whatever its value, and does nothing. Not part of `Config`. */
export interface Unused extends About {
  readonly node: "unused";
  readonly scope: "inert" | "retired";
}

export type Node = AnyLeaf | Unused | Table<Fields> | Entries<Fields> | Dictionary<AnyLeaf | Table<Fields>>;

export type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

/** The value a node has in memory. */
export type Value<N> = N extends Leaf<infer T> ? T
  : N extends Table<infer F> ? Values<F>
  : N extends Entries<infer F> ? readonly Values<F>[]
  : N extends Dictionary<infer V> ? Readonly<Record<string, Value<V>>>
  : never;

export type Values<F extends Fields> = {
  readonly [K in keyof F as F[K] extends Unused ? never : Camel<K & string>]: Value<F[K]>;
};

export function camel(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function leaf<T>(
  expected: string,
  fallback: T,
  meaning: string,
  read: (raw: unknown) => Reading<T>,
  options: LeafOptions<T> = {},
): Leaf<T> {
  return { node: "leaf", expected, fallback, meaning, read, ...options };
}

export function text(fallback: string, meaning: string, options?: LeafOptions<string>): Leaf<string> {
  return leaf("text", fallback, meaning, (raw) => typeof raw === "string" ? { value: raw } : undefined, options);
}

/** Text that may be absent; blank text counts as absent. */
export function maybeText(meaning: string, options?: LeafOptions<string | undefined>): Leaf<string | undefined> {
  return leaf<string | undefined>(
    "text",
    undefined,
    meaning,
    (raw) => typeof raw === "string" ? { value: raw.trim() === "" ? undefined : raw } : undefined,
    options,
  );
}

export function flag(fallback: boolean, meaning: string, options?: LeafOptions<boolean>): Leaf<boolean> {
  return leaf(
    "true or false",
    fallback,
    meaning,
    (raw) => typeof raw === "boolean" ? { value: raw } : undefined,
    options,
  );
}

export function maybeFlag(
  meaning: string,
  options?: LeafOptions<boolean | undefined>,
): Leaf<boolean | undefined> {
  return leaf<boolean | undefined>(
    "true or false",
    undefined,
    meaning,
    (raw) => typeof raw === "boolean" ? { value: raw } : undefined,
    options,
  );
}

export interface Range {
  readonly min?: number;
  readonly max?: number;
  /** What becomes of a value outside: the nearest bound (default), or the default of the key. */
  readonly outside?: "clamp" | "default";
}

/** TOML integers beyond 2^53 come as bigint. */
function numeric(raw: unknown): number | undefined {
  if (typeof raw === "bigint") return Number(raw);
  return typeof raw === "number" ? raw : undefined;
}

function bounded(value: number, fallback: number, range: Range): Reading<number> {
  const { min = -Infinity, max = Infinity } = range;
  if (value >= min && value <= max) return { value };
  const used = range.outside === "default" || Number.isNaN(value) ? fallback : Math.min(max, Math.max(min, value));
  return { value: used, adjusted: `${value} is out of range; ${used} is used` };
}

function rangeText(kind: string, { min, max }: Range): string {
  if (min !== undefined && max !== undefined) return `${kind}, ${min} to ${max}`;
  return min === undefined ? kind : `${kind}, ${min} or more`;
}

export function whole(
  fallback: number,
  meaning: string,
  options: LeafOptions<number> & Range = {},
): Leaf<number> {
  const { min, max, outside, ...rest } = options;
  const takes = rangeText("a whole number", { min, max });
  return leaf("a whole number", fallback, meaning, (raw) => {
    const value = numeric(raw);
    if (value === undefined || !(Number.isInteger(value) || Math.abs(value) === Infinity)) return undefined;
    return bounded(value, fallback, {
      min: min ?? Number.MIN_SAFE_INTEGER,
      max: max ?? Number.MAX_SAFE_INTEGER,
      outside,
    });
  }, { takes, ...rest });
}

export function decimal(
  fallback: number,
  meaning: string,
  options: LeafOptions<number> & Range = {},
): Leaf<number> {
  const { min, max, outside, ...rest } = options;
  return leaf("a number", fallback, meaning, (raw) => {
    const value = numeric(raw);
    return value === undefined ? undefined : bounded(value, fallback, { min, max, outside });
  }, { takes: rangeText("a number", { min, max }), ...rest });
}

export function maybeNumber(
  meaning: string,
  options?: LeafOptions<number | undefined>,
): Leaf<number | undefined> {
  return leaf<number | undefined>("a number", undefined, meaning, (raw) => {
    const value = numeric(raw);
    return value === undefined || Number.isNaN(value) ? undefined : { value };
  }, options);
}

/** One of some words, matched without regard to case. */
export function choice<const W extends string>(
  words: readonly W[],
  fallback: NoInfer<W>,
  meaning: string,
  options: LeafOptions<W> & {
    readonly aliases?: Readonly<Record<string, NoInfer<W>>>;
    /** Stop on an unknown word instead of taking the default: for settings where a slip would cost safety. */
    readonly strict?: boolean;
  } = {},
): Leaf<W> {
  const { aliases, strict, ...rest } = options;
  const names = words.filter((word) => word !== "").map((word) => `"${word}"`).join(", ");
  return leaf<W>(`one of ${names}`, fallback, meaning, (raw) => {
    if (typeof raw !== "string") return undefined;
    const word = raw.trim().toLowerCase();
    const known = words.find((w) => w.toLowerCase() === word) ?? aliases?.[word];
    if (known !== undefined) return { value: known };
    if (strict) return undefined;
    return { value: fallback, adjusted: `"${showPath(raw)}" is not one of ${names}; "${fallback}" is used` };
  }, rest);
}

export function list(
  fallback: readonly string[],
  meaning: string,
  options?: LeafOptions<readonly string[]>,
): Leaf<readonly string[]> {
  return leaf("a list of texts", fallback, meaning, readList, options);
}

/** A list that may also be written as one text with commas. */
export function commaList(
  fallback: readonly string[],
  meaning: string,
  options?: LeafOptions<readonly string[]>,
): Leaf<readonly string[]> {
  const read = (raw: unknown) =>
    typeof raw === "string"
      ? { value: raw.split(",").map((item) => item.trim()).filter((item) => item !== "") }
      : readList(raw);
  return leaf<readonly string[]>("a list of texts", fallback, meaning, read, options);
}

export function maybeList(
  meaning: string,
  options?: LeafOptions<readonly string[] | undefined>,
): Leaf<readonly string[] | undefined> {
  return leaf<readonly string[] | undefined>("a list of texts", undefined, meaning, readList, options);
}

function readList(raw: unknown): Reading<readonly string[]> {
  return Array.isArray(raw) && raw.every((item) => typeof item === "string") ? { value: raw } : undefined;
}

/** A table of texts; numbers and booleans are taken as their text, as variables and headers are. */
export function textMap(
  meaning: string,
  options?: LeafOptions<Readonly<Record<string, string>>>,
): Leaf<Readonly<Record<string, string>>> {
  return leaf<Readonly<Record<string, string>>>("a table of texts", {}, meaning, (raw) => {
    if (!isTable(raw)) return undefined;
    const value: Record<string, string> = {};
    for (const [key, item] of Object.entries(raw)) {
      if (!["string", "number", "bigint", "boolean"].includes(typeof item)) return undefined;
      define(value, key, String(item));
    }
    return { value };
  }, options);
}

export function numberMap(
  meaning: string,
  options?: LeafOptions<Readonly<Record<string, number>>>,
): Leaf<Readonly<Record<string, number>>> {
  return leaf<Readonly<Record<string, number>>>("a table of numbers", {}, meaning, (raw) => {
    if (!isTable(raw)) return undefined;
    const value: Record<string, number> = {};
    for (const [key, item] of Object.entries(raw)) {
      const number = numeric(item);
      if (number === undefined || Number.isNaN(number)) return undefined;
      define(value, key, number);
    }
    return { value };
  }, options);
}

/** A table this version passes on without looking inside. */
export function anyTable(
  meaning: string,
  options?: LeafOptions<Readonly<Record<string, unknown>>>,
): Leaf<Readonly<Record<string, unknown>>> {
  return leaf<Readonly<Record<string, unknown>>>(
    "a table",
    {},
    meaning,
    (raw) => isTable(raw) ? { value: plain(raw) as Record<string, unknown> } : undefined,
    options,
  );
}

export function unused(scope: "inert" | "retired", meaning: string): Unused {
  return { node: "unused", scope, meaning };
}

export function table<const F extends Fields>(meaning: string, fields: F, scope?: Scope): Table<F> {
  return { node: "table", meaning, fields, scope };
}

export function entries<const F extends Fields>(meaning: string, fields: F, scope?: Scope): Entries<F> {
  return { node: "entries", meaning, fields, scope };
}

export function dictionary<N extends AnyLeaf | Table<Fields>>(meaning: string, of: N, scope?: Scope): Dictionary<N> {
  return { node: "dictionary", meaning, of, scope };
}

/** Marks what no code acts on so far, with all that is in it. docs/CONFIG.md says so, and `doctor` where it is set. */
export function notYet<N extends Node>(node: N, as: "option" | "guard" = "option"): N {
  return { ...node, notYet: as };
}

export function isTable(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw) && !(raw instanceof Date);
}

/** Own property whatever the name: `__proto__` in a file is a key like any other. */
export function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Plain data out of what the TOML reader answers: dates as their text, big integers as numbers. */
export function plain(raw: unknown): unknown {
  if (Array.isArray(raw)) return raw.map(plain);
  if (raw instanceof Date) return raw.toISOString();
  if (typeof raw === "bigint") return Number(raw);
  if (!isTable(raw)) return raw;
  const out = {};
  for (const [key, value] of Object.entries(raw)) define(out, key, plain(value));
  return out;
}
