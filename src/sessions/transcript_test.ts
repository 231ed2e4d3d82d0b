import assert from "node:assert/strict";
import type { Message } from "../contract/message.ts";
import type { Transcript } from "../contract/session.ts";
import { type TestStore, withStore } from "./_test_store.ts";

const user = (content: string): Message => ({ role: "user", content });
const result = (id: string, raw: string): Message => ({
  role: "tool",
  tool_call_id: id,
  name: "bash",
  content: raw.slice(0, 4),
  result_ref: `tr-${id}`,
  raw_content: raw,
});
const small = ({ raw_content: _, ...message }: Message): Message => message;
const records = (path: string) => Deno.readTextFileSync(path).split("\n").slice(0, -1).map((line) => JSON.parse(line));
const metaOf = (path: string) => JSON.parse(Deno.readTextFileSync(`${path}.meta`));
const textOf = async (transcript: Transcript, id: string) => {
  const bytes = await transcript.results.read(id, `tr-${id}`);
  return bytes && new TextDecoder().decode(bytes);
};

Deno.test("the full text of a bounded result is read back from the file, now and after a reopening", async () => {
  await withStore(async ({ store }) => {
    const made = await store.create({ model: "m" });
    made.append(user("go"));
    const message = result("a", "whole text, größer \ud800 \u2028");
    made.append(message);
    const wanted = "whole text, größer \ufffd \u2028";
    assert.deepEqual(made.messages, [user("go"), small(message)]);
    assert.equal(await textOf(made, "a"), wanted);
    await made.close();
    assert.equal(await textOf(made, "a"), wanted, "also when the session was closed");
    const { transcript } = await store.open(made.id);
    assert.deepEqual(transcript.messages, [user("go"), small(message)]);
    assert.equal(await textOf(transcript, "a"), wanted);
    assert.equal(await transcript.results.read("b", "tr-a"), undefined);
    assert.equal(await transcript.results.read("a", "tr-b"), undefined);
    await transcript.close();
  });
});

Deno.test("nothing the caller does to a message later changes the transcript", async () => {
  await withStore(async ({ store }) => {
    const made = await store.create({ model: "m" });
    const message: { role: "user"; content: string } = { role: "user", content: "as said" };
    made.append(message);
    message.content = "other";
    assert.deepEqual(made.messages, [user("as said")]);
    await made.close();
  });
});

Deno.test("files and folder are the user's alone", { ignore: Deno.build.os === "windows" }, async () => {
  await withStore(async ({ store, directory }) => {
    Deno.removeSync(directory);
    const made = await store.create({ model: "m" });
    made.append(user("go"));
    const modes = [directory, made.path, `${made.path}.meta`, `${made.path}.lock`].map((path) =>
      (Deno.statSync(path).mode! & 0o777).toString(8)
    );
    assert.deepEqual(modes, ["700", "600", "600", "600"]);
    await made.close();
  });
});

Deno.test("the meta file is written with the first message and at the ends of turns, never in between", async () => {
  await withStore(async ({ store, tick }) => {
    const made = await store.create({ model: "demo/one" });
    made.beginTurn({ id: "t1" });
    made.append(user("Fix\n the build"));
    const begun = metaOf(made.path);
    assert.deepEqual(begun, {
      schema_version: 2,
      id: made.id,
      created_at: "2026-01-31T09:45:12.000Z",
      updated_at: "2026-01-31T09:45:12.000Z",
      workspace_root: "/project",
      model: "demo/one",
      turns: 1,
      preview: "Fix the build",
      transcript_bytes: Deno.statSync(made.path).size,
      in_flight_turn: {
        id: "t1",
        start_message_index: 0,
        preserve_user: true,
        started_at: "2026-01-31T09:45:12.000Z",
      },
    });
    tick(5000);
    made.append({ role: "assistant", content: "Done." });
    assert.deepEqual(metaOf(made.path), begun);
    made.endTurn();
    const { in_flight_turn: _, ...rest } = begun;
    const ended = { ...rest, updated_at: "2026-01-31T09:45:17.000Z", transcript_bytes: Deno.statSync(made.path).size };
    assert.deepEqual(metaOf(made.path), ended);
    await made.close();
    assert.deepEqual(metaOf(made.path), ended);
  });
});

Deno.test("keys of other versions in the meta file survive", async () => {
  await withStore(async ({ store }) => {
    const made = await store.create({ model: "m" });
    made.append(user("go"));
    await made.close();
    Deno.writeTextFileSync(
      `${made.path}.meta`,
      JSON.stringify({ ...metaOf(made.path), pinned: true, topic_id: "t", custom_title: "Build" }),
    );
    const { transcript } = await store.open(made.id);
    transcript.append(user("more"));
    await transcript.close();
    const { pinned, topic_id, custom_title, turns } = metaOf(made.path);
    assert.deepEqual({ pinned, topic_id, custom_title, turns }, {
      pinned: true,
      topic_id: "t",
      custom_title: "Build",
      turns: 2,
    });
  });
});

for (const content of ["", "{", `[]`, `{"id":7}`]) {
  Deno.test(`a meta file that holds ${content || "nothing"} is made anew`, async () => {
    await withStore(async ({ store }) => {
      const made = await store.create({ model: "m" });
      made.append(user("go"));
      await made.close();
      Deno.writeTextFileSync(`${made.path}.meta`, content);
      assert.deepEqual((await store.list()).map(({ preview, turns, damaged }) => ({ preview, turns, damaged })), [
        { preview: "go", turns: 1, damaged: undefined },
      ]);
      const { transcript, notices } = await store.open(made.id);
      assert.deepEqual(notices, []);
      transcript.append(user("more"));
      await transcript.close();
      const { id, turns, preview, created_at } = metaOf(made.path);
      assert.deepEqual({ id, turns, preview, created_at }, {
        id: made.id,
        turns: 2,
        preview: "go",
        created_at: "2026-01-31T09:45:12.000Z",
      });
    });
  });
}

/** A session with a turn, touched by `intrude`, and then written to. */
async function intruded(test: TestStore, intrude: (path: string) => void) {
  const made = await test.store.create({ model: "m" });
  const original = { id: made.id, path: made.path };
  made.append(user("go"));
  made.append(result("a", "the whole of it"));
  made.endTurn();
  intrude(made.path);
  made.append(user("more"));
  made.append(user("and more"));
  return { made, original };
}

Deno.test("a transcript another program wrote to goes on in a branch and overwrites nothing", async () => {
  await withStore(async (test) => {
    const foreign = `{"role":"user","content":"from elsewhere"}\n`;
    let before = "";
    const { made, original } = await intruded(test, (path) => {
      before = Deno.readTextFileSync(path) + foreign;
      Deno.writeTextFileSync(path, foreign, { append: true });
    });
    assert.notEqual(made.id, original.id);
    assert.equal(Deno.readTextFileSync(original.path), before);
    assert.deepEqual(records(made.path), [
      user("go"),
      result("a", "the whole of it"),
      user("more"),
      user("and more"),
    ]);
    assert.equal(await textOf(made, "a"), "the whole of it");
    assert.deepEqual(test.told, [
      `session ${original.id} was changed by another program; the conversation goes on in ${made.id} ` +
      `and the other file is left as it is.`,
    ]);
    await made.close();
    const { id, parent_id, recovered, recovery_reason, recovery_depth, recovery_root_id, turns } = metaOf(made.path);
    assert.deepEqual({ id, parent_id, recovered, recovery_reason, recovery_depth, recovery_root_id, turns }, {
      id: made.id,
      parent_id: original.id,
      recovered: true,
      recovery_reason: "changed",
      recovery_depth: 1,
      recovery_root_id: original.id,
      turns: 3,
    });
    // Both open, and the first is free.
    for (const id of [made.id, original.id]) await (await test.store.open(id)).transcript.close();
  });
});

Deno.test("a transcript that was replaced, removed or emptied goes on in a branch", async () => {
  const ways: Record<string, (path: string) => void> = {
    replaced: (path) => {
      Deno.writeTextFileSync(`${path}.new`, "other\n");
      Deno.renameSync(`${path}.new`, path);
    },
    removed: (path) => Deno.removeSync(path),
    changed: (path) => Deno.truncateSync(path),
  };
  for (const [reason, intrude] of Object.entries(ways)) {
    await withStore(async (test) => {
      const { made } = await intruded(test, intrude);
      // The full text of a result is in the file alone: where its bytes are gone, its short form is carried over.
      const kept = reason === "changed" ? small(result("a", "the whole of it")) : result("a", "the whole of it");
      assert.deepEqual(records(made.path), [user("go"), kept, user("more"), user("and more")]);
      assert.equal(test.told.length, 1);
      assert.equal(test.told[0]!.includes("Long texts of 1 of its messages were lost"), reason === "changed");
      await made.close();
      assert.equal(metaOf(made.path).recovery_reason, reason);
    });
  }
});

Deno.test("a branch that cannot be written leaves the conversation where it was", async () => {
  await withStore(async (test) => {
    const made = await test.store.create({ model: "m" });
    made.append(user("go"));
    const { id, path } = made;
    Deno.renameSync(test.directory, `${test.directory}.gone`);
    Deno.writeTextFileSync(test.directory, "a file stands where the folder was");
    assert.throws(() => made.append(user("more")), { code: "session.write_failed" });
    assert.deepEqual([made.id, made.path, made.messages], [id, path, [user("go")]]);
    Deno.removeSync(test.directory);
    Deno.renameSync(`${test.directory}.gone`, test.directory);
    made.append(user("more"));
    await made.close();
    assert.deepEqual(records(path), [user("go"), user("more")]);
    assert.deepEqual(test.told, []);
  });
});

Deno.test("a second store in the same process is refused too", async () => {
  await withStore(async ({ store, other }) => {
    const made = await store.create({ model: "m" });
    made.append(user("go"));
    await assert.rejects(other().open(made.id), { code: "session.locked" });
    await made.close();
    await (await other().open(made.id)).transcript.close();
  });
});

Deno.test("what a dead program left of its turn is found once", async () => {
  await withStore(async ({ store, directory }) => {
    const call = (id: string) => ({ id, name: "write_file", arguments: "{}" });
    const messages: Message[] = [
      user("first"),
      { role: "assistant", content: "done" },
      user("second"),
      { role: "assistant", tool_calls: [call("a"), call("b"), call("c")] },
      {
        role: "tool",
        tool_call_id: "a",
        content: "ok",
        tool_execution: { state: "completed", paths_written: ["x.ts"] },
      },
      { role: "tool", tool_call_id: "b", content: "stopped", tool_execution: { state: "cancelled" } },
    ];
    const path = `${directory}/s.jsonl`;
    Deno.writeTextFileSync(path, messages.map((message) => JSON.stringify(message) + "\n").join(""));
    const interrupted = {
      reason: "pending",
      detail: "the program ended while the turn was running",
      completed_tools: [{ id: "a", name: "write_file", files: ["x.ts"] }],
      interrupted_tools: [{ id: "b", name: "write_file" }, { id: "c", name: "write_file" }],
      dropped_partial_text: false,
    };
    const marker = { id: "t2", start_message_index: 2, started_at: "2026-01-31T09:45:12.000Z" };
    for (const meta of [JSON.stringify({ id: "s", in_flight_turn: marker }), ""]) {
      Deno.writeTextFileSync(`${path}.meta`, meta);
      const { transcript } = await store.open("s");
      assert.deepEqual(transcript.interrupted, interrupted, meta === "" ? "by its shape" : "by its marker");
      await transcript.close();
    }
    const { transcript } = await store.open("s");
    transcript.beginTurn({ id: "t1" });
    assert.equal(transcript.interrupted, undefined);
    transcript.append(user("third"));
    transcript.append({ role: "assistant", content: "done" });
    transcript.endTurn();
    await transcript.close();
    const again = await store.open("s");
    assert.equal(again.transcript.interrupted, undefined);
    await again.transcript.close();
  });
});

Deno.test("a turn that recorded its own end is not found interrupted", async () => {
  await withStore(async ({ store }) => {
    const made = await store.create({ model: "m" });
    made.beginTurn({ id: "t1" });
    made.append(user("go"));
    made.append({
      role: "assistant",
      local_only: true,
      interrupted_turn: {
        reason: "cancelled",
        completed_tools: [],
        interrupted_tools: [],
        dropped_partial_text: false,
      },
    });
    await made.close();
    const { transcript } = await store.open(made.id);
    assert.equal(transcript.interrupted, undefined);
    await transcript.close();
  });
});

Deno.test("closing twice is closing once, and nothing can be added after it", async () => {
  await withStore(async ({ store }) => {
    const made = await store.create({ model: "m" });
    await made.close();
    const used = await store.create({ model: "m" });
    used.append(user("go"));
    await used.close();
    await used.close();
    await used.sync();
    assert.throws(() => used.append(user("more")), /closed session/);
    assert.equal((await store.list()).length, 1);
  });
});
