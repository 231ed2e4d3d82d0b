import assert from "node:assert/strict";
import { toBytes } from "../../lib/bytes.ts";
import { createTempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { previewEdit } from "./preview.ts";
import { previewCall } from "./preview_call.ts";

const NOTHING = { diff: "", added: 0, removed: 0 };

Deno.test("a preview shows the diff the call would make, and makes none", async () => {
  await using ws = await createTempWorkspace({ "a": "one\ntwo\n" });
  const change = { diff: "@@ -1,2 +1,2 @@\n one\n-two\n+2\n", added: 1, removed: 1, notes: [] };
  const edit = { old_string: "two", new_string: "2" };
  assert.deepEqual(await previewCall(ws.files, "edit_file", { path: "a", ...edit }), change);
  assert.deepEqual(await previewCall(ws.files, "multi_edit", { path: "a", edits: [edit] }), change);
  assert.deepEqual(await previewCall(ws.files, "write_file", { path: "a", content: "one\n2\n" }), change);
  assert.equal(await ws.text("a"), "one\ntwo\n");
});

Deno.test("new files, unchanged ones, replaced binaries and edits that will fail are told", async () => {
  const file = (text: string) => ({ path: "/a", bytes: toBytes(text) });
  assert.deepEqual(await previewEdit("write_file", { content: "x\n" }, { path: "/a", bytes: undefined }), {
    diff: "@@ -0,0 +1 @@\n+x\n",
    added: 1,
    removed: 0,
    notes: ["new file"],
  });
  assert.deepEqual(await previewEdit("write_file", { content: "x" }, file("x")), {
    ...NOTHING,
    notes: ["the file already holds exactly this"],
  });
  assert.deepEqual(await previewEdit("write_file", { content: "x" }, file("a\0b")), {
    ...NOTHING,
    notes: ["this replaces a binary file (3 bytes)"],
  });
  const failing = await previewEdit("edit_file", { old_string: "q", new_string: "r" }, file("x x"));
  assert.match(failing!.failure!, /^old_string was not found/);
  const missing = await previewEdit("edit_file", { old_string: "q", new_string: "r" }, {
    path: "/a",
    bytes: undefined,
  });
  assert.deepEqual(missing, { ...NOTHING, notes: [], failure: "/a does not exist" });
});

Deno.test("other tools, arguments that do not fit and unusable paths have no diff", async () => {
  await using ws = await createTempWorkspace({ "d/a": "" });
  assert.equal(await previewCall(ws.files, "bash", { command: "ls" }), undefined);
  assert.equal(await previewCall(ws.files, "edit_file", { path: "d/a" }), undefined);
  assert.equal(await previewCall(ws.files, "write_file", { path: 1 }), undefined);
  assert.deepEqual(await previewCall(ws.files, "write_file", { path: "d", content: "" }), {
    ...NOTHING,
    notes: [`${ws.root}/d is not a regular file but a directory`],
  });
  assert.deepEqual(await previewCall(ws.files, "write_file", { path: "", content: "" }), {
    ...NOTHING,
    notes: ["the path is empty"],
  });
});
