import assert from "node:assert/strict";
import type { FileChange } from "../../contract/checkpoint.ts";
import { FileError } from "../../contract/workspace.ts";
import { createTempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { snapshotFiles } from "./snapshot_files.ts";

function recording() {
  const log: (FileChange | string)[] = [];
  const snapshots = {
    before: (change: FileChange) => {
      log.push(change);
      return Promise.resolve(() => Promise.resolve(void log.push("settled")));
    },
  };
  return { log, snapshots };
}

Deno.test("each change is announced with the paths it really touches, and settled after it", async () => {
  await using ws = await createTempWorkspace({ "real/a.txt": "a" });
  await Deno.symlink("real", `${ws.root}/link`);
  const { log, snapshots } = recording();
  const files = snapshotFiles(ws.files, snapshots);
  await files.write("link/a.txt", new Uint8Array([1]), { kind: "whole" });
  await files.move("link/a.txt", "b.txt");
  await files.remove("b.txt");
  const at = (path: string) => `${ws.root}/${path}`;
  assert.deepEqual(log, [
    { kind: "write", path: at("real/a.txt") },
    "settled",
    { kind: "move", from: at("real/a.txt"), to: at("b.txt") },
    "settled",
    { kind: "remove", path: at("b.txt") },
    "settled",
  ]);
});

Deno.test("a change whose snapshot fails does not happen", async () => {
  await using ws = await createTempWorkspace({ "a.txt": "before" });
  const files = snapshotFiles(ws.files, {
    before: ({ kind }) => Promise.reject(new FileError("no_space", "a.txt", `no room for ${kind}`)),
  });
  await assert.rejects(files.write("a.txt", new Uint8Array(), { kind: "whole" }), /no room for write/);
  await assert.rejects(files.move("a.txt", "b.txt"), /no room for move/);
  await assert.rejects(files.remove("a.txt"), /no room for remove/);
  assert.equal(await ws.text("a.txt"), "before");
});

Deno.test("a change that fails is settled too", async () => {
  await using ws = await createTempWorkspace();
  const { log, snapshots } = recording();
  await assert.rejects(snapshotFiles(ws.files, snapshots).remove("missing.txt"));
  assert.equal(log.at(-1), "settled");
});
