// What only an executable has: its code, compiled beforehand.
import assert from "node:assert/strict";
import { codeCachesIn, writeReportingCopy } from "../../scripts/build/pack/code_caches.ts";
import { tryProgram, warmRun } from "../../scripts/build/pack/warm_run.ts";

const executable = Deno.env.get("REASONIX_EXECUTABLE");

const ignore = executable === undefined || Deno.build.os !== "linux";

async function cachesOf(settings: readonly string[], run: (program: string) => Promise<string>) {
  const folder = await Deno.makeTempDir({ prefix: "reasonix-caches-" });
  try {
    await writeReportingCopy(executable!, `${folder}/reasonix`, settings);
    return codeCachesIn(await run(`${folder}/reasonix`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the executable takes its code caches, and of them those a command needs", { ignore }, async () => {
  const version = await cachesOf([], (program) => tryProgram(program, ["version"], { env: {} }));
  const run = await cachesOf([], (program) => warmRun(program));
  assert.deepEqual([version.refused, run.refused, version.taken.length, run.taken.length], [[], [], 1, 3]);
});

Deno.test("an engine that takes no code cache of the executable runs it all the same", { ignore }, async () => {
  const { taken, refused } = await cachesOf(["--no-lazy"], (program) => warmRun(program));
  assert.deepEqual([taken, refused.length], [[], 3]);
});
