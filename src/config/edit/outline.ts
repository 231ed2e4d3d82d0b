/** Where the keys, tables and list elements of a TOML text stand. */
import { type AST, parseTOML } from "toml-eslint-parser";
import type { PlainPath } from "./data_edit.ts";

/** A `key = value`, on a line of its own or within an inline table. */
export interface PairSpot {
  readonly pair: AST.TOMLKeyValue;
  /** What the pair stands in, and the path of that. */
  readonly container: AST.TOMLTopLevelTable | AST.TOMLTable | AST.TOMLInlineTable;
  readonly base: PlainPath;
  readonly path: PlainPath;
}

export interface ElementSpot {
  readonly element: AST.TOMLContentNode;
  readonly list: AST.TOMLArray;
  readonly path: PlainPath;
}

export interface TableSpot {
  readonly table: AST.TOMLTable;
  readonly path: PlainPath;
}

export interface Outline {
  readonly root: AST.TOMLTopLevelTable;
  /** In the order of the text. */
  readonly pairs: readonly PairSpot[];
  readonly elements: readonly ElementSpot[];
  readonly tables: readonly TableSpot[];
}

/** Throws what the parser throws. */
export function outlineOf(text: string): Outline {
  const root = parseTOML(text, { tomlVersion: "1.1" }).body[0];
  const pairs: PairSpot[] = [];
  const elements: ElementSpot[] = [];
  const tables: TableSpot[] = [];

  const addPair = (pair: AST.TOMLKeyValue, container: PairSpot["container"], base: PlainPath) => {
    const path = [...base, ...pair.key.keys.map((key) => key.type === "TOMLBare" ? key.name : key.value)];
    pairs.push({ pair, container, base, path });
    addValue(pair.value, path);
  };
  const addValue = (value: AST.TOMLContentNode, path: PlainPath) => {
    if (value.type === "TOMLInlineTable") { for (const pair of value.body) addPair(pair, value, path); }
    if (value.type === "TOMLArray") {
      value.elements.forEach((element, index) => {
        elements.push({ element, list: value, path: [...path, index] });
        addValue(element, [...path, index]);
      });
    }
  };
  for (const item of root.body) {
    if (item.type === "TOMLKeyValue") addPair(item, root, []);
    else {
      tables.push({ table: item, path: item.resolvedKey });
      for (const pair of item.body) addPair(pair, item, item.resolvedKey);
    }
  }
  return { root, pairs, elements, tables };
}

export function samePath(a: PlainPath, b: PlainPath): boolean {
  return a.length === b.length && startsWith(a, b);
}

/** True for the path itself as well. */
export function startsWith(path: PlainPath, start: PlainPath): boolean {
  return start.length <= path.length && start.every((part, index) => path[index] === part);
}

/** The inline table at a path, as a value or as an element of a list. */
export function inlineTableAt(outline: Outline, path: PlainPath): AST.TOMLInlineTable | undefined {
  const value = outline.pairs.find((spot) => samePath(spot.path, path))?.pair.value ??
    outline.elements.find((spot) => samePath(spot.path, path))?.element;
  return value?.type === "TOMLInlineTable" ? value : undefined;
}

/** The last pair whose dotted key runs through `path`, so that no header may open that table. */
export function dottedThrough(outline: Outline, path: PlainPath): PairSpot | undefined {
  return outline.pairs.findLast((spot) =>
    spot.base.length < path.length && spot.path.length > path.length && startsWith(spot.path, path)
  );
}
