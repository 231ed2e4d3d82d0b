import assert from "node:assert/strict";
import { type ChatDecoderOptions, createChatDecoder } from "./decode.ts";

const decoderFor = (changes: Partial<ChatDecoderOptions> = {}) =>
  createChatDecoder({ thinkTags: true, expectsReasoning: false, isTaken: () => false, random: () => 0, ...changes });

type Json = Record<string, unknown>;

/** One event for each delta, then a finish reason. */
function read(deltas: readonly Json[], options: Partial<ChatDecoderOptions> & { readonly finish?: string } = {}) {
  const decoder = decoderFor(options);
  for (const delta of deltas) decoder.event(JSON.stringify({ choices: [{ index: 0, delta }] }), undefined, false);
  decoder.event(
    JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: options.finish ?? "stop" }] }),
    undefined,
    false,
  );
  const verdict = decoder.verdict();
  return { decoder, verdict, answer: verdict.kind === "complete" ? verdict.answer : undefined };
}

Deno.test("what one network read brought is one chunk of each kind", () => {
  const decoder = decoderFor();
  const say = (delta: Json) => decoder.event(JSON.stringify({ choices: [{ index: 0, delta }] }), undefined, false);
  for (const part of ["a", "b", "c"]) say({ reasoning_content: part });
  for (const part of ["x", "y"]) say({ content: part });
  assert.deepEqual(decoder.take(), [{ type: "reasoning", text: "abc" }, { type: "text", text: "xy" }]);
  assert.deepEqual(decoder.take(), []);
});

Deno.test("reasoning is found under each of its names and never twice", () => {
  assert.equal(read([{ reasoning_content: "a", reasoning: "a" }]).answer?.reasoning, "a");
  assert.equal(read([{ reasoning: "a" }]).answer?.reasoning, "a");
  assert.equal(
    read([{ reasoning: "a", reasoning_details: [{ type: "reasoning.text", text: "a" }] }]).answer?.reasoning,
    "a",
  );
  assert.equal(read([{ reasoning_details: [{ type: "reasoning.summary", summary: "a" }] }]).answer?.reasoning, "a");
  assert.equal(
    read([{ content: [{ type: "thinking", thinking: [{ type: "text", text: "a" }] }, { type: "text", text: "b" }] }])
      .answer?.reasoning,
    "a",
  );
});

Deno.test("structured reasoning is kept to be sent back, its pieces joined", () => {
  const piece = (rest: Json) => ({ reasoning_details: [{ type: "reasoning.text", index: 0, ...rest }] });
  const { answer } = read([
    piece({ text: "I ", format: "x" }),
    piece({ text: "think", signature: null }),
    piece({ signature: "sig" }),
    { reasoning_details: [{ type: "reasoning.encrypted", data: "zzz", id: "rs" }], content: "done" },
  ]);
  assert.deepEqual(answer?.providerItems, [
    { type: "reasoning.text", index: 0, text: "I think", format: "x", signature: "sig" },
    { type: "reasoning.encrypted", data: "zzz", id: "rs" },
  ]);
});

Deno.test("structured reasoning that repeats itself in every piece is said once", () => {
  const whole = "The user wants a list of files.";
  const pieces = [20, 25, whole.length].map((end) => ({
    reasoning_details: [{ type: "reasoning.text", index: 0, text: whole.slice(0, end) }],
  }));
  assert.equal(read(pieces).answer?.reasoning, whole);
});

Deno.test("tags split thinking from text, unless the model has a channel for it", () => {
  assert.deepEqual(
    [read([{ content: "<thi" }, { content: "nk>a</think>b" }]).answer].map((
      answer,
    ) => [answer?.reasoning, answer?.text]),
    [["a", "b"]],
  );
  const { answer } = read([{ reasoning_content: "r" }, { content: "the tag <think> opens" }]);
  assert.deepEqual([answer?.reasoning, answer?.text], ["r", "the tag <think> opens"]);
  assert.equal(read([{ content: "<think>a</think>b" }], { thinkTags: false }).answer?.text, "<think>a</think>b");
});

Deno.test("a second finish with usage does not make calls run twice", () => {
  const call = (index: number, rest: Json) => ({ tool_calls: [{ index, ...rest }] });
  const decoder = decoderFor();
  const send = (value: Json) => decoder.event(JSON.stringify(value), undefined, false);
  const deltas = [
    call(0, { id: "c1", function: { name: "f", arguments: '{"a":' } }),
    call(1, { id: "c2", function: { name: "f", arguments: '{"b":' } }),
    call(0, { function: { arguments: "1}" } }),
    call(1, { function: { arguments: "2}" } }),
  ];
  for (const delta of deltas) send({ choices: [{ index: 0, delta }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] });
  send({
    choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  });
  const verdict = decoder.verdict();
  assert.deepEqual(verdict.kind === "complete" && verdict.answer.calls, [
    { id: "c1", name: "f", arguments: '{"a":1}' },
    { id: "c2", name: "f", arguments: '{"b":2}' },
  ]);
  assert.deepEqual(decoder.take().map((chunk) => chunk.type), [
    "tool_call_start",
    "tool_call_start",
    "tool_call",
    "tool_call",
  ]);
});

Deno.test("arguments as an object are taken as their JSON", () => {
  const { answer } = read([{ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: { a: 1 } } }] }]);
  assert.deepEqual(answer?.calls, [{ id: "c", name: "f", arguments: '{"a":1}' }]);
});

Deno.test("the finish reason is tool_calls exactly when there are calls, whatever the endpoint says", () => {
  const calls = [{ tool_calls: [{ index: 0, id: "c", function: { name: "f" } }] }];
  assert.equal(read(calls, { finish: "stop" }).answer?.finish, "tool_calls");
  assert.equal(read(calls, { finish: "length" }).answer?.finish, "length");
  assert.equal(read([{ content: "x" }], { finish: "tool_calls" }).answer?.finish, "stop");
});

Deno.test("an answer that was cut at the limit or filtered is an answer, even an empty one", () => {
  assert.equal(read([], { finish: "length" }).answer?.finish, "length");
  assert.equal(read([], { finish: "content_filter" }).answer?.finish, "content_filter");
  assert.equal(read([]).verdict.kind, "empty");
});

Deno.test("calls of a damaged stream are doubted, its text is not", () => {
  const damaged = (deltas: readonly Json[]) => {
    const decoder = decoderFor();
    decoder.event('{"choices":[{"del', undefined, false);
    for (const delta of deltas) decoder.event(JSON.stringify({ choices: [{ index: 0, delta }] }), undefined, false);
    decoder.event("[DONE]", undefined, false);
    return decoder.verdict();
  };
  const text = damaged([{ content: "Hi" }]);
  assert.equal(text.kind === "complete" && text.doubt, undefined);
  const sound = damaged([{ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }] }]);
  assert.deepEqual(sound.kind === "complete" && [sound.doubt?.tries, sound.doubt?.refuse], [2, false]);
  const broken = damaged([{ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: '{"a":' } }] }]);
  assert.equal(broken.kind === "complete" && broken.doubt?.refuse, true);
});

Deno.test("a tool turn without reasoning is doubted once where reasoning is due", () => {
  const call = { tool_calls: [{ index: 0, id: "c", function: { name: "f" } }] };
  const doubt = (deltas: readonly Json[]) => {
    const { verdict } = read(deltas, { expectsReasoning: true });
    return verdict.kind === "complete" ? verdict.doubt?.tries : undefined;
  };
  assert.equal(doubt([call]), 1);
  assert.equal(doubt([{ reasoning_content: "why" }, call]), undefined);
  assert.equal(doubt([{ content: "I look." }, call]), undefined);
});

Deno.test("nothing an endpoint sends makes the decoder throw", () => {
  const odd = [
    "null",
    "1",
    '"x"',
    "[]",
    "{}",
    '{"choices":null}',
    '{"choices":[null]}',
    '{"choices":[{"delta":null}]}',
    '{"choices":[{"delta":{"content":7,"tool_calls":[null,{"function":null},{"index":"a"}],"reasoning_details":[null,3]}}]}',
    '{"choices":[{"delta":{"content":[null,{"text":3},{"type":"thinking"}]},"finish_reason":7}]}',
    '{"usage":[],"timings":{},"x_groq":3}',
    '{"choices":[{"index":1,"delta":{"content":"other"}}]}',
  ];
  const decoder = decoderFor();
  for (const data of odd) decoder.event(data, undefined, false);
  decoder.event("[DONE]", undefined, false);
  assert.equal(decoder.verdict().kind, "empty");
});

Deno.test("an error that is null is none, and a reason to end that is no word of the protocol is a stop", () => {
  const decoder = decoderFor();
  decoder.event(
    '{"choices":[{"index":0,"delta":{"content":"a"}}],"error":null,"x_groq":{"error":null}}',
    undefined,
    false,
  );
  decoder.event('{"choices":[{"index":0,"delta":{},"finish_reason":"constructor"}]}', undefined, false);
  const verdict = decoder.verdict();
  assert.ok(verdict.kind === "complete");
  assert.deepEqual([verdict.answer.text, verdict.answer.finish], ["a", "stop"]);
});
