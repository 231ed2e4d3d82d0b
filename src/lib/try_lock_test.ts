import assert from "node:assert/strict";
import { isHeld, tryLock, tryLockSync } from "./try_lock.ts";

/** As a runtime without `tryLock` shows a file. */
function ofOldRuntime(file: Deno.FsFile): Deno.FsFile {
  return {
    statSync: () => file.statSync(),
    lock: (exclusive: boolean) => file.lock(exclusive),
    lockSync: (exclusive: boolean) => file.lockSync(exclusive),
  } as unknown as Deno.FsFile;
}

Deno.test({
  name: "a lock held by another open file is seen without waiting, on old runtimes too",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const path = await Deno.makeTempFile();
    using holder = await Deno.open(path, { read: true, write: true });
    using other = await Deno.open(path, { read: true, write: true });
    assert.equal(await tryLock(ofOldRuntime(holder), true), true);
    assert.deepEqual([tryLockSync(other, true), tryLockSync(ofOldRuntime(other), true)], [false, false]);
    assert.deepEqual([await tryLock(other, true), await tryLock(ofOldRuntime(other), true)], [false, false]);
    await holder.unlock();
    assert.equal(tryLockSync(ofOldRuntime(other), true), true);
    await Deno.remove(path);
  },
});

Deno.test("where the system does not tell, nothing counts as held", async () => {
  const path = await Deno.makeTempFile();
  using file = await Deno.open(path, { read: true, write: true });
  assert.equal(isHeld(file, ""), false);
  await Deno.remove(path);
});
