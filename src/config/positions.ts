/** Line and column of a key in a document that parses. Loaded only when there is something to say about a key. */
import { type AST, parseTOML } from "toml-eslint-parser";
import type { KeyPath } from "./findings.ts";

export interface Position {
  readonly line: number;
  readonly column: number;
}

export type Locate = (path: KeyPath) => Position | undefined;

/** Answers for the path itself, else for the nearest table around it. Undefined answers where the text cannot be read. */
export function locateKeys(text: string): Locate {
  const places = new Map<string, Position>();
  const note = (path: KeyPath, node: AST.TOMLNode) => {
    const id = JSON.stringify(path);
    if (!places.has(id)) places.set(id, { line: node.loc.start.line, column: node.loc.start.column + 1 });
  };
  try {
    for (const item of parseTOML(text).body[0].body) {
      if (item.type === "TOMLKeyValue") noteKeyValue(item, [], note);
      else {
        const depth = item.key.keys.length;
        // A header names every table on its way; an index of an array of tables is part of the resolved key only.
        let seen = 0;
        item.resolvedKey.forEach((part, index) => {
          if (typeof part === "string") seen++;
          note(item.resolvedKey.slice(0, index + 1), item.key.keys[Math.min(seen, depth) - 1] ?? item);
        });
        for (const pair of item.body) noteKeyValue(pair, item.resolvedKey, note);
      }
    }
  } catch {
    // Two parsers may disagree about an odd document; then there is no line number.
  }
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const place = places.get(JSON.stringify(path.slice(0, length)));
      if (place) return place;
    }
    return undefined;
  };
}

type Note = (path: KeyPath, node: AST.TOMLNode) => void;

function noteKeyValue(pair: AST.TOMLKeyValue, above: KeyPath, note: Note): void {
  let path = above;
  for (const key of pair.key.keys) {
    path = [...path, key.type === "TOMLBare" ? key.name : key.value];
    note(path, key);
  }
  noteValue(pair.value, path, note);
}

function noteValue(value: AST.TOMLContentNode, path: KeyPath, note: Note): void {
  if (value.type === "TOMLInlineTable") { for (const pair of value.body) noteKeyValue(pair, path, note); }
  if (value.type === "TOMLArray") {
    value.elements.forEach((element, index) => {
      note([...path, index], element);
      noteValue(element, [...path, index], note);
    });
  }
}
