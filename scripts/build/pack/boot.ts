/**
 * The first lines of an executable or a bundle that carries its program as packs, `NAME.txt`; those of a group with the
 * engine's cache, `NAME.cache`. In an executable, which each start reads whole, what most starts do without is deflated.
 */
import { Script } from "node:vm";
import { type ChunkFunction, createLoader, type Loader } from "./loader.ts";
import { EARLY, type Groups, ownPack } from "./packs.ts";

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
  /** `taken`: a cache was there, and the engine took it. */
  opened?(pack: string, script: Script, taken: boolean): void;
}

export interface BootPlan extends Plan {
  /** The runtime that recorded the caches: no other one reads them. */
  readonly runtime: string;
  /** Are the packs deflated that most starts do without? */
  readonly deflated: boolean;
}

/** The engine checks its own version and settings when it takes a cache, but not the processor and the system. */
export const thisRuntime = () => `${Deno.version.v8} ${Deno.build.target}`;

/** Runs the program whose packs lie in `folder`. */
export function boot(plan: BootPlan, folder: string, opened?: Opening["opened"]): void {
  const fits = plan.runtime === thisRuntime();
  const read = (pack: string): PackFile => {
    const deflated = plan.deflated && !EARLY.includes(pack);
    const inflate = (file: string) =>
      process.getBuiltinModule("node:zlib").inflateRawSync(Deno.readFileSync(file), { chunkSize: 1 << 20 });
    const [text, cache] = [`${folder}/${pack}.txt`, `${folder}/${pack}.cache`];
    const source = deflated ? new TextDecoder().decode(inflate(text)) : Deno.readTextFileSync(text);
    if (!fits || !(pack in plan.groups)) return { source };
    return { source, cachedData: deflated ? inflate(cache) : Deno.readFileSync(cache) };
  };
  openPacks(plan, { read, ...(opened ? { opened } : {}) }).require("./main.js");
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
    opened?.(pack, script, cachedData !== undefined && script.cachedDataRejected === false);
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
