/**
 * Fills the disk under a session and frees it again. The argument is a folder on a small file system that nothing else
 * uses; run by tests/sessions/full_disk_test.ts in a mount namespace of its own. Prints `whole` when all is well.
 */
import assert from "node:assert/strict";
import type { Message } from "../../src/contract/message.ts";
import { createSessionStore } from "../../src/sessions/mod.ts";

const root = Deno.args[0]!;
const store = createSessionStore({
  directory: `${root}/sessions`,
  stateRoot: root,
  holder: { pid: Deno.pid, host: "desk", program: "test", startedAt: 0 },
});
const ballast = `${root}/ballast`;
const message = (n: number): Message => ({ role: "user", content: `${n} ${"größer ".repeat(1500)}` });
const isFull = {
  code: "session.write_failed",
  retry: true,
  remedy: "Free some space and try again; what was saved before is whole.",
};

function writeBallast(bytes: number): void {
  Deno.writeFileSync(ballast, new Uint8Array(bytes));
}

// Full before the first message: the session is not there, and can be begun later.
Deno.mkdirSync(`${root}/sessions`);
try {
  writeBallast(64 * 1024 * 1024);
} catch {
  // Full, as it should be.
}
const transcript = await store.create({ model: "m" });
assert.throws(() => transcript.append(message(0)), isFull);
assert.deepEqual(transcript.messages, []);
assert.deepEqual(await store.list(), []);

// Full in the middle.
Deno.removeSync(ballast);
writeBallast(256 * 1024);
let saved = 0;
assert.throws(() => {
  for (;;) {
    transcript.append(message(saved));
    saved++;
  }
}, isFull);
assert.ok(saved > 2);
assert.equal(transcript.messages.length, saved);
const lines = Deno.readTextFileSync(transcript.path).split("\n");
assert.equal(lines.pop(), "");
assert.deepEqual(lines.map((line) => JSON.parse(line)), Array.from({ length: saved }, (_, n) => message(n)));
transcript.endTurn();
assert.throws(() => transcript.append(message(saved)), isFull);

// Space again: the same conversation goes on.
Deno.removeSync(ballast);
for (let n = saved; n < saved + 3; n++) transcript.append(message(n));
await transcript.sync();
await transcript.close();
const again = await store.open(transcript.id);
assert.deepEqual(again.notices, []);
assert.deepEqual(again.transcript.messages, Array.from({ length: saved + 3 }, (_, n) => message(n)));
await again.transcript.close();
console.log("whole");
