/**
 * The staged program as scripts with a code cache each, for an executable of the machine that builds. The cache is what
 * the engine has compiled at the end of a run, so it holds what a run calls; made by the very runtime and with the very
 * settings that will read it. A runtime that does not take it compiles anew.
 */
import { deflateRawSync } from "node:zlib";
import type { Stage } from "../stage.ts";
import { deno } from "../run.ts";
import { codeCachesIn, writeReportingCopy } from "./code_caches.ts";
import { packChunks } from "./chunks.ts";
import { type Groups, type Pack, toPacks } from "./packs.ts";
import { tryProgram, warmRun } from "./warm_run.ts";

/** Compiles a staged folder with the settings of the executable. */
export type Compile = (program: Stage, output: string) => Promise<void>;

export interface Packed extends Stage {
  /** Sizes of the code caches, in the order in which a run comes to them. */
  readonly caches: readonly number[];
}

const BOOT = "boot.js";

/** `folder` absolute, emptied. Its `program` is what to compile; the maps of the packs lie in the folder itself. */
export async function packProgram(stage: Stage, folder: string, compile: Compile): Promise<Packed> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const chunks = await packChunks(stage, `${folder}/steps`);

  const recorder = await makeProgram(stage, `${folder}/recorder`, entry("record"));
  const program = `${folder}/recorder/program`;
  await compile(recorder, program);

  const alone = await place(toPacks(chunks, {}), {}, `${folder}/alone`);
  const opened = async () => (await Deno.readTextFile(`${alone}/opened`)).trimEnd().split("\n").map(toChunk);
  const first = [];
  for (const command of ["version", "help"]) {
    await tryProgram(program, [command], { env: { PACKS: alone } });
    first.push(...await opened());
    await Deno.remove(`${alone}/opened`);
  }
  let start: Promise<string[]> | undefined;
  await warmRun(program, { env: { PACKS: alone }, requested: () => start = opened() });
  const groups = group({ first, start: await start!, later: await opened() });

  const packs = toPacks(chunks, groups);
  const recorded = await place(packs, groups, `${folder}/recorded`);
  await warmRun(program, { env: { PACKS: recorded } });
  const packed = await makeProgram(stage, `${folder}/program`, entry("boot", groups));
  const files: string[] = [];
  const caches: number[] = [];
  for (const { name, text, map } of packs) {
    if (name in groups) {
      files.push(`${name}.txt`, `${name}.cache`);
      await Deno.writeTextFile(`${packed.folder}/${name}.txt`, text);
      await Deno.copyFile(`${recorded}/${name}.cache`, `${packed.folder}/${name}.cache`);
      caches.push((await Deno.stat(`${packed.folder}/${name}.cache`)).size);
    } else {
      files.push(`${name}.z`);
      await Deno.writeFile(`${packed.folder}/${name}.z`, deflateRawSync(text, { level: 9 }));
    }
    await Deno.writeTextFile(`${folder}/${name}.js.map`, map);
  }
  return { ...packed, include: [...packed.include, ...files], caches };
}

/** Throws unless a run of the finished executable takes every cache it was given, and `version` the first alone. */
export async function refuseUnusedCaches(packed: Packed, executable: string): Promise<void> {
  const copy = `${executable}-reporting`;
  await writeReportingCopy(executable, copy);
  try {
    const ofVersion = codeCachesIn(await tryProgram(copy, ["version"], { env: {} }));
    const ofRun = codeCachesIn(await warmRun(copy));
    const [first] = packed.caches;
    if (ofRun.refused.length + ofVersion.refused.length > 0) {
      throw new Error(
        `error: the engine refuses the code caches: ${[...ofVersion.refused, ...ofRun.refused].join(", ")}`,
      );
    }
    if (`${ofVersion.taken}` !== `${first}` || `${ofRun.taken}` !== `${packed.caches}`) {
      throw new Error(
        `error: of the code caches ${packed.caches} "version" takes ${ofVersion.taken}, a run ${ofRun.taken}`,
      );
    }
  } finally {
    await Deno.remove(copy);
  }
}

const toChunk = (pack: string) => `${pack}.js`;

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

/** Packs as the recorder reads them. */
async function place(packs: readonly Pack[], groups: Groups, folder: string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  for (const { name, text } of packs) await Deno.writeTextFile(`${folder}/${name}.txt`, text);
  await Deno.writeTextFile(`${folder}/groups.json`, JSON.stringify(groups));
  return folder;
}

function entry(module: "boot" | "record", groups?: Groups): string {
  const base = `base: new URL("./", import.meta.url).href`;
  return `import { ${module} } from ${JSON.stringify(new URL(`./${module}.ts`, import.meta.url).href)};
${module}(${groups ? `{ ${base}, groups: ${JSON.stringify(groups)} }, import.meta.dirname` : `{ ${base} }`});
`;
}

/** A folder to compile: the entry as one file, and the pieces of the stage that stay modules. */
async function makeProgram(stage: Stage, folder: string, text: string): Promise<Stage> {
  await Deno.mkdir(folder, { recursive: true });
  for (const file of stage.include) await Deno.copyFile(`${stage.folder}/${file}`, `${folder}/${file}`);
  const { unstable } = JSON.parse(await Deno.readTextFile(`${stage.folder}/deno.json`));
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ unstable }));
  const source = `${folder}/entry.ts`;
  await Deno.writeTextFile(source, text);
  await deno(["bundle", "--quiet", "--no-config", "--no-lock", "--minify", "--output", BOOT, source], { cwd: folder });
  await Deno.remove(source);
  return { folder, main: BOOT, include: stage.include, chunks: [], apart: {} };
}
