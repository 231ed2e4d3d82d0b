/** A message that was sent too early is taken back before anything has answered it. */
import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";
import type { WireBody, WireStep } from "../support/model_server.ts";

/** What the person said, as the model is told. */
const said = (body: WireBody): string[] =>
  body.messages.filter(({ role }: { role: string }) => role === "user").slice(1).map((
    { content }: { content: string },
  ) => content);

/** Answers nothing before the caller has gone. */
function silence(asked: () => void): WireStep {
  const gone = new AbortController();
  return {
    response: () => {
      asked();
      const body = new ReadableStream({ cancel: () => gone.abort() });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  };
}

async function stopWhenAsked(harness: Harness, asked: Promise<void>, unsend: boolean): Promise<void> {
  const receipt = harness.controller.send({ kind: "prompt", text: "too early" });
  await asked;
  harness.controller.send({ kind: "cancel", ...(unsend ? { unsend: true } : {}) });
  assert.equal(receipt.accepted && (await receipt.turn)?.outcome, "cancelled");
}

for (const [unsend, then] of [[true, ["first", "again"]], [false, ["first", "too early", "again"]]] as const) {
  Deno.test(`a message that nothing has answered ${unsend ? "leaves" : "stays in"} the conversation when it is ${unsend ? "taken back" : "stopped"}`, async () => {
    const asked = Promise.withResolvers<void>();
    await using harness = await Harness.start([{ text: "1" }, silence(() => asked.resolve()), { text: "2" }]);
    await harness.prompt("first");
    await stopWhenAsked(harness, asked.promise, unsend);
    await harness.prompt("again");
    const texts = said(harness.model.requests.at(-1)!.body).map((text) => text.split("\n\n").at(-1));
    assert.deepEqual(texts, [...then]);
    assert.equal(harness.events.some(({ kind }) => kind === "rewound"), unsend);
    if (unsend) assert.ok(!JSON.stringify(harness.model.requests.at(-1)!.body).includes("interrupted-turn"));
  });
}

Deno.test("the first message of a session is taken back, and the session goes on as if it were new", async () => {
  const asked = Promise.withResolvers<void>();
  await using harness = await Harness.start([silence(() => asked.resolve()), { text: "2" }]);
  await stopWhenAsked(harness, asked.promise, true);
  await harness.prompt("again");
  assert.deepEqual(said(harness.model.requests.at(-1)!.body), ["again"]);
});

Deno.test("what was answered stays, also when it is taken back a moment too late", async () => {
  const asked = Promise.withResolvers<void>();
  await using harness = await Harness.start([
    { calls: [{ name: "ls", args: {} }] },
    silence(() => asked.resolve()),
    { text: "2" },
  ]);
  await stopWhenAsked(harness, asked.promise, true);
  await harness.prompt("again");
  assert.equal(said(harness.model.requests.at(-1)!.body)[0], "too early");
});
