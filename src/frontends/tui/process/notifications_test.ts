import assert from "node:assert/strict";
import type { Event, EventBody } from "../../../contract/event.ts";
import { callFor, callSequence, type NotificationSettings } from "./notifications.ts";

const ON: NotificationSettings = { enabled: true, turnDone: true, approvalRequest: true, askRequest: true };
const event = (body: EventBody) => ({ sessionId: "s", turnId: "t1", seq: 1, ...body }) as Event;
const done = (outcome: "completed" | "failed" | "cancelled") =>
  event({ kind: "turn_done", status: outcome === "cancelled" ? "interrupted" : outcome, outcome, rounds: 1 });
const approval = event({ kind: "approval_request", approval: {} as never });
const ask = event({ kind: "ask_request", ask: {} as never });

Deno.test("a long turn that ends and a question call; a short turn, a stop and everything else do not", () => {
  const long = 60_000;
  assert.equal(callFor(done("completed"), ON, long), "notify.done");
  assert.equal(callFor(done("failed"), ON, long), "notify.failed");
  assert.equal(callFor(approval, ON, 0), "notify.approval");
  assert.equal(callFor(ask, ON, 0), "notify.ask");
  assert.equal(callFor(done("completed"), ON, 4_999), undefined);
  assert.equal(callFor(done("cancelled"), ON, long), undefined);
  assert.equal(callFor(event({ kind: "text", text: "hi" }), ON, long), undefined);
});

Deno.test("each kind can be switched off, and nothing calls unless asked to", () => {
  assert.equal(callFor(done("completed"), { ...ON, turnDone: false }, 60_000), undefined);
  assert.equal(callFor(approval, { ...ON, approvalRequest: false }, 0), undefined);
  assert.equal(callFor(ask, { ...ON, askRequest: false }, 0), undefined);
  assert.equal(callFor(ask, { ...ON, enabled: false }, 0), undefined);
});

Deno.test("tmux and screen get the bell alone; words cannot end the sequence early", () => {
  const env = (values: Record<string, string>) => (name: string) => values[name];
  assert.equal(callSequence("done", env({ TERM: "xterm-256color" })), "\x1b]9;done\x07\x07");
  assert.equal(callSequence("done", env({ TMUX: "/tmp/x" })), "\x07");
  assert.equal(callSequence("done", env({ TERM: "screen-256color" })), "\x07");
  assert.doesNotMatch(callSequence("a\x07b\x1b]0;c", env({})).slice(4, -2), /[\x07\x1b;]/);
});
