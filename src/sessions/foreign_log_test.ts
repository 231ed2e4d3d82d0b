import assert from "node:assert/strict";
import type { Message } from "../contract/message.ts";
import { type TestStore, withStore } from "./_test_store.ts";

const said = (from: number, to: number): Message[] =>
  Array.from({ length: to - from }, (_, i) => ({ role: "user", content: `m${from + i}` }));
const line = (value: unknown) => JSON.stringify(value) + "\n";
const replace = (messages: Message[]) => line({ schema_version: 1, type: "replace", revision: 1, messages });
const append = (message_index: number, messages: Message[]) =>
  line({ schema_version: 1, type: "append", base_revision: 1, message_index, messages });

function put(test: TestStore, files: { readonly transcript?: Message[]; readonly log: string }): void {
  if (files.transcript) Deno.writeTextFileSync(`${test.directory}/s.jsonl`, files.transcript.map(line).join(""));
  Deno.writeTextFileSync(`${test.directory}/s.events.jsonl`, files.log);
}

async function opened(test: TestStore) {
  const { transcript, notices } = await test.store.open("s");
  const messages = [...transcript.messages];
  await transcript.close();
  return { messages, notices };
}

Deno.test("recovery takes the newest state an event log of another version holds, once", async () => {
  await withStore(async (test) => {
    const log = replace(said(0, 1149)) + replace(said(0, 1315)) + append(1315, said(1315, 1316)) +
      append(1316, said(1316, 1317)) + append(1317, said(1317, 1318)) + append(1318, said(1318, 1319)).slice(0, -20);
    put(test, { transcript: said(0, 1149), log });
    const { messages, notices } = await opened(test);
    assert.deepEqual(messages, said(0, 1318));
    assert.deepEqual(notices, [`session s: 169 messages were restored from ${test.directory}/s.events.jsonl`]);
    assert.deepEqual(await opened(test), { messages: said(0, 1318), notices: [] });
  });
});

Deno.test("an older event log changes nothing", async () => {
  await withStore(async (test) => {
    put(test, { transcript: said(0, 5), log: replace(said(0, 3)) });
    assert.deepEqual(await opened(test), { messages: said(0, 5), notices: [] });
  });
});

Deno.test("where transcript and event log tell different stories both are kept and named", async () => {
  await withStore(async (test) => {
    const other: Message[] = [...said(0, 2), { role: "user", content: "another way" }];
    put(test, { transcript: said(0, 4), log: replace(other) });
    const { messages, notices } = await opened(test);
    assert.deepEqual(messages, said(0, 4));
    const rows = await test.store.list();
    const branch = rows.find((row) => row.recovered)!;
    assert.deepEqual(notices, [
      `session s: its event log tells another story after message 2; ` +
      `the 4 messages of the transcript go on here, the 3 of the log are session ${branch.id}`,
    ]);
    const { transcript } = await test.store.open(branch.id);
    assert.deepEqual(transcript.messages, other);
    await transcript.close();
    assert.deepEqual(await opened(test), { messages: said(0, 4), notices: [] });
    assert.equal((await test.store.list()).length, 2);
  });
});

Deno.test("an event log without its transcript is listed and opens", async () => {
  await withStore(async (test) => {
    put(test, { log: replace(said(0, 3)) });
    assert.deepEqual((await test.store.list()).map(({ id, damaged }) => ({ id, damaged })), [
      { id: "s", damaged: "its transcript is missing; opening it reads the event log" },
    ]);
    assert.equal((await test.store.latest())?.id, "s");
    assert.deepEqual((await opened(test)).messages, said(0, 3));
    assert.equal((await test.store.list())[0]!.damaged, undefined);
  });
});

Deno.test("a log is followed up to its damage, and on from the next whole state", async () => {
  const cases: [log: string, expected: Message[]][] = [
    [replace(said(0, 2)) + "noise\n" + append(3, said(3, 4)), said(0, 2)],
    [replace(said(0, 2)) + "noise\n" + append(3, said(3, 4)) + replace(said(0, 6)), said(0, 6)],
    [replace(said(0, 2)) + append(5, said(5, 6)) + append(2, said(2, 3)), said(0, 2)],
    [replace(said(0, 4)) + append(2, said(7, 8)), [...said(0, 2), ...said(7, 8)]],
    [
      line({ type: "append", messages: said(0, 2) }) + "\n" + line({ type: "append", messages: said(2, 3) }),
      said(0, 3),
    ],
    ["", []],
  ];
  for (const [log, expected] of cases) {
    await withStore(async (test) => {
      put(test, { transcript: [], log });
      assert.deepEqual((await opened(test)).messages, expected);
    });
  }
});
