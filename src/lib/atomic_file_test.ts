import assert from "node:assert/strict";
import { removeStaleTemporaries, replaceFile } from "./atomic_file.ts";
import { toBytes } from "./bytes.ts";

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "reasonix-test-" });
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name)).sort();
}

/** A process that kills itself when everything is written but the rename. */
async function replaceAndDie(target: string): Promise<void> {
  const module = new URL("./atomic_file.ts", import.meta.url).href;
  const script = `
    import { replaceFile } from ${JSON.stringify(module)};
    let checks = 0;
    await replaceFile(${JSON.stringify(target)}, new TextEncoder().encode("new"), {
      check: () => { if (++checks === 2) Deno.kill(Deno.pid, "SIGKILL"); return Promise.resolve(); },
    });`;
  const { signal } = await new Deno.Command(Deno.execPath(), { args: ["eval", "--ext=ts", "--no-check", script] })
    .output();
  assert.equal(signal, "SIGKILL");
}

Deno.test("a file is replaced whole, with the mode asked for", () =>
  withFolder(async (folder) => {
    const target = `${folder}/a.sh`;
    await Deno.writeTextFile(target, "old", { mode: 0o755 });
    await replaceFile(target, toBytes("new"), { mode: 0o750 });
    assert.equal(await Deno.readTextFile(target), "new");
    assert.equal((await Deno.stat(target)).mode! & 0o777, 0o750);
    assert.deepEqual(await names(folder), ["a.sh"]);
  }));

Deno.test("a check that fails before the rename leaves the old file and nothing else", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a`, "old");
    let checks = 0;
    await assert.rejects(
      replaceFile(`${folder}/a`, toBytes("new"), {
        check: () => (++checks === 2 ? Promise.reject(new Error("no")) : Promise.resolve()),
      }),
      new Error("no"),
    );
    assert.equal(await Deno.readTextFile(`${folder}/a`), "old");
    assert.deepEqual(await names(folder), ["a"]);
  }));

Deno.test("a process killed before the rename leaves the old content; the next tidying removes its temporary file", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a`, "old");
    await replaceAndDie(`${folder}/a`);
    assert.equal(await Deno.readTextFile(`${folder}/a`), "old");
    assert.equal((await names(folder)).length, 2);
    assert.equal(await removeStaleTemporaries(folder), true);
    assert.deepEqual(await names(folder), ["a"]);
  }));

Deno.test("tidying disturbs neither a writer at work nor files of others", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/.reasonix-notes.tmp`, "mine");
    let quiet: boolean | undefined;
    await replaceFile(`${folder}/a`, toBytes("new"), {
      check: async () => {
        quiet = await removeStaleTemporaries(folder);
      },
    });
    assert.equal(quiet, false);
    assert.equal(await Deno.readTextFile(`${folder}/a`), "new");
    assert.deepEqual(await names(folder), [".reasonix-notes.tmp", "a"]);
  }));

Deno.test("several writers at once never show half a file", () =>
  withFolder(async (folder) => {
    const target = `${folder}/shared`;
    const contents = ["a".repeat(200_000), "b".repeat(200_000)];
    await Deno.writeTextFile(target, contents[0]!);
    const writing = Promise.all(contents.map(async (content) => {
      for (let i = 0; i < 20; i++) await replaceFile(target, toBytes(content));
    }));
    for (let i = 0; i < 60; i++) assert.ok(contents.includes(await Deno.readTextFile(target)));
    await writing;
    assert.deepEqual(await names(folder), ["shared"]);
  }));
