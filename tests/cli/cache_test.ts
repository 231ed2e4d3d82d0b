/** `reasonix cache`: what a person reads about the endpoint's cache after a session. */
import assert from "node:assert/strict";
import { ModelServer } from "../support/model_server.ts";
import { eventStream } from "../support/provider_call.ts";
import { Bed, localProvider } from "../support/program.ts";
import { speechOf } from "../support/wire_speech.ts";

/** As DeepSeek counts. */
const cached = (hit: number) =>
  `data: ${
    JSON.stringify({
      choices: [],
      usage: {
        prompt_tokens: 10_000,
        completion_tokens: 5,
        prompt_cache_hit_tokens: hit,
        prompt_cache_miss_tokens: 10_000 - hit,
      },
    })
  }\n\ndata: [DONE]\n\n`;

const KEYS = "LOCAL_KEY=sk-local-0123456789abcdef\n";

Deno.test("cache tells request by request what came from the endpoint's cache", async () => {
  const say = speechOf("openai");
  await using server = new ModelServer([
    { response: () => eventStream([say.call(0, "c1", "ls", ['{"path":"."}']), say.finish("tools"), cached(0)]) },
    { response: () => eventStream([say.text("Nothing there."), say.finish("stop"), cached(9856)]) },
  ]);
  await using bed = await Bed.create({ config: localProvider(`${server.url}/v1`), keys: KEYS });
  const ran = await bed.run(["run", "--auto", "--output-format", "json", "look"]);
  const { session_id } = JSON.parse(ran.out);
  const { code, out, err } = await bed.run(["cache", session_id, "--json"]);
  assert.equal(code, 0, err);
  const report = JSON.parse(out);
  assert.deepEqual([report.command, report.session_id], ["cache", session_id]);
  assert.deepEqual(report.requests.map((one: { cause: string }) => one.cause), ["first", "expected"]);
  assert.ok(report.hit_rate > 0);
  const text = await bed.run(["cache", session_id]);
  assert.match(text.out, /2 requests, 20 000 input tokens, 9 856 from the cache \(49\.3 %\)/);
  assert.match(text.out, /It extends the request before/);
});

Deno.test("cache names a session that is not there, and wants exactly one", async () => {
  await using bed = await Bed.create();
  assert.equal((await bed.run(["cache", "nothing"])).code, 1);
  assert.equal((await bed.run(["cache"])).code, 2);
});
