// What only an executable has: its code, compiled beforehand.
import assert from "node:assert/strict";
import { engineCountsReport, takenCaches, writeReportingCopy } from "../support/code_caches.ts";
import { tryProgram, warmRun } from "../../scripts/build/pack/warm_run.ts";

const executable = Deno.env.get("REASONIX_EXECUTABLE");

const ignore = executable === undefined || Deno.build.os !== "linux";

/** Whether a copy that reports tells what the executable itself takes. */
function tells(): boolean {
  if (ignore) return false;
  const { stdout } = new Deno.Command(executable!, { args: ["version", "--json"] }).outputSync();
  return !engineCountsReport(JSON.parse(new TextDecoder().decode(stdout)).deno);
}

/** How many kilobytes of compiled code a run takes more than `version`: those of a start. */
async function cacheOfStart(settings: readonly string[]): Promise<number> {
  const folder = await Deno.makeTempDir({ prefix: "reasonix-caches-" });
  try {
    const program = `${folder}/reasonix`;
    await writeReportingCopy(executable!, program, settings);
    const taken = (output: string) => takenCaches(output).reduce((sum, size) => sum + size / 1000, 0);
    return taken(await warmRun([program])) - taken(await tryProgram([program], ["version"], { env: {} }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test(
  "the executable takes the code caches it carries, when a command needs them",
  { ignore: !tells() },
  async () => {
    assert.ok(await cacheOfStart([]) > 500);
  },
);

Deno.test("an engine that takes no code cache of the executable runs it all the same", { ignore }, async () => {
  assert.ok(await cacheOfStart(["--no-lazy"]) < 100);
});
