/**
 * `deno task build [target…]`: one executable of reasonix and of the example plugin for each target, into dist/, with
 * SHA256SUMS of what lies there. Without names it begins anew, tries all six and tells which it could not build and why;
 * a target asked for by name that cannot be built fails the build, and what was built for others stays.
 * What is for the machine that builds carries a code cache of its own (build/pack).
 * `DENO_FOR_COMPILE` and `DENORT_BIN` name another Deno and a runtime file to use for the target that this file's header
 * says it is for. The name `bundle` stands for a folder that runs on a machine's own Deno.
 */
import type { BuildInfo } from "../src/lib/build_info.ts";
import { type Executable, executableAt } from "./build/executable.ts";
import { writeBundle } from "./build/bundle.ts";
import { packProgram } from "./build/pack/mod.ts";
import type { Command } from "./build/pack/warm_run.ts";
import { deno } from "./build/run.ts";
import { type Program, type Stage, stageProgram } from "./build/stage.ts";

interface Target extends Executable {
  readonly name: string;
  readonly triple: string;
}

const TARGETS: readonly Target[] = [
  { name: "darwin-amd64", triple: "x86_64-apple-darwin", format: "Mach-O", processor: "amd64" },
  { name: "darwin-arm64", triple: "aarch64-apple-darwin", format: "Mach-O", processor: "arm64" },
  { name: "linux-amd64", triple: "x86_64-unknown-linux-gnu", format: "ELF", processor: "amd64" },
  { name: "linux-arm64", triple: "aarch64-unknown-linux-gnu", format: "ELF", processor: "arm64" },
  { name: "windows-amd64", triple: "x86_64-pc-windows-msvc", format: "PE", processor: "amd64" },
  { name: "windows-arm64", triple: "aarch64-pc-windows-msvc", format: "PE", processor: "arm64" },
];

/** An agent that may run commands gains nothing from less; FFI and everything not named here stay shut. */
const PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-net",
  "--allow-env",
  "--allow-run",
  "--allow-sys",
  "--no-prompt",
];

/** The cache would lie under a predictable name in the temporary folder, where another user could plant code. */
const COMPILE = ["compile", "--quiet", "--no-check", "--no-lock", "--no-code-cache"];
/** For the agent alone. Memory before speed: most of a session is waiting (docs/PERFORMANCE.md). */
const ENGINE = "--optimize-for-size";
/**
 * For the executable, whose engine is known: no baseline code, and code is optimised later than by default, since the
 * optimiser takes 4 to 8 MB as soon as it has run once. What is busy for long gets there all the same.
 */
const LATER = [
  "--no-sparkplug",
  "--invocation-count-for-maglev=10000",
  "--invocation-count-for-turbofan=50000",
  "--invocation-count-for-maglev-osr=5000",
  "--invocation-count-for-osr=20000",
];

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");
const DIST = `${ROOT}/dist`;
const BUNDLE = "bundle";

/** A Deno and a runtime file for one target, given from outside. */
interface Given {
  readonly program: string;
  readonly runtime: string;
  readonly holds: Executable | undefined;
}

async function givenCompiler(): Promise<Given | undefined> {
  const runtime = Deno.env.get("DENORT_BIN");
  if (runtime === undefined) return undefined;
  // For every other target Deno is to fetch its own.
  Deno.env.delete("DENORT_BIN");
  const program = Deno.env.get("DENO_FOR_COMPILE") ?? Deno.execPath();
  return { program, runtime, holds: await executableAt(runtime) };
}

function filesOf({ name, format }: Target): readonly [program: string, example: string] {
  const suffix = `${name}${format === "PE" ? ".exe" : ""}`;
  return [`reasonix-${suffix}`, `reasonix-plugin-example-${suffix}`];
}

async function remove(target: Target): Promise<void> {
  for (const file of filesOf(target)) await Deno.remove(`${DIST}/${file}`).catch(() => {});
}

/** Of every executable that is there, whenever it was built. */
async function writeSums(): Promise<void> {
  const lines: string[] = [];
  for (const file of TARGETS.flatMap(filesOf)) {
    const sum = await sha256(`${DIST}/${file}`).catch(() => undefined);
    if (sum !== undefined) lines.push(`${sum}  ${file}\n`);
  }
  await Deno.writeTextFile(`${DIST}/SHA256SUMS`, lines.join(""));
}

/** The files built for a target, and what is to be said of them. Throws when one of them could not be built or is not what it should be. */
async function build(
  target: Target,
  stage: Stage,
  given: Given | undefined,
): Promise<{ files: string[]; note: string }> {
  const fits = given?.holds?.format === target.format && given.holds.processor === target.processor;
  const compile = (cwd: string, args: readonly string[]) =>
    fits
      ? deno([...COMPILE, ...args], { cwd, program: given.program, env: { DENORT_BIN: given.runtime } })
      : deno([...COMPILE, ...args], { cwd });
  const [program, example] = filesOf(target);
  // It speaks over standard input and output: no permission at all.
  await compile(ROOT, [
    ...["--no-config", "--no-prompt", "--target", target.triple, "--output", `${DIST}/${example}`],
    "plugins/example/main.ts",
  ]);
  const compileProgram = (from: Program, output: string) =>
    compile(from.folder, [
      ...["--config", "deno.json", "--target", target.triple, "--output", output],
      `--v8-flags=${[ENGINE, ...LATER].join()}`,
      ...PERMISSIONS,
      ...from.include.flatMap((file) => ["--include", file]),
      from.main,
    ]);
  let note = "starts without code cache: it cannot be run here";
  if (runsHere(target)) {
    const start = async (from: Program, file: string): Promise<Command> => {
      await compileProgram(from, file);
      return [file];
    };
    // Every start reads the whole executable.
    const packed = await packProgram(stage, `${DIST}/packed`, { start, deflated: true });
    await compileProgram(packed, `${DIST}/${program}`);
    note = `starts with code caches: ${packed.cached.join(", ")}`;
  } else {
    await compileProgram(stage, `${DIST}/${program}`);
  }
  for (const file of [program, example]) {
    const is = await executableAt(`${DIST}/${file}`);
    if (is?.format === target.format && is.processor === target.processor) continue;
    throw new Error(`${file} is ${is ? `${is.format} for ${is.processor}` : "no known executable"}`);
  }
  return { files: [program, example], note: `${program} ${note}` };
}

function runsHere({ format, processor }: Executable): boolean {
  const system = { "ELF": "linux", "Mach-O": "darwin", "PE": "windows" }[format];
  return Deno.build.os === system && Deno.build.arch === (processor === "amd64" ? "x86_64" : "aarch64");
}

async function sha256(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function git(...args: string[]): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("git", { args, cwd: ROOT, stderr: "null" }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined;
  }
}

async function buildInfo(): Promise<BuildInfo> {
  const released = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)).version;
  const epoch = Number(Deno.env.get("SOURCE_DATE_EPOCH") ?? Number.NaN);
  return {
    version: await git("describe", "--tags", "--always") ?? released,
    commit: await git("rev-parse", "HEAD") ?? "",
    time: new Date(Number.isFinite(epoch) ? epoch * 1000 : Date.now()).toISOString(),
  };
}

/** The line of a failed build that says why. */
function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/dns error|failed to lookup|error sending request|Connection refused|denort/i.test(text)) {
    return "Deno's runtime for this target cannot be downloaded here";
  }
  return text.split("\n").find((line) => line.includes("error")) ?? text.split("\n")[0] ?? text;
}

async function main(asked: readonly string[]): Promise<number> {
  const names = [...TARGETS.map((target) => target.name), BUNDLE];
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`No target "${unknown.join('", "')}". There are: ${names.join(", ")}`);
    return 2;
  }
  const info = await buildInfo();
  console.log(`reasonix ${info.version}`);
  if (asked.length === 0) await Deno.remove(DIST, { recursive: true }).catch(() => {});
  await Deno.mkdir(DIST, { recursive: true });
  const given = await givenCompiler();
  const stage = await stageProgram(ROOT, `${DIST}/stage`, info);

  let built = 0;
  const failed: string[] = [];
  if (asked.includes(BUNDLE)) {
    const folder = `${DIST}/${BUNDLE}`;
    const caches = await writeBundle(stage, { folder, packed: `${DIST}/packed-${BUNDLE}` }, {
      flags: [...PERMISSIONS, `--v8-flags=${ENGINE}`],
    });
    built++;
    console.log(`built      ${BUNDLE}/reasonix  for the Deno on PATH`);
    console.log(`           starts with code caches: ${caches.join(", ")}`);
  }
  for (const target of TARGETS) {
    if (asked.length > 0 && !asked.includes(target.name)) continue;
    await remove(target);
    try {
      const { files, note } = await build(target, stage, given);
      for (const file of files) {
        built++;
        const size = (await Deno.stat(`${DIST}/${file}`)).size;
        console.log(`built      ${file}  ${target.format} ${target.processor}  ${(size / 1e6).toFixed(1)} MB`);
      }
      console.log(`           ${note}`);
    } catch (error) {
      await remove(target);
      failed.push(target.name);
      console.log(`not built  ${target.name}: ${reason(error)}`);
    }
  }
  await writeSums();
  return built === 0 || (asked.length > 0 && failed.length > 0) ? 1 : 0;
}

if (import.meta.main) Deno.exitCode = await main(Deno.args);
