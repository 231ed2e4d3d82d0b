import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";

// proves REF-08
Deno.test("what the person refers to is read without a question, also where a rule asks before each reading", async () => {
  const config = '[permissions]\nask = ["read_file"]\n';
  await using harness = await Harness.start([
    { text: "read" },
    { calls: [{ name: "read_file", args: { path: "a.txt" } }] },
    { text: "asked" },
  ], { files: { "a.txt": "forty-two" }, config, request: { interactive: true, posture: "ask" } });
  const asked: string[] = [];
  harness.controller.subscribe((event) => {
    if (event.kind !== "approval_request") return;
    asked.push(event.approval.subject);
    queueMicrotask(() => harness.controller.send({ kind: "approve", id: event.approval.id, answer: "deny" }));
  });
  await harness.prompt("look at @a.txt");
  assert.match(harness.model.requests[0]!.body.messages.at(-1).content, /<file path="a.txt">\nforty-two\n<\/file>/);
  assert.deepEqual(asked, []);
  await harness.prompt("now by a call");
  assert.deepEqual(asked, ["a.txt"]);
});
