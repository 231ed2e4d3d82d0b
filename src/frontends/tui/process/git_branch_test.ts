import assert from "node:assert/strict";
import { gitBranch } from "./git_branch.ts";

Deno.test("the branch is read from a folder, a worktree and a detached commit, and never from what is no file", async () => {
  const folder = await Deno.makeTempDir();
  try {
    assert.equal(await gitBranch(folder), undefined);
    await Deno.mkdir(`${folder}/.git`);
    await Deno.mkdir(`${folder}/tree/deep`, { recursive: true });
    await Deno.writeTextFile(`${folder}/.git/HEAD`, "ref: refs/heads/feature/x\n");
    assert.equal(await gitBranch(`${folder}/tree/deep`), "feature/x");
    await Deno.writeTextFile(`${folder}/tree/.git`, "gitdir: ../.git\n");
    assert.equal(await gitBranch(`${folder}/tree`), "feature/x");
    await Deno.writeTextFile(`${folder}/.git/HEAD`, "0123456789abcdef0123456789abcdef01234567\n");
    assert.equal(await gitBranch(folder), "01234567");
    if (Deno.build.os === "windows") return;
    await Deno.remove(`${folder}/.git/HEAD`);
    await Deno.symlink("/dev/zero", `${folder}/.git/HEAD`);
    assert.equal(await gitBranch(folder), undefined);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
