import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message } from "../contract/message.ts";
import { findInterrupted } from "./interrupted.ts";
import { formatRecord, type JournalRecord } from "./journal/record.ts";
import { JournalState } from "./journal/state.ts";
import { withStore } from "./_test_store.ts";

const asked = (...ids: string[]): Message => ({
  role: "assistant",
  tool_calls: ids.map((id) => ({ id, name: "asked", arguments: "{}" })),
});
const result = (id: string, more: Partial<Message> = {}): Message => ({
  role: "tool",
  tool_call_id: id,
  content: "ok",
  ...more,
});
const inFlight = { id: "t1", startMessageIndex: 0, startedAt: 0 };

const began = (id: string, writer = true): JournalRecord => ({
  kind: "call",
  id,
  name: writer ? "write_file" : "read_file",
  digest: id,
  writer,
  mutationGeneration: 0,
});
const ended = (
  id: string,
  outcome: "completed" | "failed" | "cancelled" = "completed",
  check = false,
): JournalRecord => ({
  kind: "end",
  id,
  digest: id,
  outcome,
  check,
  mutationGeneration: 0,
});
const turn: JournalRecord = { kind: "turn", id: "t1", at: 0 };
const journalOf = (records: readonly JournalRecord[]) => JournalState.of(records.map(formatRecord).join(""));
const ids = (list: readonly { readonly id: string }[] | undefined) => list?.map(({ id }) => id) ?? [];

Deno.test("what the transcript does not know the journal does: begun, ended, not begun, only reading", () => {
  const messages = [{ role: "user", content: "go" } as const, asked("a", "b", "c", "d", "e"), result("a")];
  const journal = journalOf([
    turn,
    began("a"),
    ended("a"),
    began("b"),
    ended("b", "failed"),
    began("c"),
    began("e", false),
  ]);
  assert.deepEqual(findInterrupted(messages, { inFlight, journal }), {
    reason: "pending",
    detail: "the program ended while the turn was running",
    completed_tools: [
      { id: "a", name: "write_file", files: [] },
      { id: "b", name: "write_file", files: [] },
    ],
    interrupted_tools: [{ id: "c", name: "write_file" }],
    harmless_tools: [{ id: "d", name: "asked" }, { id: "e", name: "read_file" }],
    dropped_partial_text: false,
  });
});

Deno.test("calls that only the journal knows are told, also of a turn that has stored nothing", () => {
  const journal = journalOf([turn, began("a"), ended("a"), began("b"), began("c"), ended("c", "cancelled")]);
  const messages: Message[] = [{ role: "user", content: "before" }, { role: "assistant", content: "done" }];
  const found = findInterrupted(messages, { inFlight: { ...inFlight, startMessageIndex: 2 }, journal });
  assert.deepEqual([ids(found?.completed_tools), ids(found?.interrupted_tools)], [["a"], ["b", "c"]]);
});

Deno.test("a journal of another turn says nothing of this one", () => {
  const messages = [{ role: "user", content: "go" } as const, asked("a")];
  const journal = journalOf([{ ...turn, id: "t0" } as JournalRecord, began("a"), ended("a")]);
  for (
    const known of [{ inFlight, journal }, {
      inFlight,
      journal: journalOf([turn, { kind: "turn_end", outcome: "completed" }]),
    }]
  ) {
    assert.deepEqual(ids(findInterrupted(messages, known)?.interrupted_tools), ["a"]);
  }
});

Deno.test("checks of the turn stand until a change, and a call of unknown effect is one", () => {
  const messages: Message[] = [
    { role: "user", content: "go" },
    asked("a", "b"),
    result("a", { tool_execution: { state: "completed", verifies: "the tests" } }),
    result("b", { tool_execution: { state: "completed", verifies: "the types" } }),
  ];
  const first = [turn, began("a"), ended("a", "completed", true), began("b"), ended("b", "completed", true)];
  const checks = (...more: JournalRecord[]) =>
    findInterrupted(messages, { inFlight, journal: journalOf([...first, ...more]) })?.checks?.map((
      one,
    ) => [one.what, one.stands]);
  assert.deepEqual(checks(), [["the tests", true], ["the types", true]]);
  assert.deepEqual(checks(began("c", false), ended("c")), [["the tests", true], ["the types", true]]);
  assert.deepEqual(checks(began("c")), [["the tests", false], ["the types", false]]);
  assert.deepEqual(checks(began("c"), ended("c")), [["the tests", false], ["the types", false]]);
});

Deno.test("cut at any byte, the journal never calls done what it did not see end, nor harmless what had begun to write", () => {
  const step = fc.record({
    writer: fc.boolean(),
    ends: fc.constantFrom("completed", "failed", "cancelled", undefined),
    stored: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
      const records: JournalRecord[] = [turn];
      const messages: Message[] = [{ role: "user", content: "go" }, asked(...steps.map((_, n) => `c${n}`))];
      steps.forEach(({ writer, ends, stored }, n) => {
        records.push(began(`c${n}`, writer));
        if (ends) records.push(ended(`c${n}`, ends));
        if (ends && stored) messages.push(result(`c${n}`));
      });
      const text = records.map(formatRecord).join("");
      for (let length = 0; length <= text.length; length++) {
        const seen = text.slice(0, length);
        const whole = seen.slice(0, seen.lastIndexOf("\n") + 1);
        const has = (record: JournalRecord) => whole.includes(formatRecord(record));
        const found = findInterrupted(messages, { inFlight, journal: JournalState.of(seen) })!;
        const expected = (n: number): string => {
          const { writer, ends, stored } = steps[n]!;
          if (ends && stored) return "completed";
          if (!has(turn)) return "interrupted";
          if (ends && has(ended(`c${n}`, ends))) return ends === "cancelled" ? "interrupted" : "completed";
          return writer && has(began(`c${n}`, writer)) ? "interrupted" : "harmless";
        };
        const told = new Map([
          ...ids(found.completed_tools).map((id) => [id, "completed"] as const),
          ...ids(found.interrupted_tools).map((id) => [id, "interrupted"] as const),
          ...ids(found.harmless_tools).map((id) => [id, "harmless"] as const),
        ]);
        assert.deepEqual(
          [...told].sort(),
          steps.map((_, n) => [`c${n}`, expected(n)]),
          `cut after ${length} characters`,
        );
      }
    }),
    { numRuns: 25 },
  );
});

Deno.test("a session whose program died says so when it opens, and so does its copy; a branch has no part in it", async () => {
  await withStore(async ({ store, directory }) => {
    const messages = [{ role: "user", content: "go" } as const, asked("a", "b"), result("a")];
    Deno.writeTextFileSync(`${directory}/s.jsonl`, messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    const marker = { id: "t1", start_message_index: 0, started_at: "2026-01-31T09:45:12.000Z" };
    Deno.writeTextFileSync(`${directory}/s.jsonl.meta`, JSON.stringify({ id: "s", in_flight_turn: marker }));
    const journal = [turn, began("a"), ended("a"), began("b")].map(formatRecord).join("");
    Deno.writeTextFileSync(`${directory}/s.run-journal.ndjson`, `${journal}{"kind":"end","id":"b"`);
    for (const copy of [true, false]) {
      const { transcript, notices } = await store.open("s", { copy });
      assert.deepEqual(ids(transcript.interrupted?.interrupted_tools), ["b"]);
      assert.match(notices[0]!, /the program ended in the middle of a turn.*: write_file$/);
      const branch = await transcript.branch(1, {});
      assert.deepEqual([...Deno.readDirSync(directory)].filter(({ name }) => name.startsWith(`${branch.id}.run`)), []);
      await transcript.close();
    }
  });
});
