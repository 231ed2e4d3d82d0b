/** Chunks that are loaded together, as one script; with the map that leads from a place in it to the sources. */
import type { Chunk } from "./chunks.ts";

/** Pack -> the chunks in it, apart by spaces. A chunk of none is a pack of its own. */
export type Groups = Readonly<Record<string, string>>;

export interface Pack {
  readonly name: string;
  /** A script whose value is a function from `MODULE_GLOBALS` to an object: name of a chunk -> its function. */
  readonly text: string;
  readonly map: string;
}

/** Globals of which some runtimes give a script another form than a module: Node's. */
const MODULE_GLOBALS = "setTimeout,clearTimeout,setInterval,clearInterval";

/** Packs that most starts need. */
export const EARLY: readonly string[] = ["first", "start", "later"];

/** What a chunk's own pack is called. */
export const ownPack = (chunk: string) => chunk.replace(/\.js$/, "");

/** Each chunk belongs to the first group that names it. */
export function group(named: Readonly<Record<string, readonly string[]>>): Groups {
  const taken = new Set<string>();
  const groups: Record<string, string> = {};
  for (const [name, members] of Object.entries(named)) {
    const own = members.filter((member) => !taken.has(member) && taken.add(member));
    if (own.length > 0) groups[name] = own.join(" ");
  }
  return groups;
}

export function toPacks(chunks: readonly Chunk[], groups: Groups): Pack[] {
  const byName = new Map(chunks.map((chunk) => [chunk.name, chunk]));
  const packs: Pack[] = [];
  for (const [name, members] of Object.entries(groups)) {
    packs.push(
      toPack(
        name,
        members.split(" ").map((member) => {
          const chunk = byName.get(member);
          if (!chunk) throw new Error(`Pack ${name}: no chunk ${member}, or it is in another pack as well`);
          byName.delete(member);
          return chunk;
        }),
      ),
    );
  }
  return [...packs, ...[...byName.values()].map((chunk) => toPack(ownPack(chunk.name), [chunk]))];
}

function toPack(name: string, chunks: readonly Chunk[]): Pack {
  let text = `(function(${MODULE_GLOBALS}){"use strict";return{\n`;
  let line = 1;
  const sections = [];
  for (const chunk of chunks) {
    const key = `${JSON.stringify(chunk.name)}:`;
    sections.push({ offset: { line, column: key.length - chunk.indent }, map: JSON.parse(chunk.map) });
    const entry = `${key}${chunk.code},\n`;
    text += entry;
    line += entry.split("\n").length - 1;
  }
  return { name, text: `${text}}})`, map: JSON.stringify({ version: 3, file: `${name}.js`, sections }) };
}
