/**
 * The program as it is compiled or packed: bundled into JavaScript files, lazy parts apart and all of it small, so that
 * starting reads little. The source maps beside them tell the places of a stack. Three things need help: the build
 * information takes the place of its module, workers are programs of their own, and CommonJS packages stay apart because
 * their wrapper would load `node:module` on every start.
 */
import type { BuildInfo } from "../../src/lib/build_info.ts";
import { deno } from "./run.ts";

/** Packages in CommonJS form. All of them are loaded lazily. */
const COMMONJS = ["iconv-lite"];

const BUNDLE = ["bundle", "--quiet", "--frozen", "--sourcemap=external"];

/** What a bundled `require` says when it was not tied to `node:module`: it could load no built-in module. */
const LOOSE_REQUIRE = "Dynamic require of";

/** Means something to a program in source form alone: what is staged is split already, and all of it is embedded. */
const SOURCE_ONLY = "lazy-dynamic-imports";

/** What can be compiled. */
export interface Program {
  /** Its `deno.json` resolves what was kept apart. */
  readonly folder: string;
  readonly main: string;
  /** Files that no import names. */
  readonly include: readonly string[];
}

export interface Stage extends Program {
  /** The files of the program itself, `main` among them. */
  readonly chunks: readonly string[];
  /** Packages kept apart, by name, and their files. */
  readonly apart: Readonly<Record<string, string>>;
}

/** `root` and `folder` absolute; `folder` is emptied. Throws with what the bundler said. */
export async function stageProgram(root: string, folder: string, info: BuildInfo): Promise<Stage> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  const config = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
  const packages: Record<string, string> = config.imports;

  await Deno.writeTextFile(`${folder}/build_info.ts`, `export const BUILD = ${JSON.stringify(info)};\n`);
  const map = `${folder}/import_map.json`;
  const imports = { ...packages, [`file://${root}/src/lib/build_info.ts`]: "./build_info.ts" };
  await Deno.writeTextFile(map, JSON.stringify({ imports }));

  const bundle = (entry: string, ...options: string[]) =>
    deno([...BUNDLE, "--import-map", map, ...options, entry], { cwd: root });
  const minified = (entry: string, ...options: string[]) => bundle(entry, "--minify", ...options);

  const apart = COMMONJS.filter((name) => name in packages);
  await minified("main.ts", "--code-splitting", "--outdir", folder, ...apart.map((name) => `--external=${name}`));
  for (const name of apart) {
    const entry = `${folder}/${name}_entry.ts`;
    await Deno.writeTextFile(entry, `export { default } from "${name}";\n`);
    // In two steps: the bundler ties `require` to `node:module` only where it finds it under its own name.
    const file = `${folder}/${name}.js`;
    await bundle(entry, "--output", file);
    await Deno.writeTextFile(file, `//# sourceMappingURL=${name}.js.map\n`, { append: true });
    await minified(file, "--inline-imports=false", "--output", file);
    await Deno.remove(entry);
  }

  const workers = await findWorkers(`${root}/src`);
  for (const [name, path] of workers) await minified(path, "--output", `${folder}/${name.replace(/\.ts$/, ".js")}`);
  await pointAtBundledWorkers(folder, [...workers.keys()]);

  await Deno.remove(map);
  await Deno.remove(`${folder}/build_info.ts`);
  await Deno.writeTextFile(
    `${folder}/deno.json`,
    JSON.stringify({
      imports: Object.fromEntries(apart.map((name) => [name, `./${name}.js`])),
      unstable: config.unstable.filter((feature: string) => feature !== SOURCE_ONLY),
    }),
  );
  await refuseLooseRequire(folder);
  await refuseCommonJsAtStart(folder);
  const include = [...workers.keys()].map((name) => name.replace(/\.ts$/, ".js"));
  const modules = Object.fromEntries(apart.map((name) => [name, `${name}.js`]));
  const scripts = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".js")).sort();
  const chunks = scripts.filter((name) => !include.includes(name) && !Object.values(modules).includes(name));
  return { folder, main: "main.js", include, chunks, apart: modules };
}

const WORKER = /new URL\(\s*"(\.[^"]*?([^/"]+\.ts))",\s*import\.meta\.url\s*,?\s*\)/g;

/** File name -> path of each module that the sources start as a worker. */
async function findWorkers(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) {
      for (const [name, worker] of await findWorkers(path)) add(found, name, worker);
    } else if (/\.ts$/.test(path) && !/_test\.ts$/.test(path)) {
      for (const [, specifier, name] of (await Deno.readTextFile(path)).matchAll(WORKER)) {
        add(found, name!, new URL(specifier!, `file://${path}`).pathname);
      }
    }
  }
  return found;
}

function add(found: Map<string, string>, name: string, path: string): void {
  const known = found.get(name);
  if (known !== undefined && known !== path) {
    throw new Error(
      `Two workers are called "${name}": ${known} and ${path}. All of them lie in one folder; rename one`,
    );
  }
  found.set(name, path);
}

/** Every staged file lies in one folder, so a worker stands beside whoever starts it. */
async function pointAtBundledWorkers(folder: string, names: readonly string[]): Promise<void> {
  for await (const entry of Deno.readDir(folder)) {
    if (!entry.name.endsWith(".js")) continue;
    const path = `${folder}/${entry.name}`;
    const before = await Deno.readTextFile(path);
    const after = before.replace(
      WORKER,
      (whole, specifier: string, name: string) =>
        names.includes(name) ? whole.replace(specifier, `./${name.replace(/\.ts$/, ".js")}`) : whole,
    );
    if (after !== before) await Deno.writeTextFile(path, after);
  }
}

async function refuseLooseRequire(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".js") || !(await Deno.readTextFile(`${folder}/${name}`)).includes(LOOSE_REQUIRE)) continue;
    throw new Error(
      `A CommonJS package is bundled into ${name} and could not load a built-in module: name it in COMMONJS`,
    );
  }
}

async function refuseCommonJsAtStart(folder: string): Promise<void> {
  const seen = new Set<string>();
  const visit = async (name: string): Promise<void> => {
    if (seen.has(name)) return;
    seen.add(name);
    const text = await Deno.readTextFile(`${folder}/${name}`);
    if (text.includes("createRequire")) {
      throw new Error(`A CommonJS package is bundled into ${name}, which is loaded at start-up: name it in COMMONJS`);
    }
    for (const [, next] of text.matchAll(/(?:^|\n|;|\})\s*(?:import|export)\b[^;"'()]*["']\.\/([^"']+\.js)["']/g)) {
      await visit(next!);
    }
  };
  await visit("main.js");
}
