// What a model endpoint can do wrong, on real sockets, and what becomes of the call.
import assert from "node:assert/strict";
import type { Chunk, ProviderSettings } from "../../src/contract/provider.ts";
import { createPorts, createProvider } from "../../src/providers/mod.ts";
import { chatEvent, gather, providerSettings, testPorts } from "../support/provider_call.ts";
import { type RawExchange, type RawHandler, RawServer } from "../support/raw_server.ts";

const text = (part: string) => chatEvent({ delta: { content: part }, finish_reason: null });
const FINISH = chatEvent({ delta: {}, finish_reason: "stop" });
const DONE = "data: [DONE]\n\n";
const USAGE = `data: ${
  JSON.stringify({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } })
}\n\n`;

/** A provider that waits for nothing between its tries. */
async function providerAt(url: string, changes: Partial<ProviderSettings> = {}) {
  const ports = testPorts({ fetch: createPorts({ proxy: { mode: "direct" }, env: () => undefined }).fetch });
  return { ports, provider: await createProvider(providerSettings({ baseUrl: `${url}/v1`, ...changes }), ports) };
}

async function callOf(handler: RawHandler, changes: Partial<ProviderSettings> = {}) {
  await using server = new RawServer(handler);
  const { ports, provider } = await providerAt(server.url, changes);
  const call = await gather(provider);
  return { ...call, requests: server.bodies, heads: server.heads, waits: ports.waits };
}

const status = (line: string, body = "", headers = ""): RawHandler => (exchange) =>
  exchange.send(`HTTP/1.1 ${line}\r\n${headers}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);

/** The first answer of the list, then the second …, then the last for ever. */
const inTurn = (...handlers: readonly RawHandler[]): RawHandler => (exchange) =>
  handlers[Math.min(exchange.number, handlers.length) - 1]!(exchange);

const answering = (...parts: readonly string[]): RawHandler => async (exchange) => {
  await exchange.stream();
  await exchange.send(...parts);
};

const good = answering(text("Hel"), text("lo"), FINISH, USAGE, DONE);

const actions = (chunks: readonly Chunk[]) =>
  chunks.flatMap((chunk) =>
    chunk.type === "attempt" ? [`${chunk.action} ${chunk.id}`] : chunk.type === "retrying" ? ["retry"] : []
  );

// proves PRV-01
// proves PRV-04
// proves DATA-05
Deno.test("a healthy endpoint is asked once and its answer is whole", async () => {
  const { chunks, answer, requests, heads } = await callOf(good);
  assert.match(heads[0]!, /^POST \/v1\/chat\/completions HTTP\/1\.1/);
  assert.match(heads[0]!, /^authorization: Bearer sk-test-key-0123456789\r?$/m);
  assert.match(heads[0]!, /^accept: text\/event-stream\r?$/m);
  assert.match(heads[0]!, /^content-type: application\/json\r?$/m);
  assert.deepEqual(JSON.parse(requests[0]!), {
    model: "m-1",
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "hi" }],
  });
  const usage = { prompt: 10, completion: 2, total: 12, requestAttempts: 1 };
  assert.deepEqual(answer, { text: "Hello", reasoning: "", calls: [], finish: "stop", usage, lastUsage: usage });
  assert.deepEqual(actions(chunks), ["begin sa-1-1", "commit sa-1-1"]);
});

Deno.test("a refused connection is tried again twice and then named with host and remedy", async () => {
  // A port that nobody is given.
  const port = 2;
  const { provider, ports } = await providerAt(`http://127.0.0.1:${port}`);
  const { error } = await gather(provider);
  assert.equal(error?.code, "provider.unreachable");
  assert.equal(error.message, `acme (chat completions) at 127.0.0.1:${port}: the connection was refused`);
  assert.ok(error.remedy);
  assert.deepEqual(ports.waits, [200, 1000]);
});

Deno.test("a host that does not resolve is not tried again", async () => {
  const { provider, ports } = await providerAt("http://no-such-host.invalid");
  const { error } = await gather(provider);
  assert.equal(error?.code, "provider.unreachable");
  assert.match(error.message, /no-such-host\.invalid: the host name does not resolve \(DNS\)/);
  assert.deepEqual(ports.waits, []);
});

for (
  const { name, line, body, code, message, remedy } of [
    {
      name: "401",
      line: "401 Unauthorized",
      body: '{"error":{"message":"Incorrect API key provided: sk-test-key-0123456789."}}',
      code: "provider.auth",
      message:
        /acme \(chat completions\) answered 401, authentication failed: Incorrect API key provided: \[redacted\]/,
      remedy: /ACME_API_KEY/,
    },
    { name: "403", line: "403 Forbidden", body: "no", code: "provider.auth", message: /403/, remedy: /ACME_API_KEY/ },
    {
      name: "402",
      line: "402 Payment Required",
      body: '{"error":{"message":"Insufficient Balance"}}',
      code: "provider.quota",
      message: /402.*quota or balance.*Insufficient Balance/,
      remedy: /Top up/,
    },
    {
      name: "404",
      line: "404 Not Found",
      body: "nope",
      code: "provider.rejected",
      message: /404: nope/,
      remedy: /base_url/,
    },
    {
      name: "413",
      line: "413 Payload Too Large",
      body: "",
      code: "context.exhausted",
      message: /413, the input is too long for m-1/,
      remedy: /Compact/,
    },
    {
      name: "400",
      line: "400 Bad Request",
      body: '{"error":{"message":"Invalid messages[3].","code":"invalid_value"}}',
      code: "provider.rejected",
      message: /400: Invalid messages\[3\]\./,
      remedy: undefined,
    },
  ] as const
) {
  Deno.test(`status ${name} ends the call at once`, async () => {
    const { error, requests } = await callOf(status(line, body));
    assert.equal(error?.code, code);
    assert.match(error.message, message);
    assert.match(error.remedy ?? "", remedy ?? /^$/);
    assert.equal(error.retry, false);
    assert.equal(requests.length, 1);
  });
}

Deno.test("a key that worked before is tried twice more after 401", async () => {
  await using server = new RawServer(inTurn(good, status("401 Unauthorized")));
  const { provider } = await providerAt(server.url);
  assert.ok((await gather(provider)).answer);
  const { error } = await gather(provider);
  assert.equal(error?.code, "provider.auth");
  assert.equal(server.bodies.length, 4);
});

Deno.test("a quota that is used up is not waited for although its status is 429", async () => {
  const { error, requests } = await callOf(
    status("429 Too Many", '{"error":{"code":"insufficient_quota","message":"x"}}'),
  );
  assert.equal(error?.code, "provider.quota");
  assert.equal(requests.length, 1);
});

// proves ERR-03
Deno.test("429 waits as long as Retry-After says and the frozen request goes out again", async () => {
  const { answer, chunks, requests, waits } = await callOf(
    inTurn(status("429 Slow down", "", "retry-after: 2\r\n"), good),
  );
  assert.equal(answer?.text, "Hello");
  assert.deepEqual(waits, [2000]);
  assert.deepEqual(chunks[0], {
    type: "retrying",
    attempt: 1,
    max: 10,
    delayMs: 2000,
    cause: "upstream_status",
    status: 429,
  });
  assert.equal(requests[1], requests[0]);
  assert.equal(answer.usage.requestAttempts, 2);
});

Deno.test("Retry-After may be a date", async () => {
  const date = new Date(Date.UTC(2030, 0, 1, 0, 0, 3)).toUTCString();
  const { waits } = await callOf(inTurn(status("429 Slow down", "", `retry-after: ${date}\r\n`), good));
  assert.deepEqual(waits, [3000]);
});

Deno.test("a Retry-After of more than a minute ends the call and says for how long", async () => {
  const { error, waits } = await callOf(status("429 Slow down", "", "retry-after: 3600\r\n"));
  assert.equal(error?.code, "provider.rate_limited");
  assert.match(error.message, /asks to wait 60 min \(3600 s, until 2030-01-01 01:00 UTC\)/);
  assert.match(error.remedy!, /2030-01-01 01:00 UTC/);
  assert.deepEqual(waits, []);
});

for (const value of ["-1", "soon", ""]) {
  Deno.test(`Retry-After "${value}" is ignored`, async () => {
    const { waits } = await callOf(inTurn(status("429 Slow down", "", `retry-after: ${value}\r\n`), good));
    assert.deepEqual(waits, [500]);
  });
}

// proves ERR-03
// proves ERR-03
Deno.test("500 for ever is tried eleven times with growing waits, the first of them short", async () => {
  const { error, requests, waits } = await callOf(status("500 Oops", "<html><body>Oops</body></html>"));
  assert.equal(error?.code, "provider.transient");
  assert.equal(error.message, "acme (chat completions) answered 500");
  assert.equal(requests.length, 11);
  assert.deepEqual(waits, [200, 1000, 2000, 4000, 8000, 15000, 15000, 15000, 15000, 15000]);
});

Deno.test("an HTML page in place of a stream is named as what it is", async () => {
  const { error, requests } = await callOf(
    status("200 OK", "<!DOCTYPE html><html><body>Log in</body></html>", "content-type: text/html\r\n"),
  );
  assert.equal(error?.code, "provider.bad_response");
  assert.match(error.message, /127\.0\.0\.1:\d+: expected an event stream and got an HTML page/);
  assert.match(error.remedy!, /base_url/);
  assert.equal(requests.length, 1);
});

Deno.test("an answer that is not HTTP is named as what it is", async () => {
  const { error } = await callOf((exchange) => exchange.send("SSH-2.0-OpenSSH_9\r\n"));
  assert.equal(error?.code, "provider.bad_response");
  assert.match(error.message, /not HTTP/);
});

Deno.test("a redirect is not followed with the key", async () => {
  const { error, requests } = await callOf(status("307 Moved", "", "location: http://elsewhere.test/\r\n"));
  assert.equal(error?.code, "provider.rejected");
  assert.match(error.message, /redirect to elsewhere\.test/);
  assert.equal(requests.length, 1);
});

Deno.test("a whole document in place of a stream is read as the answer", async () => {
  const body = JSON.stringify({
    choices: [{ index: 0, message: { role: "assistant", content: "whole" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  });
  const { answer } = await callOf(status("200 OK", body, "content-type: application/json\r\n"));
  assert.equal(answer?.text, "whole");
  assert.equal(answer.usage.prompt, 3);
});

Deno.test("an error document with status 200 is an error", async () => {
  const body = '{"error":{"message":"no money","type":"insufficient_quota"}}';
  const { error } = await callOf(status("200 OK", body, "content-type: application/json\r\n"));
  assert.equal(error?.code, "provider.quota");
});

Deno.test("an empty stream is asked for six times", async () => {
  const { error, requests, chunks } = await callOf(answering());
  assert.equal(error?.code, "provider.interrupted");
  assert.equal(requests.length, 6);
  assert.equal(new Set(requests).size, 1);
  assert.deepEqual(actions(chunks).slice(0, 4), ["begin sa-1-1", "discard sa-1-1", "retry", "begin sa-2-1"]);
});

Deno.test("an answer with nothing in it is asked for again", async () => {
  const { answer, chunks } = await callOf(inTurn(answering(FINISH, DONE), good));
  assert.equal(answer?.text, "Hello");
  assert.ok(chunks.some((chunk) => chunk.type === "retrying" && chunk.cause === "empty_answer"));
});

Deno.test("a connection that is reset before the headers is tried again", async () => {
  const { answer, requests, waits } = await callOf(inTurn(() => {}, good));
  assert.equal(answer?.text, "Hello");
  assert.equal(requests.length, 2);
  assert.deepEqual(waits, [200]);
});

const silence: RawHandler = (exchange) => exchange.gone();

// proves CFG-23
// proves CFG-23
Deno.test("silence before the headers is tried once more and then called stalled", async () => {
  const { error, requests } = await callOf(silence, { idleTimeoutSeconds: 0.4 });
  assert.equal(error?.code, "provider.stalled");
  assert.match(error.message, /no response headers for 0\.4 s/);
  assert.match(error.remedy!, /idle_timeout_seconds/);
  assert.equal(requests.length, 2);
});

const silentAfter = (...parts: readonly string[]): RawHandler => async (exchange) => {
  await exchange.stream();
  await exchange.send(...parts);
  await exchange.gone();
};

for (
  const [what, parts] of [
    ["the headers", []],
    ["some reasoning", [chatEvent({ delta: { reasoning_content: "hm" } })]],
    ["some text", [text("Hel")]],
  ] as const
) {
  Deno.test(`silence after ${what} is tried once more and then called stalled`, async () => {
    const { error, requests, chunks } = await callOf(silentAfter(...parts), { idleTimeoutSeconds: 0.4 });
    assert.equal(error?.code, "provider.stalled");
    assert.equal(requests.length, 2);
    assert.ok(chunks.some((chunk) => chunk.type === "retrying" && chunk.cause === "stream_idle"));
  });
}

async function drip(exchange: RawExchange, part: string, times: number, pauseMs = 20): Promise<void> {
  await exchange.stream();
  for (let i = 0; i < times; i++) {
    await exchange.send(part);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

Deno.test("comments keep a stream alive for three idle limits and no longer", async () => {
  const { error } = await callOf((exchange) => drip(exchange, ": keep-alive\n\n", 1000), { idleTimeoutSeconds: 0.06 });
  assert.equal(error?.code, "provider.stalled");
});

Deno.test("reasoning that takes longer than the idle limit is healthy", async () => {
  const { answer } = await callOf(async (exchange) => {
    await drip(exchange, chatEvent({ delta: { reasoning_content: "." } }), 20, 50);
    await exchange.send(text("done"), FINISH, DONE);
  }, { idleTimeoutSeconds: 0.7 });
  assert.equal(answer?.text, "done");
  assert.equal(answer.reasoning, ".".repeat(20));
});

Deno.test("a stream that is cut in the middle of its text is void and asked for again", async () => {
  const { answer, chunks, shown, requests } = await callOf(inTurn(answering(text("Hel"), text("l")), good));
  assert.equal(answer?.text, "Hello");
  assert.equal(shown.text, "Hello");
  assert.deepEqual(actions(chunks), ["begin sa-1-1", "discard sa-1-1", "retry", "begin sa-2-1", "commit sa-2-1"]);
  assert.equal(requests[1], requests[0]);
});

Deno.test("a stream that is always cut ends as interrupted after six attempts", async () => {
  const { error, requests, waits } = await callOf(answering(text("Hel")));
  assert.equal(error?.code, "provider.interrupted");
  assert.equal(requests.length, 6);
  assert.deepEqual(waits, [200, 1000, 2000, 4000, 8000]);
});

const CALL = chatEvent({
  delta: { tool_calls: [{ index: 0, id: "c1", function: { name: "bash", arguments: '{"command":"ls"}' } }] },
});

// proves PRV-15
for (
  const [what, parts] of [
    ["inside the arguments", [
      chatEvent({ delta: { tool_calls: [{ index: 0, id: "c1", function: { name: "bash", arguments: '{"comm' } }] } }),
    ]],
    ["after a call that looks complete", [CALL]],
    ["after the name alone", [
      chatEvent({ delta: { tool_calls: [{ index: 0, id: "c1", function: { name: "bash" } }] } }),
    ]],
  ] as const
) {
  Deno.test(`no call leaves a stream that is cut ${what}`, async () => {
    const { chunks, error } = await callOf(answering(...parts));
    assert.equal(error?.code, "provider.interrupted");
    assert.ok(!chunks.some((chunk) => chunk.type === "tool_call"));
  });
}

Deno.test("a finish reason completes an answer although the end mark never comes", async () => {
  const { answer, requests } = await callOf(answering(text("Hel"), text("lo"), FINISH));
  assert.equal(answer?.text, "Hello");
  assert.equal(requests.length, 1);
});

Deno.test("the end mark completes an answer although the connection stays open", async () => {
  const { answer } = await callOf(silentAfter(text("Hi"), DONE));
  assert.equal(answer?.text, "Hi");
});

Deno.test("silence after the finish reason is waited for shortly and not as long as an answer", async () => {
  const { answer, requests } = await callOf(silentAfter(text("Hi"), FINISH));
  assert.equal(answer?.text, "Hi");
  assert.equal(requests.length, 1);
});

Deno.test("bytes that break off after the finish reason do no harm", async () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  const part = text("Hi") + FINISH;
  const { answer, requests } = await callOf((exchange) =>
    exchange.send(head, part.length.toString(16), "\r\n", part, "\r\n")
  );
  assert.equal(answer?.text, "Hi");
  assert.equal(requests.length, 1);
});

Deno.test("CRLF, comments, ids, a missing blank, split characters and a last event without a blank line are all read", async () => {
  const [first, second] = ["中\u2028é", "!"].map((part) =>
    JSON.stringify({ choices: [{ index: 0, delta: { content: part } }] })
  );
  const raw = new TextEncoder().encode(
    `\uFEFF: ping\r\nevent: message\r\nid: 7\r\ndata:${first}\r\n\r\n: ping\r\n\r\n` +
      `data: {"choices":[{"index":0,\r\ndata: "delta":{"content":"two"}}]}\r\n\r\ndata: ${second}\r\n\r\n` +
      `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
  );
  const { answer } = await callOf(async (exchange) => {
    await exchange.stream();
    for (const byte of raw) await exchange.send(Uint8Array.of(byte));
  });
  assert.equal(answer?.text, "中\u2028étwo!");
});

Deno.test("a line that is not JSON is skipped with one notice", async () => {
  const { answer, chunks } = await callOf(
    answering(text("Hel"), 'data: {"broken": tru\n\n', "data: {}}\n\n", text("lo"), FINISH, DONE),
  );
  assert.equal(answer?.text, "Hello");
  assert.equal(chunks.filter((chunk) => chunk.type === "notice").length, 1);
});

Deno.test("keep-alives that come as data are skipped without a word", async () => {
  const { answer, chunks } = await callOf(answering("data:\n\n", "data: : keepalive\n\n", text("Hi"), FINISH, DONE));
  assert.equal(answer?.text, "Hi");
  assert.ok(!chunks.some((chunk) => chunk.type === "notice"));
});

Deno.test("duplicate and missing call ids become distinct ids", async () => {
  const call = (index: number, id: string | undefined) =>
    chatEvent({
      delta: {
        tool_calls: [{ index, ...(id === undefined ? {} : { id }), function: { name: "ls", arguments: "{}" } }],
      },
    });
  const { answer, chunks } = await callOf(
    answering(
      call(0, "same"),
      call(1, "same"),
      call(2, undefined),
      call(3, ""),
      chatEvent({ delta: {}, finish_reason: "tool_calls" }),
    ),
  );
  const ids = answer!.calls.map((made) => made.id);
  assert.equal(ids[0], "same");
  assert.equal(new Set(ids).size, 4);
  assert.ok(ids.every((id) => id !== ""));
  const announced = chunks.flatMap((chunk) => chunk.type === "tool_call_start" ? [chunk.id] : []);
  assert.deepEqual(announced.toSorted(), ids.toSorted());
});

Deno.test("an error inside the stream that a later try may not meet is tried again", async () => {
  const overloaded = 'data: {"error":{"message":"overloaded","code":503}}\n\n';
  const { answer, chunks } = await callOf(inTurn(answering(text("He"), overloaded), good));
  assert.equal(answer?.text, "Hello");
  assert.ok(
    chunks.some((chunk) => chunk.type === "retrying" && chunk.cause === "upstream_error" && chunk.status === 503),
  );
});

Deno.test("an error inside the stream that blames the request ends the call", async () => {
  const { error, requests } = await callOf(
    answering('event: error\ndata: {"message":"bad field","type":"invalid_request_error"}\n\n'),
  );
  assert.equal(error?.code, "provider.rejected");
  assert.match(error.message, /bad field/);
  assert.equal(requests.length, 1);
});

for (
  const body of [
    '{"error":{"message":"This model\'s maximum context length is 4096 tokens. However, you requested 5000 tokens"}}',
    '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
    '{"error":{"message":"request (9 tokens) exceeds the available context size"}}',
    '{"message":"Range of input length should be [1, 4096]"}',
    '{"error":{"code":"context_length_exceeded","message":"x"}}',
    '{"error":{"message":"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"}}',
    '{"error":{"message":"The prompt (total length 300000) is too long to fit into the model"}}',
    '{"error":{"message":"Total message token length exceed model limit"}}',
    '{"error":{"message":"Input tokens exceed the configured limit of 272000 tokens"}}',
    '{"error":{"message":"tokens in request more than max tokens allowed"}}',
    '{"error":{"message":"输入长度超过模型最大上下文长度"}}',
  ]
) {
  Deno.test(`an input that is too long has a code of its own: ${body.slice(0, 60)}`, async () => {
    const { error, requests } = await callOf(status("400 Bad Request", body));
    assert.equal(error?.code, "context.exhausted");
    assert.equal(requests.length, 1);
  });
}

for (
  const message of [
    "max_tokens must be less than 8192",
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64",
    "messages.3.content.0.image: image exceeds 5 MB maximum",
    "Unknown field context_window",
  ]
) {
  Deno.test(`another complaint about a request is none about its length: ${message.slice(0, 40)}`, async () => {
    const { error } = await callOf(status("400 Bad Request", JSON.stringify({ error: { message } })));
    assert.equal(error?.code, "provider.rejected");
  });
}

Deno.test("usage of void attempts is billed and the last request stands apart", async () => {
  const { answer } = await callOf(inTurn(answering(text("He"), USAGE), good));
  assert.deepEqual(answer?.usage, {
    prompt: 20,
    completion: 4,
    total: 24,
    requestAttempts: 2,
    cacheHit: undefined,
    cacheMiss: undefined,
    cacheWrite: undefined,
    reasoning: undefined,
  });
  assert.deepEqual(answer?.lastUsage, { prompt: 10, completion: 2, total: 12, requestAttempts: 1 });
});

Deno.test("usage that nobody reported is estimated and says so", async () => {
  const { answer } = await callOf(answering(text("Hello"), FINISH, DONE));
  assert.equal(answer?.usage.estimated, true);
  assert.ok(answer.usage.prompt > 0 && answer.usage.completion > 0);
});

// proves LOOP-05
for (
  const [where, handler] of [
    ["before the headers", silence],
    ["in the middle of the stream", silentAfter(text("Hel"))],
  ] as const
) {
  Deno.test(`a stop ${where} ends the call as cancelled and closes the connection`, async () => {
    const closed = Promise.withResolvers<void>();
    await using server = new RawServer(async (exchange) => {
      if (handler !== silence) {
        await exchange.stream();
        await exchange.send(text("Hel"));
      }
      stop.abort();
      await exchange.gone();
      closed.resolve();
    });
    const stop = new AbortController();
    const { provider } = await providerAt(server.url);
    const { error } = await gather(provider, undefined, stop.signal);
    assert.equal(error?.code, "turn.cancelled");
    await closed.promise;
  });
}

/** Once an answer has begun and memory was tidied, `fetch` has forgotten its signal; here it does so at once. */
const forgetful = (fetch: typeof globalThis.fetch): typeof globalThis.fetch => async (input, init) => {
  const asking = new AbortController();
  const stop = () => asking.abort();
  const { signal } = init as RequestInit;
  signal?.addEventListener("abort", stop);
  const response = await fetch(input, { ...init, signal: asking.signal });
  signal?.removeEventListener("abort", stop);
  return response;
};

async function forgettingProviderAt(url: string, changes: Partial<ProviderSettings> = {}) {
  const { fetch } = createPorts({ proxy: { mode: "direct" }, env: () => undefined });
  const ports = testPorts({ fetch: forgetful(fetch) });
  return await createProvider(providerSettings({ baseUrl: `${url}/v1`, ...changes }), ports);
}

Deno.test("a stop ends an answer although fetch has forgotten its signal", async () => {
  const closed = Promise.withResolvers<void>();
  await using server = new RawServer(async (exchange) => {
    await exchange.stream();
    await exchange.send(text("Hel"));
    await exchange.gone();
    closed.resolve();
  });
  const stop = new AbortController();
  const provider = await forgettingProviderAt(server.url);
  const ends: string[] = [];
  for await (const chunk of provider.stream({ system: "", tools: [], messages: [] }, stop.signal)) {
    if (chunk.type === "text") stop.abort();
    if (chunk.type === "error") ends.push(chunk.error.code);
  }
  assert.deepEqual(ends, ["turn.cancelled"]);
  await closed.promise;
});

for (
  const [what, handler] of [
    ["silence", silentAfter(text("Hel"))],
    ["comments for ever", (exchange: RawExchange) => drip(exchange, ": keep-alive\n\n", 1000)],
  ] as const
) {
  Deno.test(`${what} in an answer is called stalled although fetch has forgotten its signal`, async () => {
    await using server = new RawServer(handler);
    const { error } = await gather(await forgettingProviderAt(server.url, { idleTimeoutSeconds: 0.06 }));
    assert.equal(error?.code, "provider.stalled");
  });
}

Deno.test("an answer that is complete does not wait for its end although fetch has forgotten its signal", async () => {
  await using server = new RawServer(silentAfter(text("Hi"), FINISH, DONE));
  const { answer } = await gather(await forgettingProviderAt(server.url));
  assert.equal(answer?.text, "Hi");
});

Deno.test("a stop while waiting for the next try ends the call as cancelled", async () => {
  await using server = new RawServer(status("500 Oops"));
  const stop = new AbortController();
  const ports = testPorts({
    sleep: (_ms, signal) => {
      stop.abort();
      return Promise.reject(signal.reason);
    },
  });
  const provider = await createProvider(providerSettings({ baseUrl: server.url }), ports);
  const { error } = await gather(provider, undefined, stop.signal);
  assert.equal(error?.code, "turn.cancelled");
  assert.equal(server.bodies.length, 1);
});

Deno.test("a reader that leaves early closes the connection", async () => {
  const closed = Promise.withResolvers<void>();
  await using server = new RawServer(async (exchange) => {
    await exchange.stream();
    await exchange.send(text("Hel"));
    await exchange.gone();
    closed.resolve();
  });
  const { provider } = await providerAt(server.url);
  for await (const chunk of provider.stream({ system: "", tools: [], messages: [] }, new AbortController().signal)) {
    if (chunk.type === "text") break;
  }
  await closed.promise;
});

Deno.test("one connection serves several calls, also for a reader that leaves at the answer", async () => {
  const connections = new Set<number>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request, info) => {
    await request.body?.cancel();
    connections.add((info.remoteAddr as Deno.NetAddr).port);
    return new Response(text("Hi") + FINISH + DONE, { headers: { "content-type": "text/event-stream" } });
  });
  const { provider } = await providerAt(`http://127.0.0.1:${server.addr.port}`);
  const request = { system: "", tools: [], messages: [] };
  for (let i = 0; i < 3; i++) {
    for await (const chunk of provider.stream(request, new AbortController().signal)) {
      if (chunk.type === "done") break;
    }
  }
  await server.shutdown();
  assert.equal(connections.size, 1);
});
