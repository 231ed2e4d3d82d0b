import assert from "node:assert/strict";
import { withStore } from "./_test_store.ts";

const line = (message: unknown) => JSON.stringify(message) + "\n";

Deno.test("a copy takes what is whole and leaves the original as it is, torn end included", async () => {
  await withStore(async ({ store, directory }) => {
    const path = `${directory}/s.jsonl`;
    const text = line({ role: "user", content: "go" }) + "noise\n" + line({ role: "assistant", content: "yes" }) +
      `{"role":`;
    Deno.writeTextFileSync(path, text, { mode: 0o644 });
    Deno.writeTextFileSync(`${directory}/s.context.json`, "{}");
    Deno.writeTextFileSync(
      `${path}.meta`,
      JSON.stringify({ id: "s", custom_title: "Title", model: "m", pinned: true }),
    );
    const { transcript, notices } = await store.open("s", { copy: true });
    const { id } = transcript;
    assert.deepEqual(transcript.messages, [{ role: "user", content: "go" }, { role: "assistant", content: "yes" }]);
    assert.equal(notices.length, 2);
    assert.match(notices[1]!, /cut short; the 8 bytes left of it are only in the original$/);
    transcript.append({ role: "user", content: "on" });
    await transcript.close();

    assert.equal(Deno.readTextFileSync(path), text);
    assert.deepEqual(
      [...Deno.readDirSync(directory)].map((entry) => entry.name).sort(),
      [
        `${id}.context.json`,
        `${id}.jsonl`,
        `${id}.jsonl.damaged`,
        `${id}.jsonl.meta`,
        "s.context.json",
        "s.jsonl",
        "s.jsonl.meta",
      ],
    );
    assert.equal(Deno.readTextFileSync(`${transcript.path}.damaged`), "noise\n\n");
    if (Deno.build.os !== "windows") assert.equal(Deno.statSync(transcript.path).mode! & 0o777, 0o600);
    const row = (await store.list()).find((row) => row.id === id);
    const { parentId, title, model, turns } = row!;
    assert.deepEqual({ parentId, title, model, turns }, { parentId: "s", title: "Title", model: "m", turns: 2 });
  });
});

Deno.test("a copy of a session in the middle of a turn knows what its turn left", async () => {
  await withStore(async ({ store }) => {
    const made = await store.create({ model: "m" });
    made.beginTurn({ id: "t1" });
    made.append({ role: "user", content: "go" });
    made.append({ role: "assistant", tool_calls: [{ id: "a", name: "bash", arguments: "{}" }] });
    const { transcript } = await store.open(made.id, { copy: true });
    assert.deepEqual(transcript.interrupted?.interrupted_tools, [{ id: "a", name: "bash" }]);
    await transcript.close();
    await made.close();
  });
});

Deno.test("a copy has the journal of the run, and none of the messages that wait in the original", async () => {
  await withStore(async ({ store, directory }) => {
    Deno.writeTextFileSync(`${directory}/s.jsonl`, line({ role: "user", content: "go" }));
    Deno.writeTextFileSync(`${directory}/s.run-journal.ndjson`, "{}\n", { mode: 0o644 });
    Deno.mkdirSync(`${directory}/s.inbox`);
    Deno.writeTextFileSync(`${directory}/s.inbox/log.jsonl`, line({ op: "put", id: "q1", text: "later" }));
    const { transcript } = await store.open("s", { copy: true });
    const { id } = transcript;
    await transcript.close();
    assert.deepEqual(
      [...Deno.readDirSync(directory)].map(({ name }) => name).filter((name) => name.startsWith(id)).sort(),
      [`${id}.jsonl`, `${id}.jsonl.meta`, `${id}.run-journal.ndjson`],
    );
    if (Deno.build.os === "windows") return;
    assert.equal(Deno.statSync(`${directory}/${id}.run-journal.ndjson`).mode! & 0o777, 0o600);
  });
});
