import assert from "node:assert/strict";
import type { Message } from "../contract/message.ts";
import { withStore } from "./_test_store.ts";

const user = (content: string): Message => ({ role: "user", content });
const answer = (content: string): Message => ({ role: "assistant", content, modelRef: "demo/one" });

Deno.test("a session comes back as it was written", async () => {
  await withStore(async ({ store, directory }) => {
    const made = await store.create({ model: "demo/one" });
    assert.deepEqual([...Deno.readDirSync(directory)], [], "no file before the first message");
    made.append(user("Fix the build"));
    made.append(answer("Done."));
    await made.sync();
    await made.close();

    const { transcript, notices } = await store.open(made.id);
    assert.deepEqual(notices, []);
    assert.deepEqual(transcript.messages, [user("Fix the build"), answer("Done.")]);
    transcript.append(user("Thanks"));
    await transcript.close();
    assert.equal(Deno.readTextFileSync(transcript.path).split("\n").length, 4);
    assert.deepEqual((await store.list()).map(({ id, preview, turns }) => ({ id, preview, turns })), [
      { id: made.id, preview: "Fix the build", turns: 2 },
    ]);
  });
});

Deno.test("the newest session is the one to continue", async () => {
  await withStore(async ({ store, tick }) => {
    const first = await store.create({ model: "demo/one" });
    first.append(user("first"));
    await first.close();
    tick(1000);
    const second = await store.create({ model: "demo/one" });
    second.append(user("second"));
    await second.close();
    assert.equal((await store.latest())?.id, second.id);
    tick(1000);
    const { transcript } = await store.open(first.id);
    transcript.append(answer("again"));
    await transcript.close();
    assert.equal((await store.latest())?.id, first.id);
  });
});
