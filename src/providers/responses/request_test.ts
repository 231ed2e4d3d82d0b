import assert from "node:assert/strict";
import type { Message } from "../../contract/message.ts";
import type { ModelRequest, ProviderSettings } from "../../contract/provider.ts";
import {
  eventStream,
  gather,
  providerSettings,
  scriptedFetch,
  testPorts,
  userRequest,
} from "../../../tests/support/provider_call.ts";
import { toText } from "../../lib/bytes.ts";
import { chooseDialect } from "./dialects.ts";
import { responsesKind } from "./kind.ts";
import { createRequestBuilder } from "./request.ts";

function builderFor(changes: Partial<ProviderSettings> = {}) {
  const settings = providerSettings({ kind: "responses", ...changes });
  const choice = chooseDialect(settings, new URL(settings.baseUrl));
  return createRequestBuilder(settings, { url: "http://host.test/", choice });
}

function bodyOf(request: Partial<ModelRequest> = {}, changes: Partial<ProviderSettings> = {}) {
  return JSON.parse(toText(builderFor(changes).build(userRequest(request)).body));
}

const sent = (messages: readonly Message[], changes: Partial<ProviderSettings> = {}) =>
  bodyOf({ system: "", messages }, changes).input;

const GPT = { baseUrl: "https://api.openai.com/v1", model: "gpt-5.4" };
const DEEPSEEK = { baseUrl: "https://api.deepseek.com/v1", model: "deepseek-v4-pro" };
const TOOLS = [{ name: "ls", description: "Lists.", parameters: { type: "object", properties: {} } }];
const CALL = { id: "c1", name: "ls", arguments: '{"path":"."}' };
const WIRE_CALL = { type: "function_call", call_id: "c1", name: "ls", arguments: '{"path":"."}' };
const PICTURE = { url: "data:image/png;base64,iVBORw0KGgo=" };

Deno.test("a request to OpenAI stores nothing there and asks for what it must bring back", () => {
  assert.deepEqual(bodyOf({ tools: TOOLS, effort: "max", temperature: 1 }, { ...GPT, webSearch: true }), {
    model: "gpt-5.4",
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    reasoning: { effort: "high" },
    instructions: "Be brief.",
    tools: [{ type: "function", ...TOOLS[0], strict: false }, { type: "web_search" }],
    input: [{ role: "user", content: "hi" }],
  });
});

Deno.test("a request to an unknown endpoint holds what every endpoint takes", () => {
  assert.deepEqual(bodyOf({ temperature: 0.5, maxOutputTokens: 500 }), {
    model: "m-1",
    stream: true,
    temperature: 0.5,
    max_output_tokens: 500,
    instructions: "Be brief.",
    input: [{ role: "user", content: "hi" }],
  });
});

Deno.test("DeepSeek thinks hard unless told otherwise", () => {
  assert.deepEqual(bodyOf({}, DEEPSEEK).reasoning, { effort: "high" });
  assert.deepEqual(bodyOf({ effort: "off" }, DEEPSEEK).reasoning, { effort: "none" });
  assert.throws(() => bodyOf({ effort: "extreme" }, DEEPSEEK), { code: "provider.unsupported_effort" });
  assert.throws(() => bodyOf({ effort: "high" }), { code: "provider.unknown_reasoning" });
});

Deno.test("reasoning of extra_body is joined with the level", () => {
  const body = bodyOf({ effort: "low" }, { ...GPT, extraBody: { reasoning: { summary: "auto" }, top_p: 1 } });
  assert.deepEqual([body.reasoning, body.top_p], [{ effort: "low", summary: "auto" }, 1]);
});

Deno.test("calls and results are items of their own, and a turn without content is left out", () => {
  assert.deepEqual(
    sent([
      { role: "user", content: "q" },
      { role: "assistant", content: "ok", tool_calls: [CALL, { id: "c2", name: "ls", arguments: "{" }] },
      { role: "tool", tool_call_id: "c1", name: "ls", content: "a.txt" },
      { role: "tool", tool_call_id: "c2", name: "ls", content: "" },
      { role: "assistant" },
    ]),
    [
      { role: "user", content: "q" },
      { role: "assistant", content: "ok" },
      WIRE_CALL,
      { ...WIRE_CALL, call_id: "c2", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "a.txt" },
      { type: "function_call_output", call_id: "c2", output: "" },
    ],
  );
});

Deno.test("pictures are sent where the model sees them, and told of where it does not", () => {
  const messages: Message[] = [
    { role: "user", content: "look", images: [PICTURE] },
    { role: "assistant", tool_calls: [CALL] },
    { role: "tool", tool_call_id: "c1", content: "", images: [PICTURE] },
  ];
  const image = { type: "input_image", image_url: PICTURE.url, detail: "low" };
  const seeing = sent(messages, { vision: true, visionDetail: "low" });
  assert.deepEqual(seeing[0].content, [{ type: "input_text", text: "look" }, image]);
  assert.deepEqual(seeing[2].output, [image]);
  assert.equal(sent(messages)[2].output, "[An image left out: this model does not see images.]");
});

const REASONING = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };
const turn = (items: readonly unknown[], rest: Partial<Message> = {}): Message => ({
  role: "assistant",
  content: "ok",
  tool_calls: [CALL],
  modelRef: "acme/gpt-5.4",
  provider_items: items,
  ...rest,
});
const ITEMS = [
  REASONING,
  { type: "message", content: "ok", phase: "commentary" },
  { type: "web_search_call", id: "ws_1", status: "completed", action: {} },
  { type: "function_call", call_id: "c1" },
  { type: "function_call", call_id: "dropped" },
  { ...REASONING, id: "rs_2" },
];

Deno.test("opaque items go back in their order, to the model they came from", () => {
  assert.deepEqual(sent([turn(ITEMS)], GPT), [
    REASONING,
    { role: "assistant", content: "ok", phase: "commentary" },
    { type: "web_search_call", status: "completed", action: {} },
    WIRE_CALL,
  ]);
  const plain = [{ role: "assistant", content: "ok" }, WIRE_CALL];
  assert.deepEqual(sent([turn(ITEMS, { modelRef: "acme/other" })], GPT), plain);
  assert.deepEqual(sent([turn([{ type: "thinking", thinking: "t", signature: "s" }])], GPT), plain);
  // What is stored at the endpoint and nowhere else cannot be referred to.
  assert.deepEqual(sent([turn([{ type: "reasoning", id: "rs_1", summary: [] }])], GPT), [WIRE_CALL]);
});

Deno.test("DeepSeek gets plain reasoning with every turn that calls tools", () => {
  const plain: Message = { role: "assistant", tool_calls: [CALL], reasoning_content: "hm", modelRef: "chat/m" };
  const item = { type: "reasoning", id: "rs_c1", summary: [], content: [{ type: "reasoning_text", text: "hm" }] };
  assert.deepEqual(sent([plain], DEEPSEEK), [item, WIRE_CALL]);
  assert.deepEqual(sent([{ ...plain, reasoning_signature: "s" }], DEEPSEEK), [WIRE_CALL]);
  assert.deepEqual(sent([{ role: "assistant", content: "done", reasoning_content: "hm" }], DEEPSEEK), [
    { role: "assistant", content: "done" },
  ]);
  assert.deepEqual(sent([plain], GPT), [WIRE_CALL]);
});

Deno.test("each request extends the one before up to the closing brackets", () => {
  const builder = builderFor(GPT);
  const messages: Message[] = [{ role: "user", content: "q" }, turn(ITEMS), {
    role: "tool",
    tool_call_id: "c1",
    content: "r",
  }];
  let before = "";
  for (let count = 1; count <= messages.length; count++) {
    const body = toText(builder.build(userRequest({ messages: messages.slice(0, count) })).body);
    assert.ok(body.startsWith(before));
    before = body.slice(0, -2);
  }
});

const event = (value: Record<string, unknown>) => `data: ${JSON.stringify(value)}\n\n`;
const answering = (id: string, output: readonly unknown[]) => () =>
  eventStream([event({ type: "response.completed", response: { id, status: "completed", output } })]);
const SAID = { type: "message", status: "completed", content: [{ type: "output_text", text: "yes" }] };

Deno.test("where the endpoint keeps the history only the news is sent, and all of it once it has forgotten", async () => {
  const { fetch, bodies } = scriptedFetch([
    answering("resp_1", [SAID]),
    answering("resp_2", [SAID]),
    () => Response.json({ error: { code: "previous_response_not_found", message: "gone" } }, { status: 400 }),
    answering("resp_3", [SAID]),
  ]);
  const settings = providerSettings({ ...GPT, kind: "responses", responsesMode: "stateful" });
  const provider = responsesKind.create(settings, testPorts({ fetch }));
  const messages: Message[] = [{ role: "user", content: "one" }];
  for (const word of ["two", "three", "four"]) {
    const { answer, error } = await gather(provider, userRequest({ messages: [...messages] }));
    assert.equal(answer?.text, "yes", error?.message);
    messages.push({ role: "assistant", content: "yes" }, { role: "user", content: word });
  }
  const requests = bodies.map((body) => JSON.parse(toText(body)));
  assert.deepEqual(requests.map((body) => [body.previous_response_id, body.input.length, body.store]), [
    [undefined, 1, true],
    ["resp_1", 1, true],
    ["resp_2", 1, true],
    [undefined, 5, true],
  ]);
});

for (
  const [name, item, code] of [
    [
      "without a name",
      { type: "function_call", call_id: "c", arguments: "{}", status: "completed" },
      /invalid_function/,
    ],
    [
      "left unfinished",
      { type: "function_call", call_id: "c", name: "ls", status: "incomplete" },
      /unfinished_function/,
    ],
  ] as const
) {
  Deno.test(`a call ${name} refuses the whole response, after one more try`, async () => {
    const { fetch, bodies } = scriptedFetch([answering("r", [SAID, item])]);
    const provider = responsesKind.create(providerSettings({ kind: "responses" }), testPorts({ fetch }));
    const { error } = await gather(provider);
    assert.equal(error?.code, "provider.invalid_call");
    assert.match(error.message, code);
    assert.equal(bodies.length, 2);
  });
}
