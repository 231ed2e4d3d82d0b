/**
 * One parsed document against the table of settings: the values that count, under their names in memory, and findings
 * about everything else. Pure.
 */
import { ownValue } from "../lib/own_value.ts";
import type { Finding, KeyPath } from "./findings.ts";
import { ROOT } from "./keys/root.ts";
import { type AnyLeaf, camel, define, type Fields, isTable, type Node, type Scope } from "./schema.ts";
import { Suggester } from "./suggest.ts";

/** Only what the file names; nested as `Config` is. */
export type LayerValues = Readonly<Record<string, unknown>>;

export interface Layer {
  readonly values: LayerValues;
  readonly findings: readonly Finding[];
}

export function readLayer(document: Record<string, unknown>, file: "user" | "project"): Layer {
  const findings: Finding[] = [];
  const reader = new Reader(file, findings);
  return { values: reader.fields(ROOT.fields, document, []), findings };
}

/** One entry of a list from elsewhere, such as a server declared in JSON. */
export function readEntry(fields: Fields, entry: Record<string, unknown>): Layer {
  const findings: Finding[] = [];
  return { values: new Reader("user", findings).entry(fields, entry, []) as LayerValues, findings };
}

class Reader {
  readonly #suggester = new Suggester();
  readonly #file: "user" | "project";
  readonly #findings: Finding[];

  constructor(file: "user" | "project", findings: Finding[]) {
    this.#file = file;
    this.#findings = findings;
  }

  fields(fields: Fields, raw: Record<string, unknown>, path: KeyPath): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(raw)) {
      const at = [...path, key];
      const node = ownValue(fields, key);
      if (!node) this.#unknown(at, value);
      else if (this.#counts(node.scope, at, node)) {
        const read = this.#node(node, value, at);
        if (read !== undefined) out[camel(key)] = read;
        if (node.notYet !== undefined && differs(node, read)) {
          this.#findings.push({ kind: "not_yet", path: at, guard: node.notYet === "guard" });
        }
      }
    }
    return out;
  }

  #counts(scope: Scope | undefined, path: KeyPath, node: Node): boolean {
    if (scope === "user" && this.#file === "project") {
      this.#findings.push({ kind: "user_only", path });
      return false;
    }
    if (scope === "retired") this.#findings.push({ kind: "retired", path, text: node.meaning });
    return node.node !== "unused";
  }

  #node(node: Node, raw: unknown, path: KeyPath): unknown {
    switch (node.node) {
      case "leaf":
        return this.#leaf(node, raw, path);
      case "table":
        if (!isTable(raw)) return this.#wrong(path, `a table, written [${tableName(path)}]`, raw);
        return this.fields(node.fields, raw, path);
      case "dictionary": {
        if (!isTable(raw)) return this.#wrong(path, `a table, written [${tableName(path)}]`, raw);
        const out = {};
        for (const [key, value] of Object.entries(raw)) {
          const read = this.#node(node.of, value, [...path, key]);
          if (read !== undefined) define(out, key, read);
        }
        return out;
      }
      case "entries": {
        if (!Array.isArray(raw)) return this.#wrong(path, `a list of tables, written [[${tableName(path)}]]`, raw);
        return raw.map((item, index) => this.entry(node.fields, item, [...path, index]));
      }
    }
  }

  entry(fields: Fields, raw: unknown, path: KeyPath): unknown {
    if (!isTable(raw)) return this.#wrong(path, "a table", raw) ?? {};
    for (const [key, node] of Object.entries(fields)) {
      if (node.node !== "leaf" || !node.required) continue;
      const value = raw[key];
      if (value === undefined || value === "") this.#findings.push({ kind: "missing", path, key });
    }
    return this.fields(fields, raw, path);
  }

  #leaf(leaf: AnyLeaf, raw: unknown, path: KeyPath): unknown {
    const reading = leaf.read(raw);
    if (!reading) return this.#wrong(path, leaf.expected, raw);
    if (reading.adjusted !== undefined) this.#findings.push({ kind: "adjusted", path, text: reading.adjusted });
    return reading.value;
  }

  #wrong(path: KeyPath, expected: string, raw: unknown): undefined {
    this.#findings.push({ kind: "type", path, expected, found: describe(raw) });
  }

  #unknown(path: KeyPath, value: unknown): void {
    this.#findings.push({
      kind: "unknown",
      path,
      ...this.#suggester.suggest(path, value),
    });
  }
}

/** From what holds without it. */
function differs(node: Node, read: unknown): boolean {
  if (node.node !== "leaf") return Object.keys(read ?? {}).length > 0;
  return JSON.stringify(read) !== JSON.stringify(node.fallback);
}

function tableName(path: KeyPath): string {
  return path.filter((part) => typeof part === "string").join(".");
}

/** A value in words. Texts are cut; they may be secrets only where the key expects no text. */
function describe(raw: unknown): string {
  if (typeof raw === "string") return "text";
  if (typeof raw === "number" || typeof raw === "bigint") return `the number ${raw}`;
  if (typeof raw === "boolean") return String(raw);
  if (Array.isArray(raw)) return "a list";
  if (raw instanceof Date) return "a date";
  return "a table";
}
