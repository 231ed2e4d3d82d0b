/**
 * The first lines of an executable that carries its program as packs, `NAME.txt`; those of a group with the engine's
 * cache, `NAME.cache`. What most starts do without lies there deflated, since each start reads the whole executable.
 */
import { Script } from "node:vm";
import { type ChunkFunction, createLoader, type Loader } from "./loader.ts";
import { type Groups, ownPack } from "./packs.ts";

export interface Plan {
  readonly groups: Groups;
  /** The URL under which the packs appear in a stack; ends with a slash. */
  readonly base: string;
}

/** A script and what the engine compiled of it before. A cache that this engine does not take costs time alone. */
export interface PackFile {
  readonly source: string;
  readonly cachedData?: Uint8Array | undefined;
}

export interface Opening {
  read(pack: string): PackFile;
  opened?(pack: string, script: Script): void;
}

/** Runs the program whose packs lie in `folder`. */
export function boot(plan: Plan & { readonly deflated: readonly string[] }, folder: string): void {
  const inflate = (file: string) =>
    process.getBuiltinModule("node:zlib").inflateRawSync(Deno.readFileSync(`${folder}/${file}`), {
      chunkSize: 1 << 20,
    });
  const read = (pack: string): PackFile => {
    const [text, cache] = [`${pack}.txt`, `${pack}.cache`];
    if (!(pack in plan.groups)) return { source: new TextDecoder().decode(inflate(text)) };
    if (plan.deflated.includes(pack)) {
      return { source: new TextDecoder().decode(inflate(text)), cachedData: inflate(cache) };
    }
    return { source: Deno.readTextFileSync(`${folder}/${text}`), cachedData: Deno.readFileSync(`${folder}/${cache}`) };
  };
  openPacks(plan, { read }).require("./main.js");
}

export function openPacks({ groups, base }: Plan, { read, opened }: Opening): Loader {
  const functions = new Map<string, ChunkFunction>();
  const packOf = new Map<string, string>();
  for (const pack in groups) for (const chunk of groups[pack]!.split(" ")) packOf.set(chunk, pack);
  const open = (pack: string) => {
    const { source, cachedData } = read(pack);
    const script = new Script(source, { filename: `${base}${pack}.js`, cachedData });
    const chunks = script.runInThisContext()(setTimeout, clearTimeout, setInterval, clearInterval);
    for (const [name, chunk] of Object.entries<ChunkFunction>(chunks)) functions.set(name, chunk);
    opened?.(pack, script);
  };
  return createLoader({
    base,
    builtin: (specifier) => {
      const exports = process.getBuiltinModule(specifier);
      if (!exports) throw new Error(`There is no module "${specifier}"`);
      return exports as Record<string, unknown>;
    },
    chunk: (name) => {
      if (!functions.has(name)) open(packOf.get(name) ?? ownPack(name));
      return functions.get(name)!;
    },
  });
}
