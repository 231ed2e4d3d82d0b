import assert from "node:assert/strict";
import { createTempWorkspace } from "../../tests/support/temp_workspace.ts";
import { readFoundText, readPlainText, withinReach } from "./reach.ts";

Deno.test("a text is read where it was found, and not where a link in its place leads", async () => {
  await using ws = await createTempWorkspace({
    "in/a.md": "ä text\n",
    "in/d/b.md": "b",
    "out/secret": "secret",
    "out/b.md": "secret",
  });
  const [a, b] = ["a.md", "d/b.md"].map((name) => withinReach(`${ws.root}/in/${name}`, { within: `${ws.root}/in` })!);
  assert.deepEqual([await readFoundText(a!, 100), await readFoundText(b!, 100)], ["ä text\n", "b"]);
  assert.deepEqual(await readFoundText(a!, 3), { problem: "it is larger than 0.0029296875 KiB" });
  await Deno.remove(a!);
  await Deno.symlink(`${ws.root}/out/secret`, a!);
  await Deno.rename(`${ws.root}/in/d`, `${ws.root}/in/e`);
  await Deno.symlink(`${ws.root}/out`, `${ws.root}/in/d`);
  assert.deepEqual(await readFoundText(a!, 100), { problem: "it is not a regular file" });
  assert.deepEqual(await readFoundText(b!, 100), { problem: "it was replaced a moment ago" });
  assert.equal(await readPlainText(a!, 100), "secret");
});
