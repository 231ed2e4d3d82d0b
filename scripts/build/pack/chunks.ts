/**
 * Staged chunks as functions. A script, unlike a module, takes a code cache from whoever runs it; so each chunk becomes
 * `function(module, require, …){…}` in the hands of the loader (`loader.ts`). The bundler turns modules into CommonJS
 * form file by file, and once more makes the functions small; what stands between is done here.
 */
import { deno } from "../run.ts";
import type { Stage } from "../stage.ts";

export interface Chunk {
  /** File name in the stage. */
  readonly name: string;
  /** A function expression in ASCII: it takes one byte a character in memory. */
  readonly code: string;
  /** How many characters of the first line the map counts before the function begins. */
  readonly indent: number;
  /** A source map, version 3, from `code` to the sources. */
  readonly map: string;
}

/** In the order in which the loader hands them over. The last four are called by what the bundler makes of a module. */
const PARAMETERS = "module, require, packed_load, packed_url, __toCommonJS, __export, __toESM, __reExport";

/** Statements the bundler puts in front of every file, and which the loader has once for all. */
const HELPER =
  /^var __(?:create|defProp|getOwnPropDesc|getOwnPropNames|getProtoOf|hasOwnProp|export|copyProps|reExport|toESM|toCommonJS) =/;
/** A helper under another name, since the chunk has a variable of the usual one. */
const RENAMED_HELPER = /\b__(?:toESM|export|reExport|toCommonJS|copyProps)\d/;

/** What the bundler makes of `import.meta`. */
const META = /^((?:const|var|let) import_meta = \{)(?=\};$)/m;
const DYNAMIC = /\bimport\("([^"\\]+)"\)/g;

/** `folder` gets the steps between. */
export async function packChunks(stage: Pick<Stage, "folder" | "chunks" | "apart">, folder: string): Promise<Chunk[]> {
  const names = [...stage.chunks, ...Object.values(stage.apart)];
  const [modules, scripts, functions] = [`${folder}/modules`, `${folder}/scripts`, `${folder}/functions`] as const;
  for (const path of [modules, scripts]) await Deno.mkdir(path, { recursive: true });

  for (const name of names) {
    const text = await Deno.readTextFile(`${stage.folder}/${name}`);
    await Deno.writeTextFile(`${modules}/${name}`, `${text}\n//# sourceMappingURL=${name}.map\n`);
    await Deno.copyFile(`${stage.folder}/${name}.map`, `${modules}/${name}.map`);
  }
  const bundle = (cwd: string, to: string, ...options: string[]) =>
    deno(
      ["bundle", "--quiet", "--no-config", "--no-lock", "--inline-imports=false", "--sourcemap=external", ...options]
        .concat("--outdir", to, ...names.map((name) => `./${name}`)),
      { cwd },
    );
  await bundle(modules, scripts, "--format=cjs");

  const known = new Map(names.map((name) => [`./${name}`, `./${name}`]));
  for (const [specifier, name] of Object.entries(stage.apart)) known.set(specifier, `./${name}`);
  for (const name of names) {
    const called = wrap(name, await Deno.readTextFile(`${scripts}/${name}`), known);
    const map = JSON.parse(await Deno.readTextFile(`${scripts}/${name}.map`));
    map.mappings = withoutLines(map.mappings, called.linesLess);
    await Deno.writeTextFile(`${scripts}/${name}`, `${called.text}\n//# sourceMappingURL=${name}.map\n`);
    await Deno.writeTextFile(`${scripts}/${name}.map`, JSON.stringify(map));
  }
  await bundle(scripts, functions, "--minify");

  return await Promise.all(names.map(async (name) => ({
    name,
    ...unwrap(name, await Deno.readTextFile(`${functions}/${name}`)),
    map: await Deno.readTextFile(`${functions}/${name}.map`),
  })));
}

/**
 * The bundler's CommonJS form of one chunk as a call with the function, and how many lines more it had. `known` has the
 * specifiers of chunks, and where they lie. Any other dynamic import stands in a text: the bundler leaves none.
 */
function wrap(
  name: string,
  text: string,
  known: ReadonlyMap<string, string>,
): { readonly text: string; readonly linesLess: number } {
  const lines = text.split("\n");
  let first = 0;
  while (HELPER.test(lines[first] ?? "")) {
    do first++; while (/^[\s})]/.test(lines[first] ?? ""));
  }
  const body = lines.slice(first).join("\n").replace(META, "$1url: packed_url")
    .replace(DYNAMIC, (whole, specifier: string) => {
      const target = known.get(specifier) ?? (specifier.startsWith("node:") ? specifier : undefined);
      return target === undefined ? whole : `packed_load("${target}")`;
    });
  for (
    const [pattern, what] of [
      [RENAMED_HELPER, "a variable with the name of one of the bundler's helpers"],
      [/\bimport_meta = \{\}|\bimport_meta(?!\.url\b| = \{)/, "import.meta for something else than its URL"],
      [/\\[^\x00-\x7f]/, "an escaped character beyond ASCII"],
    ] as const
  ) {
    if (pattern.test(body)) throw new Error(`${name} cannot be packed, it holds ${what}`);
  }
  // The bundler writes strings in ASCII; what is left stands in regular expressions.
  const ascii = body.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return { text: `packed(function (${PARAMETERS}) {\n${ascii}\n});`, linesLess: first - 1 };
}

const CALL = "packed(";

function unwrap(name: string, text: string): { readonly code: string; readonly indent: number } {
  const [, code] = /^packed\((function\(.*\})\);?\s*$/s.exec(text) ?? [];
  if (code === undefined) throw new Error(`${name} cannot be packed: ${text.slice(0, 80)}`);
  return { code, indent: CALL.length };
}

/** Mappings of a text that lost so many first lines, of which none was mapped; or gained one, for -1. */
function withoutLines(mappings: string, lines: number): string {
  if (lines <= 0) return ";".repeat(-lines) + mappings;
  if (!mappings.startsWith(";".repeat(lines))) throw new Error("the bundler's helpers are mapped to a source");
  return mappings.slice(lines);
}
