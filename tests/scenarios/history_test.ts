// Looking back from inside a conversation: what was said before is found, also by later sessions.
import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";
import type { WireStep } from "../support/model_server.ts";

const history = (args: Record<string, unknown>): WireStep => ({ calls: [{ name: "history", args }] });

Deno.test("a later session finds what an earlier one said, and reads around it; no question is asked", async () => {
  // proves MEM-01, MEM-03
  await using harness = await Harness.start([
    { text: "The walrus port is 5544." },
    history({ operation: "search", query: "walrus port" }),
    ({ messages }) => {
      const text = messages.at(-1).content as string;
      const session_path = /session_path=(\S+)/.exec(text)![1]!;
      return { calls: [{ name: "history", args: { operation: "around", session_path, message_index: 3 } }] };
    },
    { text: "5544" },
  ], { request: { posture: "ask" } });
  await harness.prompt("which port has the walrus?");
  const earlier = harness.controller.sessionId;
  await harness.controller.close();
  await harness.open({});
  harness.model.allowNextReset = true;
  await harness.prompt("look up the walrus port we talked about");
  const [found, around] = harness.results;
  const ids = [...found!.matchAll(/session_id=(\S+)/g)].map(([, id]) => id);
  assert.deepEqual([...new Set(ids)], [earlier]);
  assert.match(around!, /\[2\] user\nwhich port has the walrus\?\n\n> \[3\] assistant\nThe walrus port is 5544\.$/);
});

Deno.test("the index lies in the cache folder and no file of the session folder changes by a look back", async () => {
  await using harness = await Harness.start([{ text: "walrus" }, history({ operation: "search", query: "walrus" }), {
    text: "ok",
  }]);
  await harness.prompt("say walrus");
  await harness.prompt("look");
  const cache = [...Deno.readDirSync(`${harness.home}/cache/history`)].map(({ name }) =>
    name.replace(/.*\.sqlite/, "x")
  );
  assert.ok(cache.includes("x"));
  assert.match(harness.results[0]!, /kind=user_text/);
});
