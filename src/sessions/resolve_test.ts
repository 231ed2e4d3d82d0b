import assert from "node:assert/strict";
import { type TestStore, withStore } from "./_test_store.ts";

async function saved(test: TestStore, said: string, title?: string): Promise<string> {
  const made = await test.store.create({ model: "m" });
  made.append({ role: "user", content: said });
  await made.close();
  test.tick(1000);
  if (title !== undefined) {
    const meta = JSON.parse(Deno.readTextFileSync(`${made.path}.meta`));
    Deno.writeTextFileSync(`${made.path}.meta`, JSON.stringify({ ...meta, custom_title: title }));
  }
  return made.id;
}

async function opened(test: TestStore, ref: string): Promise<string> {
  const { transcript } = await test.store.open(ref);
  await transcript.close();
  return transcript.id;
}

Deno.test("a session is found by id, path, machine id, start of its id, and a part of one title or preview", async () => {
  await withStore(async (test) => {
    const id = await saved(test, "Fix the build of the parser");
    const titled = await saved(test, "hello", "Weekly Report");
    const { machineId } = await test.store.inspect(id);
    assert.match(machineId, /^session_[0-9a-f]{32}$/);
    const refs = [
      id,
      `${test.directory}/${id}.jsonl`,
      `${id}.jsonl`,
      machineId,
      "the PARSER",
      id.slice(0, -4),
    ];
    for (const ref of refs) assert.equal(await opened(test, ref), id, ref);
    assert.equal(await opened(test, "weekly rep"), titled);
  });
});

Deno.test("a session of another folder opens by its path", async () => {
  await withStore(async (test) => {
    const id = await saved(test, "moved");
    Deno.mkdirSync(`${test.stateRoot}/elsewhere`);
    const path = `${test.stateRoot}/elsewhere/${id}.jsonl`;
    Deno.renameSync(`${test.directory}/${id}.jsonl`, path);
    const { transcript } = await test.store.open(path);
    assert.deepEqual([transcript.id, transcript.path], [id, path]);
    await transcript.close();
    const copy = await test.store.open(path, { copy: true });
    assert.equal(copy.transcript.path, `${test.directory}/${copy.transcript.id}.jsonl`);
    await copy.transcript.close();
  });
});

Deno.test("what fits nothing or several opens nothing", async () => {
  await withStore(async (test) => {
    const first = await saved(test, "Fix the build");
    const second = await saved(test, "fix the tests", "Tests");
    await assert.rejects(test.store.open("fix"), {
      code: "session.ambiguous",
      message: `"fix" matches 2 sessions: ${second} (Tests), ${first} (Fix the build)`,
      remedy: "Name one by its id.",
    });
    const missing = [
      "deploy",
      "",
      " ",
      "../../etc/passwd.jsonl",
      `${test.directory}/none.jsonl`,
      `${test.directory}/${first}.jsonl/x`,
      "x".repeat(500),
      "a\u0000b",
      `session_${"0".repeat(32)}`,
    ];
    for (const ref of missing) await assert.rejects(test.store.open(ref), { code: "session.not_found" }, ref);
    await assert.rejects(test.store.open("deploy"), { message: `no session matches "deploy"` });
    await assert.rejects(test.store.open("\u001b[31mred"), { message: `no session matches "[31mred"` });
    assert.equal((await test.store.list()).length, 2);
  });
});

Deno.test("machine ids are stable while the key is and differ between installations", async () => {
  await withStore(async (test) => {
    const id = await saved(test, "go");
    const { machineId } = await test.store.inspect(id);
    assert.equal((await test.other().inspect(id)).machineId, machineId);
    const key = `${test.stateRoot}/machine-id.key`;
    if (Deno.build.os !== "windows") assert.equal(Deno.statSync(key).mode! & 0o777, 0o600);
    assert.notEqual((await test.other({ stateRoot: `${test.stateRoot}/new` }).inspect(id)).machineId, machineId);
    Deno.writeTextFileSync(key, "");
    await assert.rejects(test.other().inspect(id), { code: "session.write_failed" });
  });
});
