import assert from "node:assert/strict";
import { findAbandoned, makeTempFolder } from "./temp_folder.ts";

const MODULE = new URL("./temp_folder.ts", import.meta.url).href;
const exists = (path: string) => Deno.stat(path).then(() => true, () => false);
const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

async function withFolder(work: (base: string) => Promise<void>): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  try {
    await work(base);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

Deno.test("a folder is private, is noted for as long as it is there, and goes with all that is in it", async () => {
  await withFolder(async (base) => {
    const notes = `${base}/notes`;
    const folder = makeTempFolder(notes, { what: "masks", parent: base });
    assert.match(folder.path, /\/reasonix-masks-\w+$/);
    if (Deno.build.os !== "windows") assert.equal((await Deno.stat(folder.path)).mode! & 0o777, 0o700);
    assert.equal(await Deno.readTextFile(`${notes}/${names(notes)[0]}`), folder.path);
    await Deno.mkdir(`${folder.path}/deep`);
    await Deno.writeTextFile(`${folder.path}/deep/file`, "");
    await Deno.chmod(`${folder.path}/deep`, 0o500).catch(() => {});
    await Promise.all([folder.remove(), folder.remove()]);
    assert.deepEqual([await exists(folder.path), names(notes)], [false, []]);
  });
});

Deno.test("what a killed program has left is found by the next one, and what a living one uses is not", async () => {
  await withFolder(async (base) => {
    const notes = `${base}/notes`;
    const script = `import { makeTempFolder } from "${MODULE}";
      console.log(makeTempFolder("${notes}", { parent: "${base}" }).path);
      await new Promise((done) => setTimeout(done, 60_000));`;
    const child = new Deno.Command(Deno.execPath(), { args: ["eval", script], stdout: "piped" }).spawn();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const path = (await reader.read()).value!.trim();
    assert.deepEqual(await findAbandoned(notes), []);
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    const found = await findAbandoned(notes);
    assert.deepEqual(found.map((folder) => folder.path), [path]);
    await found[0]!.remove();
    assert.deepEqual([await exists(path), names(notes)], [false, []]);
  });
});

Deno.test("a note removes nothing but such a folder, whatever it says", async () => {
  await withFolder(async (base) => {
    const notes = `${base}/notes`;
    await Deno.mkdir(notes);
    await Deno.mkdir(`${base}/mine`);
    await Deno.writeTextFile(`${base}/reasonix-file`, "");
    await Deno.symlink(`${base}/mine`, `${base}/reasonix-link`);
    for (const [at, path] of [`${base}/mine`, `${base}/reasonix-file`, `${base}/reasonix-link`, ".", ""].entries()) {
      await Deno.writeTextFile(`${notes}/${at}`, path);
    }
    assert.deepEqual(await findAbandoned(notes), []);
    assert.deepEqual([names(notes), names(base).sort()], [[], ["mine", "notes", "reasonix-file", "reasonix-link"]]);
    assert.deepEqual(await findAbandoned(`${base}/missing`), []);
  });
});
