import assert from "node:assert/strict";
import { createTempWorkspace } from "../../tests/support/temp_workspace.ts";
import { listFolder } from "./folder_list.ts";

Deno.test("a folder is listed with what git ignores told apart, and without that when there are too many rules", async () => {
  await using ws = await createTempWorkspace({ ".gitignore": "*.log\nout/\n", "a.log": "", "a.ts": "", "out/x": "" });
  const list = async (patienceMs: number) => {
    const found = await listFolder(
      ws.root,
      "",
      new AbortController().signal,
      { patienceMs },
    );
    return found.map(({ name, ignored }) => `${name}${ignored ? " ignored" : ""}`);
  };
  assert.deepEqual(await list(60_000), ["out ignored", ".gitignore", "a.log ignored", "a.ts"]);
  assert.deepEqual(await list(0), ["out", ".gitignore", "a.log", "a.ts"]);
});
