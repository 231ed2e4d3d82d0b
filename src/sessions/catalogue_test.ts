import assert from "node:assert/strict";
import type { Message } from "../contract/message.ts";
import { type TestStore, withStore } from "./_test_store.ts";

const line = (message: unknown) => JSON.stringify(message) + "\n";
const user = (content: string): Message => ({ role: "user", content });

async function saved(test: TestStore, ...said: string[]): Promise<string> {
  const made = await test.store.create({ model: "m" });
  for (const content of said) made.append(user(content));
  await made.close();
  test.tick(1000);
  return made.id;
}

/** False for root, who may read everything. */
const isObeyed = (() => {
  const path = Deno.makeTempFileSync();
  try {
    Deno.chmodSync(path, 0);
    Deno.readFileSync(path);
    return false;
  } catch {
    return true;
  } finally {
    Deno.removeSync(path);
  }
})();

Deno.test("a store without a folder lists nothing", async () => {
  await withStore(async ({ store, directory }) => {
    Deno.removeSync(directory);
    assert.deepEqual(await store.list(), []);
    assert.equal(await store.latest(), undefined);
  });
});

Deno.test("a folder that cannot be read is said to be so", async () => {
  await withStore(async ({ store, directory }) => {
    Deno.removeSync(directory);
    Deno.writeTextFileSync(directory, "no folder");
    await assert.rejects(store.list(), { code: "session.unreadable" });
  });
});

Deno.test("every damaged session is listed as damaged and none hides another", async () => {
  await withStore(async (test) => {
    const { store, directory } = test;
    const good = await saved(test, "good");
    Deno.writeTextFileSync(`${directory}/empty.jsonl`, "");
    Deno.writeTextFileSync(`${directory}/newline.jsonl`, "\n");
    Deno.writeTextFileSync(`${directory}/noise.jsonl`, "\u0000\u0001 noise\n");
    Deno.writeTextFileSync(`${directory}/torn.jsonl`, line(user("torn")) + `{"role":`);
    Deno.writeTextFileSync(`${directory}/whole.jsonl`, JSON.stringify(user("no line end")));
    Deno.writeTextFileSync(`${directory}/middle.jsonl`, line(user("middle")) + "x\n" + line(user("after")));
    Deno.mkdirSync(`${directory}/folder.jsonl`);
    Deno.writeTextFileSync(`${directory}/gone.jsonl.meta`, JSON.stringify({ id: "gone", preview: "was here" }));
    const rows = Object.fromEntries(
      (await store.list()).map(({ id, preview, damaged }) => [id, { preview, damaged }]),
    );
    assert.deepEqual(rows, {
      [good]: { preview: "good", damaged: undefined },
      empty: { preview: "", damaged: "it is empty" },
      newline: { preview: "", damaged: "it holds no whole message" },
      noise: { preview: "", damaged: "it holds no whole message" },
      torn: { preview: "torn", damaged: "its last record has no end" },
      whole: { preview: "no line end", damaged: undefined },
      middle: { preview: "middle", damaged: "some of its records are broken" },
      folder: { preview: "", damaged: "not a regular file" },
      gone: { preview: "was here", damaged: "its transcript is missing" },
    });
  });
});

Deno.test("logs beside a transcript and sessions being deleted are no sessions", async () => {
  await withStore(async (test) => {
    const { store, directory } = test;
    const id = await saved(test, "kept");
    const deleted = await saved(test, "deleted");
    Deno.writeTextFileSync(`${directory}/${deleted}.cleanup-pending.json`, "{}");
    for (const side of ["events", "execution", "adjudication", "wire", "conflicts", "guardian"]) {
      Deno.writeTextFileSync(`${directory}/${id}.${side}.jsonl`, "{}\n");
    }
    Deno.writeTextFileSync(`${directory}/${id}.jsonl.damaged`, "x\n");
    Deno.writeTextFileSync(`${directory}/${id}.jsonl.12.tmp`, "x\n");
    assert.deepEqual((await store.list()).map((row) => row.id), [id]);
  });
});

Deno.test("a long session without a meta file is listed from its start", async () => {
  await withStore(async ({ store, directory }) => {
    const opening = line({ role: "system", content: "x".repeat(100_000) }) +
      line({ role: "user", content: "<session-context>", host_authored: true }) +
      line({ role: "user", content: "block\n\nFix it", raw_content: "Fix it" });
    const path = `${directory}/long.jsonl`;
    Deno.writeTextFileSync(path, opening + line(user("y".repeat(1000))).repeat(2000));
    const [row] = await store.list();
    const { preview, turns, damaged, bytes } = row!;
    assert.deepEqual({ preview, turns, damaged, bytes }, {
      preview: "Fix it",
      turns: undefined,
      damaged: undefined,
      bytes: Deno.statSync(path).size,
    });
  });
});

Deno.test("a session grown since its meta file was written is as new as its transcript", async () => {
  await withStore(async (test) => {
    const { store, directory } = test;
    const older = await saved(test, "older");
    const newer = await saved(test, "newer");
    assert.deepEqual((await store.list()).map((row) => row.id), [newer, older]);
    Deno.writeTextFileSync(`${directory}/${older}.jsonl`, line(user("more")), { append: true });
    Deno.utimeSync(`${directory}/${older}.jsonl`, new Date(), new Date("2026-02-01T00:00:00Z"));
    assert.deepEqual(
      (await store.list()).map(({ id, updatedAt }) => ({ id, updatedAt })),
      [
        { id: older, updatedAt: Date.parse("2026-02-01T00:00:00Z") },
        { id: newer, updatedAt: Date.parse("2026-01-31T09:45:13.000Z") },
      ],
    );
  });
});

Deno.test("to go on with the newest passes over what holds nothing, not over what needs mending", async () => {
  await withStore(async (test) => {
    const { store, directory } = test;
    await saved(test, "older");
    Deno.writeTextFileSync(`${directory}/torn.jsonl`, line(user("torn")) + `{"role":`);
    Deno.utimeSync(`${directory}/torn.jsonl`, new Date(), new Date("2026-03-01T00:00:00Z"));
    Deno.writeTextFileSync(`${directory}/empty.jsonl`, "");
    Deno.utimeSync(`${directory}/empty.jsonl`, new Date(), new Date("2026-03-02T00:00:00Z"));
    assert.equal((await store.latest())?.id, "torn");
  });
});

Deno.test("a session that cannot be read is reported as such, never as missing or empty", async () => {
  await withStore(async ({ store, directory }) => {
    Deno.mkdirSync(`${directory}/s.jsonl`);
    await assert.rejects(store.open("s"), {
      code: "session.unreadable",
      message: `the session at ${directory}/s.jsonl cannot be read: not a regular file`,
    });
    await assert.rejects(store.open("s", { copy: true }), { code: "session.unreadable" });
    assert.deepEqual([...Deno.readDirSync(directory)].map((entry) => entry.name), ["s.jsonl"]);
  });
});

Deno.test("without permission a session is unreadable, and stays the newest", { ignore: !isObeyed }, async () => {
  await withStore(async (test) => {
    const { store, directory } = test;
    await saved(test, "older");
    const id = await saved(test, "locked away");
    Deno.chmodSync(`${directory}/${id}.jsonl`, 0);
    assert.equal((await store.latest())?.id, id);
    await assert.rejects(store.open(id), {
      code: "session.unreadable",
      remedy: "Give yourself access to the folder, or set REASONIX_STATE_HOME to another.",
    });
    Deno.removeSync(`${directory}/${id}.jsonl.meta`);
    assert.match((await store.list())[0]!.damaged!, /permission denied$/);
  });
});

Deno.test("in a folder without write permission the first message says so", { ignore: !isObeyed }, async () => {
  await withStore(async (test) => {
    const { store, directory } = test;
    const id = await saved(test, "before");
    Deno.chmodSync(directory, 0o500);
    try {
      const made = await store.create({ model: "m" });
      assert.throws(() => made.append(user("go")), { code: "session.write_failed" });
      await made.close();
      await assert.rejects(store.open(id), { code: "session.write_failed" });
      assert.equal((await store.list()).length, 1);
    } finally {
      Deno.chmodSync(directory, 0o700);
    }
    Deno.chmodSync(`${directory}/${id}.jsonl`, 0o400);
    await assert.rejects(store.open(id), { code: "session.write_failed" });
  });
});
