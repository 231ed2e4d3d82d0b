// Every kind against everything an endpoint can do wrong: the answer comes once, or one typed error; a call comes
// whole and once, or not at all; each request is counted.
import assert from "node:assert/strict";
import type { ProviderSettings } from "../../src/contract/provider.ts";
import { createPorts, createProvider } from "../../src/providers/mod.ts";
import { gather, type GatheredCall, providerSettings, testPorts, userRequest } from "../support/provider_call.ts";
import { type RawExchange, type RawHandler, RawServer } from "../support/raw_server.ts";
import { type KindName, KINDS, speechOf, type WireSpeech } from "../support/wire_speech.ts";

interface Result extends GatheredCall {
  readonly requests: number;
  readonly waits: readonly number[];
}

const OPTIONS = { idleTimeoutSeconds: 0.4 };

async function ask(kind: KindName, handler: RawHandler, changes: Partial<ProviderSettings> = {}): Promise<Result> {
  await using server = new RawServer(handler);
  const ports = testPorts({ fetch: createPorts({ proxy: { mode: "direct" }, env: () => undefined }).fetch });
  const settings = providerSettings({ kind, baseUrl: `${server.url}/v1`, ...changes });
  const call = await gather(await createProvider(settings, ports), userRequest({ messages: HISTORY }));
  return { ...call, requests: server.bodies.length, waits: ports.waits };
}

const HISTORY = [
  { role: "user", content: "q" },
  { role: "assistant", tool_calls: [{ id: "old", name: "ls", arguments: "{}" }] },
  { role: "tool", tool_call_id: "old", name: "ls", content: "a" },
] as const;

type Say = (speech: WireSpeech) => readonly (string | Uint8Array)[];
const USAGE = { input: 40, output: 4 };

const streams = (kind: KindName, say: Say): RawHandler => async (exchange) => {
  await exchange.stream();
  const speech = speechOf(kind);
  await exchange.send(speech.open, ...say(speech));
};
const good = (kind: KindName): RawHandler =>
  streams(kind, (say) => [say.text("Hel"), say.text("lo"), say.finish("stop", USAGE), say.mark]);
const once = (bad: RawHandler, then: RawHandler): RawHandler => (exchange) =>
  (exchange.number === 1 ? bad : then)(exchange);
const status = (line: string, headers = ""): RawHandler => (exchange) =>
  exchange.send(`HTTP/1.1 ${line}\r\n${headers}content-length: 0\r\nconnection: close\r\n\r\n`);
const silent = (exchange: RawExchange) => exchange.gone();

function assertAnswer(result: Result, expected: { readonly requests: number; readonly text?: string }): void {
  assert.ok(result.answer, result.error?.message);
  assert.equal(result.answer.text, expected.text ?? "Hello");
  assert.equal(result.shown.text, expected.text ?? "Hello");
  assert.equal(result.requests, expected.requests);
  assert.equal(result.answer.usage.requestAttempts, expected.requests);
}

/** Calls as told while streaming and not voided, which must be those of the answer. */
function told(result: Result): unknown[] {
  let calls: unknown[] = [];
  for (const chunk of result.chunks) {
    if (chunk.type === "attempt" && chunk.action === "discard") calls = [];
    if (chunk.type === "tool_call") calls.push(chunk.call);
  }
  return calls;
}

function assertCalls(result: Result, calls: readonly (readonly [id: RegExp, args: string])[]): void {
  assert.ok(result.answer, result.error?.message);
  assert.deepEqual(told(result), result.answer.calls);
  assert.equal(result.answer.calls.length, calls.length);
  result.answer.calls.forEach((call, at) => {
    assert.match(call.id, calls[at]![0]);
    assert.equal(call.arguments, calls[at]![1]);
  });
  assert.equal(new Set(result.answer.calls.map((call) => call.id)).size, calls.length);
}

for (const kind of KINDS) {
  const test = (name: string, fn: () => Promise<void>) => Deno.test(`${kind}: ${name}`, fn);

  for (
    const [line, headers, waits] of [
      ["429 Too Many Requests", "retry-after: 2\r\n", [2000]],
      ["429 Too Many Requests", "", [500]],
      ["500 Internal Server Error", "", [200]],
      ["529 Overloaded", "", [200]],
    ] as const
  ) {
    test(`${line}${headers ? " with Retry-After" : ""} is waited out`, async () => {
      const result = await ask(kind, once(status(line, headers), good(kind)));
      assertAnswer(result, { requests: 2 });
      assert.deepEqual(result.waits, waits);
    });
  }

  test("a connection closed before the headers is tried again", async () => {
    assertAnswer(await ask(kind, once(() => {}, good(kind))), { requests: 2 });
  });

  test("headers that never come are waited for twice, then told", async () => {
    const result = await ask(kind, silent, OPTIONS);
    assert.equal(result.error?.code, "provider.stalled");
    assert.equal(result.requests, 2);
  });

  test("a body that falls silent is taken up again", async () => {
    const stalls: RawHandler = async (exchange) => {
      await exchange.stream();
      const speech = speechOf(kind);
      await exchange.send(speech.open, speech.text("Hel"));
      await exchange.gone();
    };
    assertAnswer(await ask(kind, once(stalls, good(kind)), OPTIONS), { requests: 2 });
  });

  test("a stream cut before its end is void and asked for again", async () => {
    const cut = streams(kind, (say) => [say.text("Hel")]);
    assertAnswer(await ask(kind, once(cut, good(kind))), { requests: 2 });
    const result = await ask(kind, cut);
    assert.equal(result.error?.code, "provider.interrupted");
    assert.equal(result.requests, 6);
    assert.equal(result.shown.text, "");
  });

  test("a call cut inside its arguments is never made", async () => {
    const half = streams(kind, (say) => [say.halfCall(0, "c1", "write", '{"path":"a","content":"half')]);
    const whole = streams(kind, (say) => [
      say.call(0, "c2", "write", ['{"path":"a",', '"content":"whole"}']),
      say.finish("tools", USAGE),
      say.mark,
    ]);
    const result = await ask(kind, once(half, whole));
    assertCalls(result, [[/^c2$/, '{"path":"a","content":"whole"}']]);
    assert.equal(result.answer!.usage.requestAttempts, 2);
    assert.deepEqual(told(await ask(kind, half)), []);
  });

  test("a call cut at the output limit does not become one without arguments", async () => {
    const result = await ask(kind, streams(kind, (say) => [say.halfCall(0, "c1", "write", ""), say.finish("length")]));
    assert.equal(result.answer?.finish, "length");
    assert.deepEqual(result.answer.calls.map((call) => call.arguments), ["{"]);
  });

  test("an answer that is complete needs no end mark", async () => {
    const ended = streams(kind, (say) => [say.text("Hello"), say.finish("stop", USAGE)]);
    assertAnswer(await ask(kind, ended), { requests: 1 });
  });

  test("line ends do not matter", async () => {
    const crlf = streams(
      kind,
      (say) => [say.text("Hello"), say.finish("stop", USAGE), say.mark].map((part) => part.replaceAll("\n", "\r\n")),
    );
    assertAnswer(await ask(kind, crlf), { requests: 1 });
  });

  test("characters may come in pieces", async () => {
    const split: RawHandler = async (exchange) => {
      await exchange.stream();
      const speech = speechOf(kind);
      const bytes = new TextEncoder().encode(
        speech.open + speech.text("中文") + speech.finish("stop", USAGE) + speech.mark,
      );
      for (const byte of bytes) await exchange.send(Uint8Array.of(byte));
    };
    assertAnswer(await ask(kind, split), { requests: 1, text: "中文" });
  });

  test("a line of garbage is skipped and told", async () => {
    const garbage = streams(kind, (say) => [say.text("Hello"), "data: {garb\n\n", say.finish("stop", USAGE), say.mark]);
    const result = await ask(kind, garbage);
    assertAnswer(result, { requests: 1 });
    assert.equal(result.chunks.filter((chunk) => chunk.type === "notice").length, 1);
  });

  test("garbage among calls that are whole otherwise is asked for again, and calls on damaged JSON are refused", async () => {
    const damaged = streams(kind, (say) => [
      "data: {garb\n\n",
      say.call(0, "c1", "write", ['{"path":"a']),
      say.finish("tools", USAGE),
      say.mark,
    ]);
    const result = await ask(kind, damaged);
    assert.equal(result.error?.code, "provider.bad_response");
    assert.equal(result.requests, 3);
    assert.deepEqual(told(result), []);
  });

  test("calls that share an id are told apart", async () => {
    const doubled = streams(kind, (say) => [
      say.call(0, "same", "ls", ['{"a":1}']),
      say.call(1, "same", "ls", ['{"a":2}']),
      say.finish("tools", USAGE),
      say.mark,
    ]);
    assertCalls(await ask(kind, doubled), [[/^same$/, '{"a":1}'], [/^call_/, '{"a":2}']]);
  });

  test("an id that an earlier call had is replaced", async () => {
    const reused = streams(kind, (say) => [say.call(0, "old", "ls", ["{}"]), say.finish("tools", USAGE), say.mark]);
    assertCalls(await ask(kind, reused), [[/^call_/, "{}"]]);
  });

  test("calls without ids get some", async () => {
    const nameless = streams(kind, (say) => [
      say.call(0, undefined, "ls", ['{"a":1}']),
      say.call(1, undefined, "ls", ['{"a":2}']),
      say.finish("tools", USAGE),
      say.mark,
    ]);
    assertCalls(await ask(kind, nameless), [[/^call_/, '{"a":1}'], [/^call_/, '{"a":2}']]);
  });

  test("usage that is missing is estimated, and says so", async () => {
    const result = await ask(kind, streams(kind, (say) => [say.text("Hello"), say.finish("stop"), say.mark]));
    assertAnswer(result, { requests: 1 });
    const { usage } = result.answer!;
    assert.ok(usage.estimated && usage.prompt > 0 && usage.completion > 0);
    assert.equal(usage.cacheHit, undefined);
  });

  test("attempts that failed are paid for", async () => {
    const cut = streams(kind, (say) => [say.text("x".repeat(400))]);
    const result = await ask(kind, once(cut, good(kind)));
    assert.ok(result.answer!.usage.completion >= 100 + USAGE.output);
    assert.deepEqual(result.answer!.lastUsage.completion, USAGE.output);
  });

  test("an answer with nothing in it is asked for again, then told", async () => {
    const empty = streams(kind, (say) => [say.finish("stop", USAGE), say.mark]);
    assertAnswer(await ask(kind, once(empty, good(kind))), { requests: 2 });
    const result = await ask(kind, empty);
    assert.equal(result.error?.code, "provider.empty");
    assert.equal(result.requests, 6);
  });

  test("an error inside the stream is typed", async () => {
    const event = kind === "openai"
      ? `data: {"error":{"type":"rate_limit_error","message":"slow down"}}\n\n`
      : kind === "anthropic"
      ? `event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}\n\n`
      : `event: error\ndata: {"type":"error","code":"rate_limit_exceeded","message":"slow down"}\n\n`;
    const failing = streams(kind, (say) => [say.text("Hel"), event]);
    assertAnswer(await ask(kind, once(failing, good(kind))), { requests: 2 });
    assert.equal((await ask(kind, failing)).error?.code, "provider.rate_limited");
  });

  test("a whole document in place of a stream is an answer", async () => {
    const body = JSON.stringify(
      kind === "openai"
        ? { choices: [{ index: 0, message: { content: "Hello" }, finish_reason: "stop" }] }
        : kind === "anthropic"
        ? { type: "message", content: [{ type: "text", text: "Hello" }], stop_reason: "end_turn" }
        : { status: "completed", output: [{ type: "message", content: [{ type: "output_text", text: "Hello" }] }] },
    );
    const document: RawHandler = (exchange) =>
      exchange.send(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      );
    assertAnswer(await ask(kind, document), { requests: 1 });
  });
}
