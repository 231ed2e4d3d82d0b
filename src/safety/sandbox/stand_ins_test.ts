import assert from "node:assert/strict";
import { createStandIns, gitTrustsLooks } from "./stand_ins.ts";

Deno.test("a stand-in looks like the real file, cannot be opened by its mode, and follows its changes", async () => {
  const folder = await Deno.makeTempDir();
  const standIns = createStandIns();
  try {
    const file = `${folder}/f`;
    await Deno.writeTextFile(file, "secret", { mode: 0o755 });
    await Deno.utime(file, 1000, 1000);
    const first = standIns.of(file);
    const { size, mtime, mode } = await Deno.stat(first);
    assert.deepEqual([size, mtime!.getTime(), mode! & 0o777], [6, 1_000_000, 0o100]);
    assert.equal(standIns.of(file), first);
    await Deno.writeTextFile(file, "longer secret");
    assert.equal((await Deno.stat(standIns.of(file))).size, 13);
    await standIns.close();
    await assert.rejects(Deno.stat(first), Deno.errors.NotFound);
  } finally {
    await standIns.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("settings for git are added to those of the environment", () => {
  assert.deepEqual(gitTrustsLooks({ GIT_CONFIG_COUNT: "1" }), {
    GIT_CONFIG_COUNT: "3",
    GIT_CONFIG_KEY_1: "core.checkStat",
    GIT_CONFIG_VALUE_1: "minimal",
    GIT_CONFIG_KEY_2: "core.trustctime",
    GIT_CONFIG_VALUE_2: "false",
  });
  assert.equal(gitTrustsLooks({}).GIT_CONFIG_COUNT, "2");
});
