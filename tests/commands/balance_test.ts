/** What is left on an account, asked of an endpoint that tells it, and kept in sight while the person wants it. */
import assert from "node:assert/strict";
import type { CommandAnswer } from "../../src/controller/mod.ts";
import { Harness, type HarnessOptions } from "../support/harness.ts";
import { RawServer } from "../support/raw_server.ts";
import type { WireStep } from "../support/model_server.ts";

const run = (harness: Harness, line: string): Promise<CommandAnswer> => harness.controller.commands!.run(line);

async function start(script: readonly WireStep[], options: HarnessOptions): Promise<Harness> {
  return await Harness.start(script, { ...options, request: { interactive: true } });
}

/** Tells one unit less each time. */
function accountServer(): RawServer {
  let left = 12;
  return new RawServer(async ({ send }) => {
    const body = JSON.stringify({
      is_available: true,
      balance_infos: [{ currency: "CNY", total_balance: `${left--}` }],
    });
    await send(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

/** Answers the balances that are told, one after the other. */
function balancesOf({ controller }: Harness): () => Promise<unknown> {
  const told: unknown[] = [];
  let heard = () => {};
  controller.subscribe((event) => {
    if (event.kind !== "balance") return;
    told.push(event.amounts);
    heard();
  });
  return async () => {
    while (told.length === 0) await new Promise<void>((wake) => heard = wake);
    return told.shift();
  };
}

Deno.test("/show-balance asks the endpoint and not the model", async () => {
  await using account = accountServer();
  await using harness = await start([], { provider: `balance_url = "${account.url}/me"` });
  assert.deepEqual(await run(harness, "/show-balance"), { kind: "text", text: "Balance of local:\n\n- 12.00 CNY" });
  assert.match(account.heads[0]!, /^GET \/me HTTP/);
  assert.deepEqual(harness.model.requests, []);
});

Deno.test("a provider that tells no balance is said to tell none, and a wrong address what came instead", async () => {
  await using silent = await start([], {});
  const answer = await run(silent, "/show-balance");
  assert.match("text" in answer ? answer.text! : "", /^Nobody knows where local tells its balance\..*`balance_url`/);
  await using account = new RawServer(({ send }) => send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"));
  await using wrong = await start([], { provider: `balance_url = "${account.url}/me"` });
  assert.deepEqual(await run(wrong, "/show-balance"), {
    kind: "error",
    text: `local at 127.0.0.1:${account.port}: something else came in place of a balance\n` +
      "Check balance_url of provider local.",
  });
});

Deno.test("the balance stays in sight once it is switched on, and is kept so; off takes it away", async () => {
  await using account = accountServer();
  await using harness = await start([{ text: "1" }], { provider: `balance_url = "${account.url}/me"` });
  const balance = balancesOf(harness);
  await run(harness, "/show-balance on");
  assert.deepEqual(await balance(), [{ amount: 12, currency: "CNY" }]);
  await run(harness, "/effort high");
  assert.deepEqual(await balance(), [{ amount: 11, currency: "CNY" }]);
  assert.match(await Deno.readTextFile(`${harness.home}/config.toml`), /\[billing\]\nshow_balance = true/);
  await run(harness, "/show-balance off");
  assert.deepEqual(await balance(), []);
  await harness.prompt("quietly");
  assert.equal(account.heads.length, 2);
});
