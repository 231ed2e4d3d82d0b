// Each check finds what it is there for, and nothing where all is well.
import assert from "node:assert/strict";
import * as checks from "./checks.ts";
import type { Seen } from "./endpoint.ts";
import { makeEpisode } from "./plan.ts";
import { wholeFile } from "./rounds.ts";

const stored = (...messages: unknown[]): checks.Stored => ({ id: "s", messages, broken: 0, torn: false });
const lines = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const seen = (messages: unknown[], more: Record<string, unknown> = {}): Seen => {
  const body = { model: "m", stream: true, tools: [], messages, ...more };
  const isSummary = body.tools === undefined;
  return { wire: "openai", head: "POST /x HTTP/1.1", text: JSON.stringify(body), body, isSummary };
};
const system = { role: "system", content: "Be brief." };
const user = (content: string) => ({ role: "user", content });

Deno.test("words that were sent or told and are not stored are missed", () => {
  const kept = [
    stored({ role: "user", content: "ask-e1s1 do" }, { role: "assistant", content: "reply-e1s1r1 is said" }),
    stored({ role: "user", raw_content: "ask-e1s2 do", content: "cut" }),
  ];
  const acknowledged = { asks: ["ask-e1s1", "ask-e1s2"], replies: ["reply-e1s1r1"] };
  assert.deepEqual(checks.lostWords(acknowledged, kept), []);
  assert.deepEqual(checks.lostWords(acknowledged, kept.slice(1)).length, 2);
  // A reply in the place of an ask is not an ask.
  assert.deepEqual(checks.lostWords({ asks: ["reply-e1s1r1"], replies: [] }, kept).length, 1);
});

Deno.test("results that were told before another call began are missed", () => {
  const told = lines(
    { kind: "tool_started", tool: { id: "a" } },
    { kind: "tool_result", tool: { id: "a" } },
    { kind: "tool_started", tool: { id: "b" } },
    { kind: "tool_result", tool: { id: "b" } },
  );
  assert.deepEqual(checks.lostResults(told, [stored({ role: "tool", tool_call_id: "a" })]), []);
  assert.equal(checks.lostResults(told, [stored()]).length, 1);
});

Deno.test("a request that changes a word of what was sent before is found, over programs too, and a fold is allowed", () => {
  const first = seen([system, user("one")]);
  const second = seen([system, user("one"), { role: "assistant", content: "1" }, user("two")]);
  const changed = seen([system, user("One"), { role: "assistant", content: "1" }, user("two")]);
  const prefixes = new checks.Prefixes();
  assert.deepEqual(prefixes.follow("s", [first, first, second]), []);
  assert.equal(prefixes.follow("s", [changed]).length, 1);
  const folded = seen([system, user("a digest")]);
  assert.deepEqual(prefixes.follow("s", [seen([user("summarise")], { tools: undefined }), folded]), []);
  prefixes.copy("s", "t");
  assert.equal(prefixes.follow("t", [first]).length, 1);
  prefixes.forget("t");
  assert.deepEqual(prefixes.follow("t", [first]), []);
  assert.equal(prefixes.follow("u", [first, seen([system, user("one")], { tools: [{ name: "new" }] })]).length, 1);
});

Deno.test("requests that a strict endpoint refuses are found", () => {
  const call = { id: "c", type: "function", function: { name: "ls", arguments: "{}" } };
  const open = seen([system, user("one"), { role: "assistant", content: null, tool_calls: [call] }]);
  assert.deepEqual(checks.invalidRequests([seen([system, user("one")])]), []);
  assert.equal(checks.invalidRequests([open]).length, 1);
});

Deno.test("a key is found in each of its spellings, and the line it belongs to may hold it", () => {
  const key = 'k:ab12&"\\/+=cd';
  for (const form of checks.spellings(key)) {
    const found = checks.shownSecrets([key], [{ where: "here", text: `x${form}y` }, {
      where: "there",
      text: "nothing",
    }]);
    assert.deepEqual(found, ["a key shows in here"]);
  }
  assert.equal(new Set(checks.spellings(key)).size, 4);
  const head = `POST /x HTTP/1.1\r\nauthorization: Bearer ${key}\r\nx-api-key: ${key}\r\nuser-agent: a`;
  assert.ok(!checks.withoutKeyLine(head).includes(key));
  assert.ok(checks.withoutKeyLine(head).includes("user-agent: a"));
});

Deno.test("stacks and the code of a defect are found", () => {
  const good = "error: the stream was cut at byte 3\n  Try again.\n";
  assert.deepEqual(checks.defects(good), []);
  const stack = "Error: x\n    at run (file:///x.ts:1:2)\n";
  for (const text of [stack, "error: Uncaught (in promise) x", '{"code":"internal.bug"}']) {
    assert.equal(checks.defects(good + text).length, 1, text);
  }
});

Deno.test("only the known exit codes pass, or the very signal that was sent", () => {
  for (const code of [0, 1, 3, 4]) assert.deepEqual(checks.oddExit({ code, signal: null }, undefined), []);
  assert.deepEqual(checks.oddExit({ code: 143, signal: "SIGTERM" }, "SIGTERM"), []);
  assert.equal(checks.oddExit({ code: 139, signal: "SIGSEGV" }, "SIGTERM").length, 1);
  assert.equal(checks.oddExit({ code: 70, signal: null }, undefined).length, 1);
});

Deno.test("torn lines pass only where they may be", () => {
  const torn = { ...stored(), torn: true };
  assert.deepEqual(checks.brokenLines([torn], { mayBeTorn: true }), []);
  assert.equal(checks.brokenLines([torn], { mayBeTorn: false }).length, 1);
  assert.equal(checks.brokenLines([{ ...stored(), broken: 1 }], { mayBeTorn: true }).length, 1);
  assert.deepEqual(checks.brokenOutput('{"a":1}\n{"b"', { mayBeTorn: true }), []);
  assert.equal(checks.brokenOutput('{"a":1}\n{"b"', { mayBeTorn: false }).length, 1);
  assert.equal(checks.brokenOutput('{"a"\n{"b":1}\n', { mayBeTorn: true }).length, 1);
});

Deno.test("gaps, calls without an end and missing results of a run are found", () => {
  const good = [
    { kind: "turn_started", seq: 1 },
    { kind: "tool_started", seq: 2, tool: { id: "a" } },
    { kind: "tool_result", seq: 3, tool: { id: "a" } },
    { kind: "turn_done", seq: 4 },
    { type: "result" },
  ];
  assert.deepEqual(checks.oddEvents(lines(...good), { ended: true }), []);
  assert.equal(checks.oddEvents(lines(...good.slice(1)), { ended: false }).length, 1);
  assert.equal(checks.oddEvents(lines(...good.slice(0, 4)), { ended: true }).length, 1);
  assert.equal(
    checks.oddEvents(lines(good[0], good[1], { kind: "turn_done", seq: 3 }, good[4]), { ended: true }).length,
    1,
  );
});

Deno.test("what stands for something under way is told from what stays", () => {
  const stay = ["state/projects/p/sessions/s.jsonl", "ws/a.txt", "home/config.toml", "ws/reasonix.toml"];
  const go = [
    "ws/.reasonix-0011.tmp",
    "state/projects/p/sessions/s.jsonl.lock",
    "state/pending-writes/1",
    "tmp/reasonix-ab",
  ];
  assert.deepEqual(checks.leftovers([...stay, ...go]), go);
});

Deno.test("half a file is told from a whole one", () => {
  const whole = wholeFile("v1", 20);
  const halves = [whole.slice(0, -3), whole.slice(3), whole.replace("end v1", "end v2"), ""];
  assert.deepEqual(checks.tornFiles([{ path: "a", text: whole }]), []);
  assert.equal(checks.tornFiles(halves.map((text) => ({ path: "a", text }))).length, halves.length);
});

Deno.test("the same seed is the same plan, and another seed is another", () => {
  assert.deepEqual(makeEpisode(7, 3), makeEpisode(7, 3));
  assert.notDeepEqual(makeEpisode(7, 3), makeEpisode(8, 3));
  assert.notDeepEqual(makeEpisode(7, 3).steps, makeEpisode(7, 4).steps);
});
