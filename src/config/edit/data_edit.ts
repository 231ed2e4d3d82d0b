/** Edits as data: what a document must say afterwards. The text is changed elsewhere and checked against this. */
import { ChangeConflict } from "../rewrite_file.ts";
import { define, isTable } from "../schema.ts";
import type { Document } from "../parse_document.ts";
import type { TomlValue } from "./toml_value.ts";

/** A key, an index, or the entry of an array of tables with that name. */
export type EditStep = string | number | { readonly name: string };
export type EditPath = readonly EditStep[];

export type ConfigEdit =
  | { readonly set: EditPath; readonly value: TomlValue }
  | { readonly remove: EditPath }
  /** Adds to the end of an array or array of tables, which comes into being when it is missing. */
  | { readonly append: EditPath; readonly value: TomlValue };

/** The same with every entry found: only keys and indexes. */
export type PlainPath = readonly (string | number)[];
export type PlainEdit =
  | { readonly kind: "set"; readonly path: PlainPath; readonly value: TomlValue }
  | { readonly kind: "remove"; readonly path: PlainPath }
  | { readonly kind: "append"; readonly path: PlainPath; readonly value: TomlValue };

/** The edit cannot be made in this document. The message names the place. */
export class EditConflict extends ChangeConflict {
  override readonly name = "EditConflict";
}

/** Undefined for a removal of what is not there: nothing is to be done. */
export function resolveEdit(document: Document, edit: ConfigEdit): PlainEdit | undefined {
  const kind = "set" in edit ? "set" : "remove" in edit ? "remove" : "append";
  const steps = "set" in edit ? edit.set : "remove" in edit ? edit.remove : edit.append;
  const path: (string | number)[] = [];
  let at: unknown = document;
  for (const step of steps) {
    const key = typeof step === "object" ? entryNamed(at, step.name) : step;
    if (key === undefined) {
      if (kind === "remove") return undefined;
      throw new EditConflict(
        `${describePath(path)} has no entry named ${JSON.stringify((step as { name: string }).name)}`,
      );
    }
    path.push(key);
    at = childOf(at, key);
  }
  if (path.length === 0) throw new EditConflict("an edit names no key");
  if ("remove" in edit) return at === undefined ? undefined : { kind: "remove", path };
  return { kind: kind as "set" | "append", path, value: edit.value };
}

function entryNamed(at: unknown, name: string): number | undefined {
  if (!Array.isArray(at)) return undefined;
  const index = at.findIndex((item) => isTable(item) && item["name"] === name);
  return index < 0 ? undefined : index;
}

/** A changed copy. Throws `EditConflict` where a value is in the way. */
export function applyEdit(document: Document, edit: PlainEdit): Document {
  const result = copy(document) as Document;
  const parent = edit.path.slice(0, -1);
  const last = edit.path.at(-1)!;
  let at: unknown = result;
  parent.forEach((key, depth) => {
    let next = childOf(at, key);
    if (next === undefined && typeof key === "string" && isTable(at)) {
      next = {};
      define(at, key, next);
    }
    if (!isTable(next) && !Array.isArray(next)) {
      throw new EditConflict(`${describePath(parent.slice(0, depth + 1))} is not a table`);
    }
    at = next;
  });
  if (edit.kind === "remove") removeChild(at, last);
  else if (edit.kind === "set") {
    if (Array.isArray(at)) keepToTables(at, edit);
    setChild(at, last, copy(edit.value), edit.path);
  } else {
    const list = childOf(at, last) ?? [];
    if (!Array.isArray(list)) throw new EditConflict(`${describePath(edit.path)} is not a list`);
    keepToTables(list, edit);
    setChild(at, last, [...list, copy(edit.value)], edit.path);
  }
  return result;
}

/** A list of tables, such as `[[providers]]`, has no other elements. */
function keepToTables(list: readonly unknown[], edit: PlainEdit): void {
  if (edit.kind === "remove" || list.length === 0 || !list.every(isTable) || isTable(edit.value)) return;
  throw new EditConflict(`${describePath(edit.path)} can only be a table`);
}

function childOf(at: unknown, key: string | number): unknown {
  if (typeof key === "number") return Array.isArray(at) ? at[key] : undefined;
  return isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined;
}

function setChild(at: unknown, key: string | number, value: unknown, path: PlainPath): void {
  if (typeof key === "string" && isTable(at)) define(at, key, value);
  else if (typeof key === "number" && Array.isArray(at) && key < at.length) at[key] = value;
  else throw new EditConflict(`${describePath(path)} is not there to be set`);
}

function removeChild(at: unknown, key: string | number): void {
  if (typeof key === "number" && Array.isArray(at)) at.splice(key, 1);
  else if (isTable(at)) delete at[key];
}

function describePath(path: PlainPath): string {
  return path.length === 0 ? "the file" : path.join(".");
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isTable(value)) return value;
  const out = {};
  for (const [key, item] of Object.entries(value)) define(out, key, copy(item));
  return out;
}

/** Equal as settings: empty tables and missing ones mean the same. */
export function sameData(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => sameData(item, b[i]));
  if (isTable(a) && isTable(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].every((name) => {
      const [left, right] = [childOf(a, name), childOf(b, name)];
      if (left === undefined || right === undefined) return isHollow(left ?? right);
      return sameData(left, right);
    });
  }
  if (a instanceof Date && b instanceof Date) return a.toISOString() === b.toISOString();
  return Object.is(a, b) || (a === 0 && b === 0);
}

function isHollow(value: unknown): boolean {
  return isTable(value) && Object.values(value).every(isHollow);
}
