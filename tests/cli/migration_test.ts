/** Settings of older versions come along when a run starts, and only then. */
import assert from "node:assert/strict";
import { ModelServer } from "../support/model_server.ts";
import { Bed, localProvider } from "../support/program.ts";

/** A home of the ordinary kind, with a file where older versions had it. */
async function oldHome(url: string): Promise<Bed> {
  const bed = await Bed.create();
  await Deno.mkdir(`${bed.base}/.config/reasonix`, { recursive: true });
  await Deno.writeTextFile(`${bed.base}/.config/reasonix/config.toml`, localProvider(`${url}/v1`));
  return bed;
}

const ordinary = { REASONIX_HOME: "" };

Deno.test("doctor, config and setup's look at the files bring nothing along", async () => {
  await using bed = await oldHome("http://127.0.0.1:9");
  for (
    const args of [["doctor", "--offline"], ["config", "show"], ["config", "compact-ratio"], [
      "session",
      "list",
      "--json",
    ]]
  ) {
    await bed.run(args, { env: ordinary });
  }
  assert.equal(await Deno.stat(`${bed.base}/.reasonix/config.toml`).then(() => true, () => false), false);
});

Deno.test("a run copies the old settings, says so once, and works with them", async () => {
  await using server = new ModelServer([{ text: "one" }, { text: "two" }]);
  await using bed = await oldHome(server.url);
  const first = await bed.run(["-p", "go"], { env: ordinary });
  assert.deepEqual([first.code, first.out], [0, "one\n"]);
  assert.match(first.err, /^! settings were copied from .*\.config\/reasonix\/config\.toml/);
  const second = await bed.run(["-p", "go"], { env: ordinary });
  assert.deepEqual(second, { code: 0, out: "two\n", err: "" });
  assert.equal(
    await Deno.readTextFile(`${bed.base}/.config/reasonix/config.toml`),
    await Deno.readTextFile(`${bed.base}/.reasonix/config.toml`),
  );
});

Deno.test("under REASONIX_HOME nothing is brought along", async () => {
  await using bed = await oldHome("http://127.0.0.1:9");
  const { code, err } = await bed.run(["-p", "go"]);
  assert.equal(code, 1);
  assert.match(err, /missing env DEEPSEEK_API_KEY/);
  assert.deepEqual(
    [...Deno.readDirSync(bed.home)].map(({ name }) => name).filter((name) => name.endsWith(".toml")),
    [],
  );
});
