/**
 * The staged program as packs, for an executable of the machine that builds or for its Deno. What is loaded together by
 * everyday work has a code cache: what the engine has compiled at the end of a run, so it holds what a run calls; made by
 * the very runtime and with the very settings that will read it. A runtime that does not take it compiles anew.
 */
import { deflateRawSync } from "node:zlib";
import type { Program, Stage } from "../stage.ts";
import { deno } from "../run.ts";
import type { BootPlan } from "./boot.ts";
import { packChunks } from "./chunks.ts";
import { EARLY, group, type Groups, type Pack, toPacks } from "./packs.ts";
import { type Command, tryProgram, warmRun, warmScreen, warmServer } from "./warm_run.ts";

export interface Packed extends Program {
  /** Packs with a code cache. */
  readonly cached: readonly string[];
}

const BOOT = "boot.js";

export interface PackOptions {
  /** What starts the program of a folder, with the runtime and the settings that it will have. `file` is free for it. */
  readonly start: (program: Program, file: string) => Promise<Command>;
  /** Are the packs deflated that most starts do without? */
  readonly deflated: boolean;
}

/**
 * `folder` absolute, emptied. Its `program` is what to start; the maps of the packs lie in the folder itself. Throws also
 * when the engine does not take what was recorded.
 */
export async function packProgram(stage: Stage, folder: string, { start, deflated }: PackOptions): Promise<Packed> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const work = `${folder}/work`;
  const chunks = await packChunks(stage, work);

  const recorder = await start(await makeProgram(stage, `${work}/record`, entry("record")), `${work}/recorder`);
  const groups = await findGroups(recorder, await place(toPacks(chunks, {}), {}, `${work}/alone`));
  const packs = toPacks(chunks, groups);
  const recorded = await place(packs, groups, `${work}/recorded`);
  const env = { PACKS: recorded };
  // Each writes the cache of what it has opened: for what both have, that of a run stays, which starts more often.
  await warmServer(recorder, { env });
  await warmScreen(recorder, { env });
  await warmRun(recorder, { env });

  const plan: Omit<BootPlan, "base"> = { groups, deflated, runtime: await Deno.readTextFile(`${recorded}/runtime`) };
  const packed = await makeProgram(stage, `${folder}/program`, entry("boot", plan));
  const files: string[] = [];
  for (const { name, text, map } of packs) {
    const store = async (file: string, bytes: Uint8Array) => {
      files.push(file);
      const small = deflated && !EARLY.includes(name);
      await Deno.writeFile(`${packed.folder}/${file}`, small ? deflateRawSync(bytes, { level: 9 }) : bytes);
    };
    await store(`${name}.txt`, new TextEncoder().encode(text));
    if (name in groups) await store(`${name}.cache`, await Deno.readFile(`${recorded}/${name}.cache`));
    await Deno.writeTextFile(`${folder}/${name}.js.map`, map);
  }
  const finished = { ...packed, include: [...packed.include, ...files], cached: Object.keys(groups) };
  const check = await writeEntry(packed.folder, "check.js", entry("check", plan));
  const checker = await start({ ...finished, main: check }, `${work}/checker`);
  await refuseUnusedCaches(checker, { groups, taken: `${work}/taken` });
  await Deno.remove(`${packed.folder}/${check}`);
  await Deno.remove(work, { recursive: true });
  return finished;
}

/**
 * What the simplest commands load; what a run loads besides until it asks the model; what it loads then; what a screen
 * and what a server needs besides.
 */
async function findGroups(program: Command, packs: string): Promise<Groups> {
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
  await warmServer(program, { env });
  return group({ first: [...first], start, later, screen, servers: opened() });
}

/** Throws unless every cache is taken, and by `version` the first alone. `taken` is where the program writes it down. */
async function refuseUnusedCaches(
  program: Command,
  { groups, taken }: { readonly groups: Groups; readonly taken: string },
): Promise<void> {
  const env = { TAKEN: taken };
  const read = () => Deno.readTextFileSync(taken).trimEnd().split("\n");
  await Deno.writeTextFile(taken, "");
  await tryProgram(program, ["version"], { env });
  const first = read();
  if (`${first}` !== "first") throw new Error(`error: "version" takes the code caches: ${first.join(", ") || "none"}`);
  await warmRun(program, { env });
  await warmScreen(program, { env });
  await warmServer(program, { env });
  const all = read();
  const unused = Object.keys(groups).filter((pack) => !all.includes(pack));
  if (unused.length > 0) throw new Error(`error: the engine does not take the code caches: ${unused.join(", ")}`);
}

/** Packs as the recorder reads them. */
async function place(packs: readonly Pack[], groups: Groups, folder: string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  for (const { name, text } of packs) await Deno.writeTextFile(`${folder}/${name}.txt`, text);
  await Deno.writeTextFile(`${folder}/groups.json`, JSON.stringify(groups));
  return folder;
}

function entry(module: "boot" | "record" | "check", plan: Partial<BootPlan> = {}): string {
  const options = `{ base: new URL("./", import.meta.url).href, ...${JSON.stringify(plan)} }`;
  return `import { ${module} } from ${JSON.stringify(new URL(`./${module}.ts`, import.meta.url).href)};
${module}(${options}${module === "record" ? "" : ", import.meta.dirname"});
`;
}

/** A folder to compile: the entry as one file, and the pieces of the stage that stay modules. */
async function makeProgram(stage: Stage, folder: string, text: string): Promise<Program> {
  await Deno.mkdir(folder, { recursive: true });
  for (const file of stage.include) await Deno.copyFile(`${stage.folder}/${file}`, `${folder}/${file}`);
  const { unstable } = JSON.parse(await Deno.readTextFile(`${stage.folder}/deno.json`));
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ unstable }));
  return { folder, main: await writeEntry(folder, BOOT, text), include: stage.include };
}

async function writeEntry(folder: string, file: string, text: string): Promise<string> {
  const source = `${folder}/entry.ts`;
  await Deno.writeTextFile(source, text);
  await deno(["bundle", "--quiet", "--no-config", "--no-lock", "--minify", "--output", file, source], { cwd: folder });
  await Deno.remove(source);
  return file;
}
