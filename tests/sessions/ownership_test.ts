import assert from "node:assert/strict";
import { createSessionStore } from "../../src/sessions/mod.ts";
import { startWriter, withState } from "./_writer.ts";

function storeIn(stateRoot: string) {
  return createSessionStore({
    directory: `${stateRoot}/sessions`,
    stateRoot,
    holder: { pid: Deno.pid, host: "desk", program: "reasonix run", startedAt: Date.UTC(2026, 0, 31, 9, 45, 12) },
  });
}

async function savedSession(stateRoot: string): Promise<string> {
  const transcript = await storeIn(stateRoot).create({ model: "m" });
  transcript.append({ role: "user", content: "hello" });
  await transcript.close();
  return transcript.id;
}

Deno.test("a second process is refused, told the holder and the ways out, and harms nothing", async () => {
  await withState(async (stateRoot) => {
    const id = await savedSession(stateRoot);
    const { transcript } = await storeIn(stateRoot).open(id);
    const writer = startWriter({ stateRoot, ref: id, task: "write" });
    const fact = await writer.next();
    assert.deepEqual(fact, {
      failed: "session.locked",
      message: `session ${id} is in use by reasonix run (process ${Deno.pid} on desk, since 2026-01-31T09:45:12Z)`,
      remedy: "End it there, continue in a copy with --copy, or, where a resident server holds it, use --takeover.",
    });
    await writer.kill();
    transcript.append({ role: "assistant", content: "still mine" });
    await transcript.close();
    assert.equal(Deno.readTextFileSync(transcript.path).split("\n").length, 3);
  });
});

Deno.test("the session of a killed process is free at once and its turn is known to be interrupted", async () => {
  await withState(async (stateRoot) => {
    const writer = startWriter({ stateRoot, ref: "new", task: "write" });
    const { id } = (await writer.next())!;
    while ((await writer.next())!.saved !== 4);
    await assert.rejects(storeIn(stateRoot).open(id!), { code: "session.locked" });
    assert.equal((await storeIn(stateRoot).inspect(id!)).state, "running");
    await writer.kill();
    assert.equal((await storeIn(stateRoot).inspect(id!)).state, "interrupted");
    const { transcript } = await storeIn(stateRoot).open(id!);
    assert.ok(transcript.messages.length >= 5);
    assert.equal(transcript.interrupted?.reason, "pending");
    await transcript.close();
  });
});

Deno.test({
  name: "a child process that outlives the holder does not keep the session",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withState(async (stateRoot) => {
      const writer = startWriter({ stateRoot, ref: "new", task: "spawn" });
      const { id } = (await writer.next())!;
      const children = Deno.readTextFileSync(`/proc/${writer.pid}/task/${writer.pid}/children`).trim().split(" ");
      await writer.kill();
      const { transcript } = await storeIn(stateRoot).open(id!);
      await transcript.close();
      for (const child of children) Deno.kill(Number(child), "SIGKILL");
    });
  },
});

Deno.test("a copy goes on beside the holder, under an id of its own", async () => {
  await withState(async (stateRoot) => {
    const id = await savedSession(stateRoot);
    const writer = startWriter({ stateRoot, ref: id, task: "hold" });
    await writer.next();
    const before = Deno.readTextFileSync(`${stateRoot}/sessions/${id}.jsonl`);
    const store = storeIn(stateRoot);
    const { transcript } = await store.open(id, { copy: true });
    assert.notEqual(transcript.id, id);
    transcript.append({ role: "user", content: "my own way" });
    await transcript.close();
    assert.equal(Deno.readTextFileSync(`${stateRoot}/sessions/${id}.jsonl`), before);
    const rows = await store.list();
    assert.deepEqual(rows.map(({ id, parentId, turns }) => ({ id, parentId, turns })), [
      { id: transcript.id, parentId: id, turns: 2 },
      { id, parentId: undefined, turns: 1 },
    ]);
    await writer.kill();
  });
});

Deno.test("a takeover from a program that does not hand over is refused", async () => {
  await withState(async (stateRoot) => {
    const id = await savedSession(stateRoot);
    const store = storeIn(stateRoot);
    const { transcript } = await store.open(id);
    await assert.rejects(store.open(id, { takeover: true }), {
      code: "session.locked",
      message:
        `session ${id} is in use by reasonix run (process ${Deno.pid} on desk, since 2026-01-31T09:45:12Z), which does not hand it over`,
      remedy: "End it there, or continue in a copy with --copy.",
    });
    await transcript.close();
    const taken = await store.open(id, { takeover: true });
    await taken.transcript.close();
  });
});

Deno.test("an orderly end leaves neither lock nor lease behind", async () => {
  await withState(async (stateRoot) => {
    const id = await savedSession(stateRoot);
    const names = [...Deno.readDirSync(`${stateRoot}/sessions`)].map((entry) => entry.name).sort();
    assert.deepEqual(names, [`${id}.jsonl`, `${id}.jsonl.meta`]);
  });
});
