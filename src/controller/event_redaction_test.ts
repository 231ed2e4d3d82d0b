import assert from "node:assert/strict";
import fc from "fast-check";
import type { EventBody } from "../contract/event.ts";
import { SecretFilter } from "../lib/secret_filter.ts";
import { EventRedaction } from "./event_redaction.ts";

const KEY = "sk-live-0123456789";

function told(bodies: readonly EventBody[], keys: readonly string[] = [KEY]): EventBody[] {
  const redaction = new EventRedaction(new SecretFilter(keys));
  return bodies.flatMap((body) => [...redaction.toTold(body)]);
}

const text = (text: string): EventBody => ({ kind: "text", text });

Deno.test("a key that comes in pieces never leaves, and the words around it do", () => {
  const pieces = ["it is ", "sk-l", "ive-012", "3456789", ", keep it"].map(text);
  const end: EventBody = { kind: "message", text: `it is ${KEY}, keep it`, reasoning: "" };
  const events = told([...pieces, end]);
  const words = events.map((event) => event.kind === "text" ? event.text : "").join("");
  assert.equal(words, "it is [redacted], keep it");
  assert.deepEqual(events.at(-1), { ...end, text: "it is [redacted], keep it" });
});

Deno.test("what only begins like a key is told when something else comes", () => {
  const end: EventBody = { kind: "turn_phase", phase: "working" };
  assert.deepEqual(told([text("ask-l"), end]), [text("a"), text("sk-l"), end]);
});

Deno.test("thoughts that follow words come after them", () => {
  const thought: EventBody = { kind: "reasoning", text: "hm" };
  assert.deepEqual(told([text("sk-"), thought]), [text("sk-"), thought]);
});

Deno.test("what a tool prints is watched for each call on its own", () => {
  const said = (id: string, text: string): EventBody => ({ kind: "tool_progress", tool: { id }, text });
  const events = told([said("a", KEY.slice(0, 9)), said("b", "other"), said("a", KEY.slice(9)), said("b", " text")]);
  assert.deepEqual(events, [said("b", "other"), said("a", "[redacted]"), said("b", " text")]);
});

Deno.test("arguments are JSON, and a key with quotes is found in them", () => {
  const key = 'pa"ss\\word-1234567890';
  const args = JSON.stringify({ command: `echo ${key}` });
  const event: EventBody = {
    kind: "tool_dispatch",
    tool: { id: "c", name: "bash", args, readOnly: false, runState: "pending" },
  };
  const [clean] = told([event], [key]);
  assert.deepEqual(clean, { ...event, tool: { ...event.tool, args: '{"command":"echo [redacted]"}' } });
});

Deno.test("without secrets every event passes as the object it is", () => {
  const event = text("x");
  assert.equal(told([event], [])[0], event);
  assert.equal(told([text("run ollama")], ["ollama"]).length, 1);
});

Deno.test("cut anywhere, no saved key is ever told, and nothing else is lost", () => {
  const key = fc.string({ minLength: 16, maxLength: 40, unit: "grapheme" }).filter((k) =>
    k.isWellFormed() && k.length >= 16 && !k.includes("[") && k.trim() === k
  );
  fc.assert(fc.property(
    key,
    fc.array(fc.oneof(fc.constant("KEY"), fc.string({ maxLength: 20 })), { maxLength: 8 }),
    fc.array(fc.nat(60), { maxLength: 20 }),
    (key, parts, cuts) => {
      const whole = parts.map((part) => part === "KEY" ? key : part).join("");
      const pieces: string[] = [];
      let at = 0;
      for (const cut of cuts) {
        pieces.push(whole.slice(at, at + cut));
        at += cut;
      }
      pieces.push(whole.slice(at));
      const events = told([...pieces.map(text), { kind: "turn_started" }], [key]);
      const words = events.map((event) => event.kind === "text" ? event.text : "").join("");
      assert.ok(!words.includes(key));
      assert.equal(words, new SecretFilter([key]).text(whole));
    },
  ));
});
