import assert from "node:assert/strict";
import type { Event } from "../contract/event.ts";
import { EventLog } from "./event_log.ts";

const notice = (text: string) => ({ kind: "notice", level: "warning", text }) as const;

Deno.test("what happens before anybody listens is told to all who listen before the first turn, without a gap", () => {
  let session = "";
  const log = new EventLog(() => session);
  log.emit(notice("early"));
  session = "s1";
  const first: Event[] = [];
  const second: Event[] = [];
  const late: Event[] = [];
  log.subscribe((event) => first.push(event));
  log.emit(notice("between"));
  log.subscribe((event) => second.push(event));
  log.nextTurn();
  log.emit(notice("in the turn"));
  log.subscribe((event) => late.push(event));
  const told = [
    { sessionId: "s1", turnId: "t0", seq: 1, ...notice("early") },
    { sessionId: "s1", turnId: "t0", seq: 2, ...notice("between") },
    { sessionId: "s1", turnId: "t1", seq: 3, ...notice("in the turn") },
  ];
  assert.deepEqual([first, second, late], [told, told, []]);
});

Deno.test("a listener that fails at what was before it is dropped and named, and the others go on", () => {
  const log = new EventLog(() => "s1");
  const texts: string[] = [];
  log.subscribe((event) => texts.push(event.kind === "notice" ? event.text : ""));
  log.emit(notice("early"));
  let calls = 0;
  log.subscribe(() => {
    calls++;
    throw new Error("no screen");
  });
  log.emit(notice("later"));
  assert.deepEqual([texts, calls], [["early", "an output stopped listening: no screen", "later"], 1]);
});
