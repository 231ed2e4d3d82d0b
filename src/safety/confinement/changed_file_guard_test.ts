import assert from "node:assert/strict";
import { FileError } from "../../contract/workspace.ts";
import { toBytes } from "../../lib/bytes.ts";
import { createTempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { protectChangedFiles } from "./changed_file_guard.ts";

const WHOLE = { kind: "whole" } as const;

async function changed(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof FileError && error.failure === "changed") return error.message;
    throw error;
  }
}

Deno.test("a whole-file write over content that changed since it was read is refused, shows the change, and works after another read", async () => {
  await using ws = await createTempWorkspace({ "a": "one\ntwo\n" });
  const files = protectChangedFiles(ws.files);
  await files.read("a", { shown: true });
  await ws.put("a", "one\nmine\n");
  assert.equal(
    await changed(files.write("a", toBytes("agent"), WHOLE)),
    `${ws.root}/a holds something else than when you last read or wrote it, so it was left alone. ` +
      "Read it again and repeat the change on what it holds now.\n" +
      "What changed meanwhile:\n@@ -1,2 +1,2 @@\n one\n-two\n+mine",
  );
  assert.equal(await ws.text("a"), "one\nmine\n");
  await files.read("a", { shown: true });
  await files.write("a", toBytes("agent"), WHOLE);
  assert.equal(await ws.text("a"), "agent");
});

Deno.test("identical bytes with a new time stamp are no change, and the agent's own write is not a foreign one", async () => {
  await using ws = await createTempWorkspace({ "a": "one" });
  const files = protectChangedFiles(ws.files);
  await files.read("a", { shown: true });
  await ws.put("a", "one");
  await Deno.utime(`${ws.root}/a`, 1, 1);
  await files.write("a", toBytes("two"), WHOLE);
  await files.write("a", toBytes("three"), WHOLE);
  assert.equal(await ws.text("a"), "three");
  await ws.put("a", "foreign");
  assert.notEqual(await changed(files.write("a", toBytes("four"), WHOLE)), undefined);
});

Deno.test("a file the agent has never seen may be overwritten, and looking at it does not count as seeing", async () => {
  await using ws = await createTempWorkspace({ "a": "one", "b": "one" });
  const files = protectChangedFiles(ws.files);
  await files.write("a", toBytes("agent"), WHOLE);
  await files.read("b", { shown: true });
  await ws.put("b", "mine");
  // A search or a preview.
  await files.read("b");
  assert.notEqual(await changed(files.write("b", toBytes("agent"), WHOLE)), undefined);
});

Deno.test("a splice into changed content is allowed, but the content counts as unseen from then on", async () => {
  await using ws = await createTempWorkspace({ "a": "one two" });
  const files = protectChangedFiles(ws.files);
  await files.read("a", { shown: true });
  await ws.put("a", "one mine");
  const { version } = await files.read("a");
  await files.write("a", toBytes("ONE mine"), { kind: "splice", basedOn: version });
  assert.equal(await ws.text("a"), "ONE mine");
  assert.notEqual(await changed(files.write("a", toBytes("ONE two"), WHOLE)), undefined);
});

Deno.test("a splice into what was read is the agent's own write", async () => {
  await using ws = await createTempWorkspace({ "a": "one" });
  const files = protectChangedFiles(ws.files);
  const { version } = await files.read("a", { shown: true });
  const next = await files.write("a", toBytes("two"), { kind: "splice", basedOn: version });
  await files.write("a", toBytes("three"), { kind: "splice", basedOn: next });
  await files.write("a", toBytes("four"), WHOLE);
  assert.equal(
    await changed(files.write("a", toBytes("x"), { kind: "splice", basedOn: version })) === undefined,
    false,
  );
});

Deno.test("the record follows links and moves", async () => {
  await using ws = await createTempWorkspace({ "d/a": "one" });
  await Deno.symlink("d/a", `${ws.root}/link`);
  const files = protectChangedFiles(ws.files);
  await files.read("link", { shown: true });
  await files.move("d", "e");
  await ws.put("e/a", "mine");
  assert.notEqual(await changed(files.write("e/a", toBytes("x"), WHOLE)), undefined);
});

Deno.test("a changed file is not removed either; a removed one may be written anew", async () => {
  await using ws = await createTempWorkspace({ "a": "one", "b": "one" });
  const files = protectChangedFiles(ws.files);
  await files.read("a", { shown: true });
  await ws.put("a", "mine");
  assert.notEqual(await changed(files.remove("a")), undefined);
  await files.read("b", { shown: true });
  await Deno.remove(`${ws.root}/b`);
  await files.write("b", toBytes("new"), WHOLE);
  assert.equal(await ws.text("b"), "new");
  await files.remove("b");
});

Deno.test("files above 8 MiB are not remembered", async () => {
  await using ws = await createTempWorkspace();
  await ws.put("big", new Uint8Array(8 * 1024 * 1024 + 1));
  const files = protectChangedFiles(ws.files);
  await files.read("big", { shown: true });
  await ws.put("big", new Uint8Array(3));
  await files.write("big", toBytes("x"), WHOLE);
});
