// What keepers do that nobody wrote; what real ones do is in tests/sandbox.
import assert from "node:assert/strict";
import { Rooms } from "./rooms.ts";

const linux = { ignore: Deno.build.os !== "linux" };

/** Runs a command in a room whose keeper is this text of bash. */
async function run(keeper: string, answerMs?: number) {
  const rooms = new Rooms({ answerMs });
  const standing = { argv: ["/bin/bash", "-c", keeper], keeper: "keeper" };
  try {
    const running = await rooms.start({
      ...{ standing, cwd: "/", env: {}, callId: "call" },
      ...{ argv: ["/bin/true"], reporter: "" },
    });
    return await running?.ended;
  } finally {
    await rooms.close();
  }
}

Deno.test("walls that do not come up are waited for so long, and then there is no room", linux, async () => {
  assert.equal(await run("exec sleep 60", 50), undefined);
});

Deno.test("a keeper that does not answer is ended, and its command is not begun elsewhere", linux, async () => {
  await assert.rejects(run("echo up >&2; exec sleep 60", 2000), /the sandbox did not answer/);
});

Deno.test("what walls say before they are up does not hide that they are", linux, async () => {
  const talk = "for i in {1..300}; do echo words of a wall >&2; done; sleep 0.05; echo up >&2";
  const answer = `read -r -d '' n; echo "begun $n" >&2; printf '\\036%s' "$n"; echo "ended $n 3" >&2; read -r`;
  assert.deepEqual(await run(`${talk}; ${answer}`), { code: 3, survivors: [] });
});

Deno.test("a keeper that dies before it begins a command leaves it to a start of its own", linux, async () => {
  assert.equal(await run("echo up >&2; read -r -d '' n; kill -9 $$"), undefined);
});
