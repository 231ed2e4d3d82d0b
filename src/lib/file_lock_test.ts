import assert from "node:assert/strict";
import { LockTimeout, withFileLock } from "./file_lock.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Replaces the file as writers do: what is locked by the next holder is another file. */
function replace(file: string, text: string): void {
  Deno.writeTextFileSync(`${file}.new`, text);
  Deno.renameSync(`${file}.new`, file);
}

Deno.test("holders work one after the other, also while the file comes into being and is replaced", () =>
  inFolder(async (folder) => {
    const file = `${folder}/count`;
    let inside = 0;
    const step = () =>
      withFileLock(file, async () => {
        assert.equal(++inside, 1);
        const count = Number(await Deno.readTextFile(file).catch(() => "0"));
        await new Promise((resolve) => setTimeout(resolve, 1));
        replace(file, String(count + 1));
        inside--;
      });
    await Promise.all(Array.from({ length: 30 }, step));
    assert.equal(Deno.readTextFileSync(file), "30");
    assert.deepEqual([...Deno.readDirSync(folder)].map((entry) => entry.name), ["count"]);
  }));

Deno.test("the answer and the failure of the work come out, and the lock is free again", () =>
  inFolder(async (folder) => {
    const file = `${folder}/x`;
    assert.equal(await withFileLock(file, () => Promise.resolve(7)), 7);
    await assert.rejects(() => withFileLock(file, () => Promise.reject(new Error("mine"))), /mine/);
    assert.equal(await withFileLock(file, () => Promise.resolve(8)), 8);
  }));

Deno.test("waiting ends with a timeout or an abort", () =>
  inFolder(async (folder) => {
    const file = `${folder}/x`;
    await withFileLock(file, async () => {
      await assert.rejects(() => withFileLock(file, () => Promise.resolve(), { timeoutMs: 20 }), LockTimeout);
      const signal = AbortSignal.abort();
      await assert.rejects(() => withFileLock(file, () => Promise.resolve(), { signal }), { name: "AbortError" });
    });
  }));
