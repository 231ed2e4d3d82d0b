import assert from "node:assert/strict";
import { startWriter, withState } from "./_writer.ts";

const MOUNT = `mount -t tmpfs -o size=1m none "$1" || exit 9; shift; exec "$@"`;

/** A mount of our own that ends with the process needs a privilege. */
function canMount(): boolean {
  if (Deno.build.os !== "linux") return false;
  const folder = Deno.makeTempDirSync();
  try {
    return new Deno.Command("unshare", { args: ["-m", "sh", "-c", MOUNT, "sh", folder, "true"] }).outputSync().success;
  } catch {
    return false;
  } finally {
    Deno.removeSync(folder);
  }
}

Deno.test({
  name: "a full disk is told at once, cuts nothing in half, and the session goes on once there is space",
  ignore: !canMount(),
  async fn() {
    await withState(async (stateRoot) => {
      const program = decodeURIComponent(new URL("../support/full_disk.ts", import.meta.url).pathname);
      const run = [Deno.execPath(), "run", "-A", "--no-check", program, stateRoot];
      const output = await new Deno.Command("unshare", { args: ["-m", "sh", "-c", MOUNT, "sh", stateRoot, ...run] })
        .output();
      assert.equal(new TextDecoder().decode(output.stderr), "");
      assert.equal(new TextDecoder().decode(output.stdout), "whole\n");
    });
  },
});

Deno.test({
  name: "a write the system takes only half of is taken back",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withState(async (stateRoot) => {
      // The limit on the size of files lets a write through up to the limit and fails the rest.
      const through = ["sh", "-c", `trap '' XFSZ; ulimit -f 16000; exec "$@"`, "sh"];
      const writer = startWriter({ stateRoot, ref: "new", task: "fill", through });
      const { id } = (await writer.next())!;
      let fact = await writer.next();
      let saved = -1;
      for (; fact?.saved !== undefined; fact = await writer.next()) saved = fact.saved;
      assert.equal(fact?.failed, "session.write_failed");
      assert.match(fact!.message!, /File too large/);
      await writer.kill();
      const lines = Deno.readTextFileSync(`${stateRoot}/sessions/${id}.jsonl`).split("\n");
      assert.equal(lines.pop(), "");
      assert.equal(lines.map((line) => JSON.parse(line)).length, saved + 1);
    });
  },
});
