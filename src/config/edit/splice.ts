/**
 * One edit of a TOML text, with as few characters touched as it takes: comments, order, quotes and blank lines stay.
 * What comes out is to be parsed and compared by the caller; nothing here is believed.
 */
import type { AST } from "toml-eslint-parser";
import type { PlainEdit, PlainPath } from "./data_edit.ts";
import {
  dottedThrough,
  inlineTableAt,
  type Outline,
  outlineOf,
  type PairSpot,
  samePath,
  startsWith,
} from "./outline.ts";
import { dottedKeyToToml, isTomlTable, keyToToml, type TomlValue, valueToToml } from "./toml_value.ts";

export function spliceEdit(text: string, edit: PlainEdit): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const splicer = new Splicer(text, newline);
  switch (edit.kind) {
    case "set":
      return splicer.set(edit.path, edit.value);
    case "remove":
      return splicer.remove(edit.path);
    case "append":
      return splicer.append(edit.path, edit.value);
  }
}

type Entries = readonly (readonly [string, TomlValue])[];

class Splicer {
  #text: string;
  #outline: Outline;
  readonly #newline: string;

  constructor(text: string, newline: string) {
    this.#text = text;
    this.#outline = outlineOf(text);
    this.#newline = newline;
  }

  set(path: PlainPath, value: TomlValue): string {
    const pair = this.#outline.pairs.find((spot) => samePath(spot.path, path));
    const element = this.#outline.elements.find((spot) => samePath(spot.path, path));
    const old = pair?.pair.value ?? element?.element;
    if (old) return this.#replace(old.range[0], old.range[1], valueToToml(value));
    if (typeof path.at(-1) === "number") this.#emptyEntry(path);
    else if (this.#isAnything(path)) this.remove(path);
    if (isTomlTable(value)) return this.#insert(path, Object.entries(value));
    return this.#insert(path.slice(0, -1), [[String(path.at(-1)), value]]);
  }

  append(path: PlainPath, value: TomlValue): string {
    const list = this.#outline.pairs.find((spot) => samePath(spot.path, path))?.pair.value ??
      this.#outline.elements.find((spot) => samePath(spot.path, path))?.element;
    if (list?.type === "TOMLArray") return this.#appendElement(list, valueToToml(value));
    const lastEntry = this.#outline.tables.findLast((spot) => startsWith(spot.path, path));
    const blockFits = isTomlTable(value) && (lastEntry !== undefined || this.#takesHeaders(path.slice(0, -1)));
    if (!blockFits) return this.#insert(path.slice(0, -1), [[String(path.at(-1)), [value]]]);
    const header = `[[${headerKey(path)}]]`;
    return this.#insertBlock(path, header, Object.entries(value));
  }

  /** Removes every piece of the value; a table may be spread over headers and dotted keys. */
  remove(path: PlainPath): string {
    for (;;) {
      const before = this.#text;
      this.#removePiece(path);
      if (this.#text === before) return this.#text;
      this.#outline = outlineOf(this.#text);
      // The next element of a list has moved to this place.
      if (typeof path.at(-1) === "number") return this.#text;
    }
  }

  /** Everything of one `[[entry]]` but its header. */
  #emptyEntry(path: PlainPath): void {
    const inside = (spot: { readonly path: PlainPath }) =>
      startsWith(spot.path, path) && spot.path.length > path.length;
    for (;;) {
      const next = this.#outline.pairs.find(inside) ?? this.#outline.tables.findLast(inside);
      if (next === undefined) return;
      if ("pair" in next) this.#removePair(next);
      else this.#removeTable(next.table);
      this.#outline = outlineOf(this.#text);
    }
  }

  #removePiece(path: PlainPath): void {
    const element = this.#outline.elements.find((spot) => samePath(spot.path, path));
    if (element) {
      this.#removeFromList(element.list, element.list.elements, element.list.elements.indexOf(element.element));
      return;
    }
    const pair = this.#outline.pairs.find((spot) => startsWith(spot.path, path) && spot.base.length < path.length);
    if (pair) return this.#removePair(pair);
    // From the end, so that a table of an entry goes before the entry it belongs to.
    const tables = this.#outline.tables.filter((spot) => startsWith(spot.path, path));
    for (const { table } of tables.toReversed()) this.#removeTable(table);
  }

  #removePair({ pair, container }: PairSpot): void {
    if (container.type === "TOMLInlineTable") {
      this.#removeFromList(container, container.body, container.body.indexOf(pair));
    } else this.#cutLines(pair.range[0], pair.range[1]);
  }

  #removeTable(table: AST.TOMLTable): void {
    this.#cutLines(table.range[0], this.#endOfTable(table));
  }

  /** Members of an array or inline table. One alone on its line goes with the line, so that comments stay with theirs. */
  #removeFromList(list: AST.TOMLNode, members: readonly AST.TOMLNode[], index: number): void {
    const member = members[index]!;
    const [start, end] = member.range;
    const before = this.#text.slice(this.#lineStart(start), start);
    const after = this.#text.slice(end, this.#lineEnd(end));
    if (list.type === "TOMLArray" && before.trim() === "" && /^\s*(,\s*(#.*)?)?$/.test(after)) {
      this.#replace(this.#lineStart(start), this.#nextLine(end), "");
    } else if (members.length === 1) this.#replace(start, this.#pastComma(end), "");
    else if (index === members.length - 1) this.#replace(members[index - 1]!.range[1], end, "");
    else this.#replace(start, members[index + 1]!.range[0], "");
  }

  #pastComma(at: number): number {
    const comma = /^\s*,/.exec(this.#text.slice(at));
    return comma ? at + comma[0].length : at;
  }

  /** Keys into the table at `parent`, which may be written in any of TOML's ways or not at all. */
  #insert(parent: PlainPath, entries: Entries): string {
    for (let length = parent.length; length >= 0; length--) {
      const above = parent.slice(0, length);
      const rest = parent.slice(length).map(String);
      const inline = inlineTableAt(this.#outline, above);
      if (inline) return this.#insertInline(inline, rest, entries);
      const dotted = length > 0 ? dottedThrough(this.#outline, above) : undefined;
      if (dotted) return this.#insertDotted(dotted, parent, entries);
      const table = this.#outline.tables.find((spot) => samePath(spot.path, above))?.table;
      if (length === parent.length && table) return this.#insertIntoTable(table, entries);
      if (parent.length === 0) return this.#insertAtRoot(entries);
      if (table || length === 0 || this.#outline.tables.some((spot) => startsWith(spot.path, above))) {
        return this.#insertBlock(parent, `[${headerKey(parent)}]`, entries);
      }
    }
    return this.#text;
  }

  /** True when a header may open tables below `path`. */
  #takesHeaders(path: PlainPath): boolean {
    for (let length = path.length; length > 0; length--) {
      const above = path.slice(0, length);
      if (inlineTableAt(this.#outline, above) || dottedThrough(this.#outline, above)) return false;
      if (this.#outline.tables.some((spot) => startsWith(spot.path, above))) return true;
    }
    return true;
  }

  #insertInline(table: AST.TOMLInlineTable, rest: readonly string[], entries: Entries): string {
    const pairs = entriesUnder(rest, entries);
    if (pairs.length === 0) return this.#text;
    const last = table.body.at(-1);
    if (last) return this.#replace(last.range[1], last.range[1], `, ${pairs.join(", ")}`);
    return this.#replace(table.range[0], table.range[1], `{ ${pairs.join(", ")} }`);
  }

  #insertDotted(neighbour: PairSpot, parent: PlainPath, entries: Entries): string {
    const pairs = entriesUnder(parent.slice(neighbour.base.length).map(String), entries);
    const { range } = neighbour.pair;
    if (neighbour.container.type === "TOMLInlineTable") {
      return this.#replace(range[1], range[1], pairs.map((pair) => `, ${pair}`).join(""));
    }
    return this.#insertLines(this.#nextLine(range[1]), pairs.map((pair) => this.#indentOf(range[0]) + pair));
  }

  #insertIntoTable(table: AST.TOMLTable, entries: Entries): string {
    const last = table.body.at(-1);
    const indent = this.#indentOf((last ?? table).range[0]);
    const lines = entriesUnder([], entries).map((pair) => indent + pair);
    return this.#insertLines(this.#nextLine(last ? last.range[1] : this.#endOfHeader(table)), lines);
  }

  #insertAtRoot(entries: Entries): string {
    const lines = entriesUnder([], entries);
    const last = this.#outline.root.body.findLast((item) => item.type === "TOMLKeyValue");
    if (last) return this.#insertLines(this.#nextLine(last.range[1]), lines);
    const first = this.#outline.root.body[0];
    if (first) return this.#insertLines(this.#startOfComments(first.range[0]), [...lines, ""]);
    return this.#insertLines(this.#text.length, lines);
  }

  /** A header with its keys, behind the tables it belongs to, else at the end. */
  #insertBlock(path: PlainPath, header: string, entries: Entries): string {
    const lines = [header, ...entriesUnder([], entries)];
    for (let length = path.length; length > 0; length--) {
      const kin = this.#outline.tables.findLast((spot) => startsWith(spot.path, path.slice(0, length)));
      if (!kin) continue;
      const at = this.#nextLine(this.#endOfTable(kin.table));
      const followed = at < this.#text.length && !/^\s*(\r?\n|$)/.test(this.#text.slice(at));
      return this.#insertLines(at, ["", ...lines, ...(followed ? [""] : [])]);
    }
    const text = this.#text.trimEnd();
    if (text === "") return this.#insertLines(this.#text.length, lines);
    return this.#insertLines(this.#text.length, ["", ...lines]);
  }

  #appendElement(list: AST.TOMLArray, element: string): string {
    const last = list.elements.at(-1);
    const close = list.range[1] - 1;
    if (!last) {
      const inside = this.#text.slice(list.range[0] + 1, close);
      if (inside.trim() === "") return this.#replace(list.range[0], list.range[1], `[${element}]`);
      // Only comments inside: the bracket is on a line of its own.
      return this.#replace(this.#lineStart(close), this.#lineStart(close), `  ${element},${this.#newline}`);
    }
    const [start, end] = last.range;
    const indent = this.#text.slice(this.#lineStart(start), start);
    const alone = indent.trim() === "" && this.#lineStart(start) > list.range[0];
    if (!alone || this.#lineEnd(end) >= close) return this.#replace(end, end, `, ${element}`);
    const comma = /^\s*,/.test(this.#text.slice(end, close)) ? "" : ",";
    const line = this.#nextLine(comma === "" ? this.#pastComma(end) : end);
    const head = this.#text.slice(0, end) + comma + this.#text.slice(end, line);
    this.#text = `${head}${indent}${element},${this.#newline}${this.#text.slice(line)}`;
    return this.#text;
  }

  #insertLines(at: number, lines: readonly string[]): string {
    const broken = at > 0 && !this.#text.slice(0, at).endsWith("\n");
    return this.#replace(at, at, (broken ? this.#newline : "") + lines.map((line) => line + this.#newline).join(""));
  }

  #replace(start: number, end: number, by: string): string {
    this.#text = this.#text.slice(0, start) + by + this.#text.slice(end);
    return this.#text;
  }

  /** Whole lines from one position to another, and one of two blank lines that meet then. */
  #cutLines(start: number, end: number): void {
    const from = this.#lineStart(start);
    let to = this.#nextLine(end);
    const blankBefore = from === 0 || /\n[ \t]*\r?\n$/.test(this.#text.slice(0, from));
    const blankAfter = /^[ \t]*\r?\n/.exec(this.#text.slice(to));
    if (blankBefore && blankAfter) to += blankAfter[0].length;
    this.#replace(from, to, "");
  }

  #endOfTable(table: AST.TOMLTable): number {
    return table.body.at(-1)?.range[1] ?? this.#endOfHeader(table);
  }

  #endOfHeader(table: AST.TOMLTable): number {
    return this.#text.indexOf("]", table.key.range[1]) + (table.kind === "array" ? 2 : 1);
  }

  #isAnything(path: PlainPath): boolean {
    return this.#outline.tables.some((spot) => startsWith(spot.path, path)) ||
      this.#outline.pairs.some((spot) => startsWith(spot.path, path));
  }

  #indentOf(at: number): string {
    return /^[ \t]*/.exec(this.#text.slice(this.#lineStart(at), at))![0];
  }

  #lineStart(at: number): number {
    return this.#text.lastIndexOf("\n", at - 1) + 1;
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf("\n", at);
    return end < 0 ? this.#text.length : end;
  }

  #nextLine(at: number): number {
    return Math.min(this.#text.length, this.#lineEnd(at) + 1);
  }

  /** The start of the comment lines right above a position. */
  #startOfComments(at: number): number {
    let start = this.#lineStart(at);
    while (start > 0) {
      const above = this.#lineStart(start - 1);
      if (!/^[ \t]*#/.test(this.#text.slice(above, start))) break;
      start = above;
    }
    return start;
  }
}

/** Indexes are not written: a header means the newest entry of a list, and it is placed there. */
function headerKey(path: PlainPath): string {
  return dottedKeyToToml(path.filter((part) => typeof part === "string"));
}

function entriesUnder(rest: readonly string[], entries: Entries): string[] {
  const prefix = rest.length === 0 ? "" : `${dottedKeyToToml(rest)}.`;
  return entries.map(([key, value]) => `${prefix}${keyToToml(key)} = ${valueToToml(value)}`);
}
