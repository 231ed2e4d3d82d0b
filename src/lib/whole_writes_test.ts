import assert from "node:assert/strict";
import { appendWhole, createFile } from "./whole_writes.ts";

const MODULE = new URL("./whole_writes.ts", import.meta.url).href;
const BLOCK = 512;

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a new file is private when it is to be, and never takes the place of another", async () => {
  await withFolder(async (folder) => {
    await createFile(`${folder}/a`, "one", { mode: 0o600 });
    await assert.rejects(createFile(`${folder}/a`, "two"), Deno.errors.AlreadyExists);
    assert.equal(await Deno.readTextFile(`${folder}/a`), "one");
    if (Deno.build.os !== "windows") assert.equal((await Deno.stat(`${folder}/a`)).mode! & 0o777, 0o600);
  });
});

Deno.test("lines are put behind each other", async () => {
  await withFolder(async (folder) => {
    using file = await Deno.open(`${folder}/log`, { append: true, create: true });
    for (const line of ["one\n", "two\n"]) appendWhole(file, new TextEncoder().encode(line));
    assert.equal(await Deno.readTextFile(`${folder}/log`), "one\ntwo\n");
  });
});

Deno.test({
  name: "of a write that the system takes only half of nothing stays",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withFolder(async (folder) => {
      // The limit on the size of files lets a write through up to the limit and fails the rest.
      const script = `import { appendWhole, createFile } from "${MODULE}";
        const fails = async (work) => { try { await work(); return "done"; } catch (error) { return error.message; } };
        const large = "x".repeat(${BLOCK} * 100);
        console.log(await fails(() => createFile("${folder}/new", large)));
        using file = await Deno.open("${folder}/log", { append: true, create: true });
        appendWhole(file, new TextEncoder().encode("whole\\n"));
        console.log(await fails(() => appendWhole(file, new TextEncoder().encode(large))));`;
      await Deno.writeTextFile(`${folder}/script.ts`, script);
      const limited = `trap '' XFSZ; ulimit -f 64; exec "$@"`;
      const run = [Deno.execPath(), "run", "-A", "--no-check", "--quiet", `${folder}/script.ts`];
      const env = { DENO_NO_UPDATE_CHECK: "1" };
      const { stdout, stderr } = await new Deno.Command("sh", { args: ["-c", limited, "sh", ...run], env }).output();
      const said = new TextDecoder().decode(stdout).trimEnd().split("\n");
      assert.deepEqual(said.map((line) => /too large/i.test(line)), [true, true], new TextDecoder().decode(stderr));
      assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["log", "script.ts"]);
      assert.equal(await Deno.readTextFile(`${folder}/log`), "whole\n");
    });
  },
});
