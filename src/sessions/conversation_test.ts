import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message } from "../contract/message.ts";
import { withStore } from "./_test_store.ts";
import { ConversationView } from "./conversation.ts";

const said = (content: string): Message => ({ role: "user", content });
const texts = (messages: readonly Message[]) => messages.map(({ content }) => content);

Deno.test("a mark cuts what follows its place, and another takes the cut back until something is said", () => {
  const view = new ConversationView([said("a"), said("b"), said("c")]);
  const { messages } = view;
  view.add({ role: "assistant", local_only: true, rewind: { id: "r1", keep: 1 } });
  assert.deepEqual([texts(messages), view.lastMark], [["a"], "r1"]);
  view.add({ role: "assistant", local_only: true, rewind: { id: "u1", undoes: "r1" } });
  assert.deepEqual([texts(messages), view.lastMark], [["a", "b", "c"], "u1"]);
  view.add({ role: "assistant", local_only: true, rewind: { id: "r2", keep: 2 } });
  view.add(said("d"));
  view.add({ role: "assistant", local_only: true, rewind: { id: "u2", undoes: "r2" } });
  assert.deepEqual(texts(messages), ["a", "b", "d"]);
  assert.deepEqual([0, 1, 2].map((at) => view.placeOf(at)), [0, 1, 6]);
});

Deno.test("marks that make no sense change nothing", () => {
  const view = new ConversationView([said("a")]);
  for (const keep of [-1, 0.5, Number.NaN, 7]) {
    view.add({ role: "assistant", local_only: true, rewind: { id: "r", keep } });
  }
  view.add({ role: "user", content: "b", rewind: { id: "r", keep: 0 } });
  assert.deepEqual(texts(view.messages), ["a", "b"]);
});

Deno.test("read again, the stored messages give the same conversation, whatever was said, cut and taken back", async () => {
  const step = fc.oneof(
    fc.constant({ kind: "say" as const }),
    fc.record({ kind: fc.constant("cut" as const), keep: fc.nat(8) }),
    fc.constant({ kind: "undo" as const }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      await withStore(async ({ store }) => {
        const transcript = await store.create({ model: "m" });
        transcript.append(said("first"));
        for (const [at, one] of steps.entries()) {
          if (one.kind === "say") transcript.append(said(`${at}`));
          else if (one.kind === "undo") transcript.undoRewind({ id: `u${at}` });
          else transcript.rewind(Math.min(one.keep, transcript.messages.length), { id: `r${at}` });
        }
        const before = [...texts(transcript.messages)];
        const { lastRewind } = transcript;
        await transcript.close();
        const { transcript: again } = await store.open(transcript.id);
        assert.deepEqual([texts(again.messages), again.lastRewind], [before, lastRewind]);
        await again.close();
      });
    }),
    { numRuns: 15 },
  );
});

Deno.test("a branch holds the stored lines of what it keeps, full texts included, and nothing else", async () => {
  await withStore(async ({ store, tick }) => {
    const transcript = await store.create({ model: "m" });
    transcript.append(said("first"));
    transcript.append({
      role: "tool",
      tool_call_id: "c1",
      result_ref: "tr-0123456789abcdef01234567",
      content: "short",
      raw_content: "the full text",
    });
    transcript.append(said("cut away"));
    transcript.rewind(2, { id: "r" });
    transcript.append(said("second"));
    tick(1000);
    const { id } = await transcript.branch(3, { title: "other" });
    await transcript.close();
    const { transcript: branch, notices } = await store.open(id);
    assert.deepEqual([texts(branch.messages), branch.title, notices], [["first", "short", "second"], "other", []]);
    const full = await branch.results.read("c1", "tr-0123456789abcdef01234567");
    assert.equal(new TextDecoder().decode(full), "the full text");
    await branch.close();
    const record = (await store.list()).find((one) => one.id === id);
    assert.deepEqual([record?.parentId, record?.turns, record?.preview], [transcript.id, 2, "first"]);
  });
});

Deno.test("a discarded session leaves no file, and the others stay", async () => {
  await withStore(async ({ store, directory, tick }) => {
    const kept = await store.create({ model: "m" });
    kept.append(said("kept"));
    await kept.close();
    tick(1000);
    const gone = await store.create({ model: "m" });
    gone.append(said("gone"));
    await Deno.mkdir(`${directory}/${gone.id}.ckpt/blobs`, { recursive: true });
    await gone.discard();
    assert.deepEqual((await store.list()).map(({ id }) => id), [kept.id]);
    assert.deepEqual([...Deno.readDirSync(directory)].filter(({ name }) => name.startsWith(gone.id)), []);
  });
});
