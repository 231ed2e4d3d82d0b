/**
 * The staged program as scripts with a code cache each, for an executable of the machine that builds. The cache is what
 * the engine has compiled at the end of a run, so it holds what a run calls; made by the very runtime and with the very
 * settings that will read it. A runtime that does not take it compiles anew.
 */
import { deflateRawSync } from "node:zlib";
import type { Program, Stage } from "../stage.ts";
import { deno } from "../run.ts";
import { takenCaches, writeReportingCopy } from "./code_caches.ts";
import { packChunks } from "./chunks.ts";
import { group, type Groups, type Pack, toPacks } from "./packs.ts";
import { tryProgram, warmRun, warmScreen, warmServer } from "./warm_run.ts";

/** Compiles a staged folder with the settings of the executable. */
export type Compile = (program: Program, output: string) => Promise<void>;

export interface Packed extends Program {
  /** Pack -> size of its code cache. */
  readonly caches: Readonly<Record<string, number>>;
}

const BOOT = "boot.js";
/** Cached packs that most starts do without. */
const DEFLATED = ["screen", "servers"];

export interface PackOptions {
  readonly compile: Compile;
  /** An MCP server to start. */
  readonly server: string;
}

/** `folder` absolute, emptied. Its `program` is what to compile; the maps of the packs lie in the folder itself. */
export async function packProgram(stage: Stage, folder: string, { compile, server }: PackOptions): Promise<Packed> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const work = `${folder}/work`;
  const chunks = await packChunks(stage, work);

  const recorder = await makeProgram(stage, `${work}/recorder`, entry("record"));
  const program = `${work}/recorder/program`;
  await compile(recorder, program);

  const groups = await findGroups(program, await place(toPacks(chunks, {}), {}, `${work}/alone`), server);
  const packs = toPacks(chunks, groups);
  const recorded = await place(packs, groups, `${work}/recorded`);
  const env = { PACKS: recorded };
  // Each writes the cache of what it has opened: for what both have, that of a run stays, which starts more often.
  await warmServer(program, server, { env });
  await warmScreen(program, { env });
  await warmRun(program, { env });

  const packed = await makeProgram(stage, `${folder}/program`, entry("boot", groups));
  const files: string[] = [];
  const caches: Record<string, number> = {};
  const store = async (file: string, bytes: Uint8Array, deflated: boolean) => {
    files.push(file);
    await Deno.writeFile(`${packed.folder}/${file}`, deflated ? deflateRawSync(bytes, { level: 9 }) : bytes);
  };
  for (const { name, text, map } of packs) {
    const cached = name in groups;
    const deflated = !cached || DEFLATED.includes(name);
    await store(`${name}.txt`, new TextEncoder().encode(text), deflated);
    if (cached) {
      const cache = await Deno.readFile(`${recorded}/${name}.cache`);
      caches[name] = cache.length;
      await store(`${name}.cache`, cache, deflated);
    }
    await Deno.writeTextFile(`${folder}/${name}.js.map`, map);
  }
  await Deno.remove(work, { recursive: true });
  return { ...packed, include: [...packed.include, ...files], caches };
}

/**
 * What the simplest commands load; what a run loads besides until it asks the model; what it loads then; what a screen
 * and what a server needs besides.
 */
async function findGroups(program: string, packs: string, server: string): Promise<Groups> {
  const env = { PACKS: packs };
  const opened = () => Deno.readTextFileSync(`${packs}/opened`).trimEnd().split("\n").map((pack) => `${pack}.js`);
  const first = new Set<string>();
  for (const command of ["version", "help"]) {
    await tryProgram(program, [command], { env });
    for (const chunk of opened()) first.add(chunk);
    await Deno.remove(`${packs}/opened`);
  }
  let start: string[] = [];
  await warmRun(program, { env, requested: () => start = opened() });
  const later = opened();
  const screen = await warmScreen(program, { env }) === undefined ? [] : opened();
  await warmServer(program, server, { env });
  return group({ first: [...first], start, later, screen, servers: opened() });
}

/** Throws unless the finished executable takes every cache it was given, and `version` the first alone. */
export async function refuseUnusedCaches(packed: Packed, executable: string, server: string): Promise<void> {
  const copy = `${executable}-reporting`;
  await writeReportingCopy(executable, copy);
  try {
    // By their sizes: a runtime may have caches of its own, taken or not.
    const takenBy = (output: string) => {
      const taken = takenCaches(output);
      return Object.keys(packed.caches).filter((pack) => taken.includes(packed.caches[pack]!));
    };
    const version = takenBy(await tryProgram(copy, ["version"], { env: {} }));
    if (`${version}` !== "first") throw new Error(`error: "version" takes the code caches: ${version.join(", ")}`);
    const others = [await warmRun(copy), await warmScreen(copy) ?? "", await warmServer(copy, server)].flatMap(takenBy);
    const unused = Object.keys(packed.caches).filter((pack) => !others.includes(pack));
    if (unused.length > 0) throw new Error(`error: the engine does not take the code caches: ${unused.join(", ")}`);
  } finally {
    await Deno.remove(copy);
  }
}

/** Packs as the recorder reads them. */
async function place(packs: readonly Pack[], groups: Groups, folder: string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  for (const { name, text } of packs) await Deno.writeTextFile(`${folder}/${name}.txt`, text);
  await Deno.writeTextFile(`${folder}/groups.json`, JSON.stringify(groups));
  return folder;
}

function entry(module: "boot" | "record", groups?: Groups): string {
  const base = `base: new URL("./", import.meta.url).href`;
  const plan = `groups: ${JSON.stringify(groups)}, deflated: ${JSON.stringify(DEFLATED)}`;
  return `import { ${module} } from ${JSON.stringify(new URL(`./${module}.ts`, import.meta.url).href)};
${module}(${groups ? `{ ${base}, ${plan} }, import.meta.dirname` : `{ ${base} }`});
`;
}

/** A folder to compile: the entry as one file, and the pieces of the stage that stay modules. */
async function makeProgram(stage: Stage, folder: string, text: string): Promise<Program> {
  await Deno.mkdir(folder, { recursive: true });
  for (const file of stage.include) await Deno.copyFile(`${stage.folder}/${file}`, `${folder}/${file}`);
  const { unstable } = JSON.parse(await Deno.readTextFile(`${stage.folder}/deno.json`));
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ unstable }));
  const source = `${folder}/entry.ts`;
  await Deno.writeTextFile(source, text);
  await deno(["bundle", "--quiet", "--no-config", "--no-lock", "--minify", "--output", BOOT, source], { cwd: folder });
  await Deno.remove(source);
  return { folder, main: BOOT, include: stage.include };
}
