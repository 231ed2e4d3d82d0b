/** An upgrade from a local host of releases into a file that stands for the executable. */
import assert from "node:assert/strict";
import { install } from "../../src/frontends/cli/upgrade/install.ts";
import { newestRelease } from "../../src/frontends/cli/upgrade/release.ts";
import { ReleaseServer, type ServedRelease } from "../support/release_server.ts";

const program = (tag: string) => `#!/bin/sh\necho "reasonix ${tag}"\n`;
const ASSET = "reasonix-test";
const unix = Deno.build.os !== "windows";

async function attempt(release: ServedRelease, form: "list" | "github" = "list") {
  const folder = await Deno.makeTempDir();
  const executable = `${folder}/reasonix`;
  await Deno.writeTextFile(executable, program("v1.0.0"), { mode: 0o751 });
  await Deno.chmod(executable, 0o751);
  await using server = new ReleaseServer([release], { form });
  const found = newestRelease(await (await fetch(server.index)).json(), server.index)!;
  let failure: { readonly message: string } | undefined;
  try {
    await install(found, { executable, asset: ASSET, fetch, signal: AbortSignal.timeout(30_000) });
  } catch (error) {
    failure = error as Error;
  }
  const result = {
    text: await Deno.readTextFile(executable),
    mode: (await Deno.stat(executable)).mode! & 0o777,
    names: [...Deno.readDirSync(folder)].map((entry) => entry.name),
    failure: failure?.message ?? "",
  };
  await Deno.remove(folder, { recursive: true });
  return result;
}

for (const form of ["list", "github"] as const) {
  Deno.test({
    name: `a release is put in place with the file's own mode, from an index of the form "${form}"`,
    ignore: !unix,
    fn: async () => {
      const result = await attempt({ tag: "v2.0.0", files: { [ASSET]: program("v2.0.0") } }, form);
      assert.deepEqual(result, { text: program("v2.0.0"), mode: 0o751, names: ["reasonix"], failure: "" });
    },
  });
}

const bad: [string, ServedRelease, RegExp][] = [
  [
    "a file whose hash is another",
    { tag: "v2.0.0", files: { [ASSET]: program("v2.0.0") }, sums: { [ASSET]: "0".repeat(64) } },
    /is not what was published.*nothing was changed/,
  ],
  [
    "a file without a published hash",
    { tag: "v2.0.0", files: { [ASSET]: program("v2.0.0") }, sums: { [ASSET]: undefined } },
    /SHA256SUMS of v2.0.0 does not name reasonix-test/,
  ],
  ["a release without this machine's file", { tag: "v2.0.0", files: {} }, /does not name|404/],
  ["a program that is another version", { tag: "v2.0.0", files: { [ASSET]: program("v1.5.0") } }, /does not start/],
  ["a program that cannot start", { tag: "v2.0.0", files: { [ASSET]: "#!/bin/sh\nexit 3\n" } }, /does not start/],
];

for (const [what, release, message] of bad) {
  Deno.test({
    name: `${what} leaves the old executable as it was`,
    ignore: !unix,
    fn: async () => {
      const { failure, ...rest } = await attempt(release);
      assert.match(failure, message);
      assert.deepEqual(rest, { text: program("v1.0.0"), mode: 0o751, names: ["reasonix"] });
    },
  });
}
