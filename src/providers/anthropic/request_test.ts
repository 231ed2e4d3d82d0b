import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message } from "../../contract/message.ts";
import type { ModelRequest, ProviderSettings } from "../../contract/provider.ts";
import { providerSettings, userRequest } from "../../../tests/support/provider_call.ts";
import { toText } from "../../lib/bytes.ts";
import { chooseDialect } from "./dialects.ts";
import { createRequestBuilder } from "./request.ts";

function builderFor(changes: Partial<ProviderSettings> = {}) {
  const settings = providerSettings({ kind: "anthropic", ...changes });
  const choice = chooseDialect(settings, new URL(settings.baseUrl));
  return createRequestBuilder(settings, { url: "http://host.test/", choice });
}

function bodyOf(request: Partial<ModelRequest> = {}, changes: Partial<ProviderSettings> = {}) {
  return JSON.parse(toText(builderFor(changes).build(userRequest(request)).body));
}

const sent = (messages: readonly Message[], changes: Partial<ProviderSettings> = {}) =>
  bodyOf({ system: "", messages }, changes).messages;

const CLAUDE = { baseUrl: "https://api.anthropic.com", model: "claude-opus-4-8" };
const DEEPSEEK = { baseUrl: "https://api.deepseek.com/anthropic", model: "deepseek-v4-pro" };
const MARK = { cache_control: { type: "ephemeral" } };
const PICTURE = { url: "data:image/png;base64,iVBORw0KGgo=" };
const TOOLS = [{ name: "ls", description: "Lists.", parameters: { type: "object", properties: {} } }];
const CALL = { id: "c1", name: "ls", arguments: '{"path":"."}' };
const USE = { type: "tool_use", id: "c1", name: "ls", input: { path: "." } };

// proves CFG-22 ROAD-11
Deno.test("a request to Anthropic has the keys of the protocol and marks where its cache ends", () => {
  assert.deepEqual(bodyOf({ tools: TOOLS, temperature: 0.5 }, { ...CLAUDE, webSearch: true }), {
    model: "claude-opus-4-8",
    max_tokens: 16384,
    stream: true,
    system: [{ type: "text", text: "Be brief.", ...MARK }],
    tools: [
      { name: "ls", description: "Lists.", input_schema: TOOLS[0]!.parameters },
      { type: "web_search_20250305", name: "web_search" },
    ],
    messages: [{ role: "user", content: [{ type: "text", text: "hi", ...MARK }] }],
  });
});

// proves CFG-20
Deno.test("a request to DeepSeek thinks hard, marks nothing and takes a temperature", () => {
  assert.deepEqual(bodyOf({ tools: TOOLS, temperature: 0.5 }, DEEPSEEK), {
    model: "deepseek-v4-pro",
    max_tokens: 65536,
    stream: true,
    temperature: 0.5,
    thinking: { type: "enabled" },
    output_config: { effort: "high" },
    system: [{ type: "text", text: "Be brief." }],
    tools: [{ name: "ls", description: "Lists.", input_schema: TOOLS[0]!.parameters }],
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  });
});

Deno.test("without a system prompt the last tool carries the mark", () => {
  const { tools, system } = bodyOf({ system: "", tools: TOOLS }, CLAUDE);
  assert.equal(system, undefined);
  assert.deepEqual(tools.at(-1).cache_control, MARK.cache_control);
});

Deno.test("an answer always has a ceiling, cut to what is left of the window", () => {
  assert.equal(bodyOf({ maxOutputTokens: -1 }, CLAUDE).max_tokens, 16384);
  assert.equal(bodyOf({ maxOutputTokens: 500 }, CLAUDE).max_tokens, 500);
  assert.equal(bodyOf({}, { ...CLAUDE, maxOutputTokens: 9000 }).max_tokens, 9000);
  assert.ok(bodyOf({}, { ...CLAUDE, contextWindow: 10_000 }).max_tokens < 10_000);
});

for (
  const [name, changes, effort, fields] of [
    ["Anthropic by default", CLAUDE, undefined, {}],
    ["Anthropic with thinking", { ...CLAUDE, thinking: "adaptive" }, undefined, {
      thinking: { type: "adaptive", display: "summarized" },
    }],
    ["Anthropic with effort", CLAUDE, "xhigh", {
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "xhigh" },
    }],
    ["an older Claude", { ...CLAUDE, model: "claude-sonnet-4-5-20250929" }, "low", {
      thinking: { type: "enabled", budget_tokens: 4096 },
    }],
    ["DeepSeek switched off", DEEPSEEK, "off", { thinking: { type: "disabled" } }],
    ["DeepSeek switched off in the settings", { ...DEEPSEEK, thinking: "disabled" }, undefined, {
      thinking: { type: "disabled" },
    }],
    ["DeepSeek with another word for a level", DEEPSEEK, "medium", {
      thinking: { type: "enabled" },
      output_config: { effort: "high" },
    }],
    ["GLM", { baseUrl: "https://api.z.ai/api/anthropic", model: "glm-5" }, "enabled", {
      thinking: { type: "enabled" },
    }],
    ["an unknown host with thinking declared", { thinking: "enabled" }, undefined, { thinking: { type: "enabled" } }],
    ["an unknown host", {}, undefined, {}],
    ["a Claude behind an unknown host", { model: "anthropic/claude-opus-4-8" }, undefined, {}],
  ] as const
) {
  Deno.test(`thinking fields for ${name}`, () => {
    const { thinking, output_config } = bodyOf(effort === undefined ? {} : { effort }, changes);
    assert.deepEqual(
      { ...(thinking ? { thinking } : {}), ...(output_config ? { output_config } : {}) },
      fields,
    );
  });
}

Deno.test("a level that is not there fails before anything is sent", () => {
  assert.throws(() => bodyOf({ effort: "extreme" }, DEEPSEEK), { code: "provider.unsupported_effort" });
  assert.throws(() => bodyOf({ effort: "high" }), { code: "provider.unknown_reasoning" });
});

Deno.test("messages of one role become one, results first, and failures are marked", () => {
  const messages: Message[] = [
    { role: "user", content: "context", host_authored: true },
    { role: "user", content: "look" },
    {
      role: "assistant",
      content: "ok",
      tool_calls: [CALL, { id: "c2", name: "ls", arguments: "{" }, { id: "c3", name: "ls", arguments: "{}" }],
    },
    { role: "tool", tool_call_id: "c1", name: "ls", content: "a.txt" },
    { role: "tool", tool_call_id: "c2", name: "ls", content: "error: no such folder" },
    { role: "tool", tool_call_id: "c3", name: "ls", content: "", tool_execution: { state: "completed" } },
    { role: "user", content: "<host-notice>x</host-notice>", host_authored: true },
  ];
  assert.deepEqual(sent(messages, CLAUDE), [
    { role: "user", content: [{ type: "text", text: "context", ...MARK }, { type: "text", text: "look" }] },
    {
      role: "assistant",
      content: [{ type: "text", text: "ok" }, USE, { ...USE, id: "c2", input: {} }, { ...USE, id: "c3", input: {} }],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: "a.txt" },
        { type: "tool_result", tool_use_id: "c2", content: "error: no such folder", is_error: true },
        { type: "tool_result", tool_use_id: "c3", content: "(no output)" },
        { type: "text", text: "<host-notice>x</host-notice>", ...MARK },
      ],
    },
  ]);
});

Deno.test("no blank text is ever sent, and the roles still take turns", () => {
  const messages: Message[] = [
    { role: "user", content: "one" },
    { role: "assistant", content: "" },
    { role: "user", content: " " },
    { role: "assistant", content: "  \n", tool_calls: [CALL] },
    { role: "tool", tool_call_id: "c1", name: "ls", content: "\n" },
    { role: "assistant", content: "  \n", reasoning_content: "hm" },
    { role: "user", content: "two" },
  ];
  assert.deepEqual(sent(messages), [
    { role: "user", content: [{ type: "text", text: "one" }, { type: "text", text: "(empty message)" }] },
    { role: "assistant", content: [USE] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: "(no output)" },
        { type: "text", text: "two", ...MARK },
      ],
    },
  ]);
});

Deno.test("a conversation whose beginning is gone still begins with the user", () => {
  const [first, second] = sent([{ role: "assistant", content: "so" }, { role: "user", content: "go on" }]);
  assert.equal(first.role, "user");
  assert.deepEqual(second, { role: "assistant", content: [{ type: "text", text: "so" }] });
});

Deno.test("pictures are sent where the model sees them, and told of where it does not", () => {
  const messages: Message[] = [
    { role: "user", content: "what is this", images: [PICTURE] },
    { role: "assistant", tool_calls: [CALL] },
    { role: "tool", tool_call_id: "c1", name: "ls", content: "a picture", images: [PICTURE] },
  ];
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
  const seeing = sent(messages, { ...CLAUDE, vision: true });
  assert.deepEqual(seeing[0].content, [image, { type: "text", text: "what is this" }]);
  assert.deepEqual(seeing[2].content, [
    { type: "tool_result", tool_use_id: "c1", content: [image, { type: "text", text: "a picture" }], ...MARK },
  ]);
  const note = "[An image left out: this model does not see images.]";
  const blind = sent(messages, DEEPSEEK);
  assert.deepEqual(blind[0].content, [{ type: "text", text: "what is this" }, { type: "text", text: note }]);
  assert.equal(blind[2].content[0].content, `a picture\n\n${note}`);
});

const thought = (modelRef: string, rest: Partial<Message> = {}): Message => ({
  role: "assistant",
  tool_calls: [CALL],
  reasoning_content: "hm",
  modelRef,
  ...rest,
});
const blocksOf = (message: Message, changes: Partial<ProviderSettings>) =>
  sent([{ role: "user", content: "q" }, message, { role: "user", content: "r" }], changes)[1].content;

Deno.test("Anthropic gets back what this model signed, and nothing else", () => {
  const thinking = { ...CLAUDE, thinking: "adaptive" };
  const own = "acme/claude-opus-4-8";
  const signed = { type: "thinking", thinking: "hm", signature: "s" };
  assert.deepEqual(blocksOf(thought(own, { reasoning_signature: "s" }), thinking), [signed, USE]);
  assert.deepEqual(blocksOf(thought(own), thinking), [USE]);
  assert.deepEqual(blocksOf(thought("other/claude", { reasoning_signature: "s" }), thinking), [USE]);
  assert.deepEqual(blocksOf(thought(own, { reasoning_signature: "s" }), CLAUDE), [USE]);
});

Deno.test("DeepSeek gets its reasoning back unsigned with every turn that calls tools", () => {
  const plain = { type: "thinking", thinking: "hm" };
  const empty = { type: "thinking", thinking: "" };
  assert.deepEqual(blocksOf(thought("acme/deepseek-v4-pro", { reasoning_signature: "s" }), DEEPSEEK), [plain, USE]);
  assert.deepEqual(blocksOf(thought("acme/deepseek-flash"), DEEPSEEK), [plain, USE]);
  assert.deepEqual(blocksOf({ role: "assistant", tool_calls: [CALL] }, DEEPSEEK), [empty, USE]);
  assert.deepEqual(blocksOf(thought("claude/opus", { reasoning_signature: "s" }), DEEPSEEK), [empty, USE]);
  assert.deepEqual(blocksOf(thought("acme/deepseek-v4-pro"), { ...DEEPSEEK, thinking: "disabled" }), [USE]);
  assert.deepEqual(
    blocksOf({ role: "assistant", content: "done", reasoning_content: "hm" }, DEEPSEEK),
    [{ type: "text", text: "done" }],
  );
});

Deno.test("blocks that say more than text and calls go back in their order, to the model that sent them", () => {
  const searched = { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "x" } };
  const found = { type: "web_search_tool_result", tool_use_id: "s1", content: [] };
  const items = [
    { type: "thinking", thinking: "a", signature: "1" },
    searched,
    found,
    { type: "text", text: " " },
    { type: "tool_use", id: "c1", name: "ls", input: {} },
    { type: "tool_use", id: "dropped", name: "ls", input: {} },
  ];
  const message = thought("acme/claude-opus-4-8", { reasoning_signature: "1", provider_items: items, content: " " });
  const thinking = { ...CLAUDE, thinking: "adaptive" };
  assert.deepEqual(blocksOf(message, thinking), [items[0], searched, found, USE]);
  assert.deepEqual(blocksOf({ ...message, modelRef: "acme/other" }, thinking), [USE]);
  const hidden = { ...message, provider_items: [{ type: "redacted_thinking", data: "x" }, ...items] };
  assert.deepEqual(blocksOf(hidden, thinking), [searched, found, USE]);
});

Deno.test("an older Claude does not think in the middle of a round another model began", () => {
  const old = { ...CLAUDE, model: "claude-sonnet-4-5", effort: "low" };
  const asked = (message: Message) =>
    bodyOf({
      messages: [{ role: "user", content: "q" }, message, { role: "tool", tool_call_id: "c1", content: "r" }],
    }, old);
  assert.equal(asked(thought("other/model")).thinking, undefined);
  assert.deepEqual(asked(thought("acme/claude-sonnet-4-5", { reasoning_signature: "s" })).thinking, {
    type: "enabled",
    budget_tokens: 4096,
  });
});

Deno.test("each request extends the one before up to the mark on its last block", () => {
  const part = fc.record({
    role: fc.constantFrom("user" as const, "assistant" as const),
    content: fc.constantFrom("", " ", "text", "“中”"),
  });
  fc.assert(fc.property(fc.array(part, { minLength: 2, maxLength: 12 }), (parts) => {
    const messages: Message[] = [{ role: "user", content: "first" }, ...parts];
    const builder = builderFor(CLAUDE);
    let before = "";
    for (let count = 1; count <= messages.length; count++) {
      const body = toText(builder.build(userRequest({ messages: messages.slice(0, count) })).body);
      const alone = toText(builderFor(CLAUDE).build(userRequest({ messages: messages.slice(0, count) })).body);
      assert.equal(body, alone);
      JSON.parse(body);
      assert.ok(body.startsWith(before));
      before = body.slice(0, body.lastIndexOf(',"cache_control"'));
      if (body.lastIndexOf(',"cache_control"') < body.indexOf('"messages"')) before = body.slice(0, -4);
    }
  }));
});

Deno.test("a request without calls says so behind the messages", () => {
  const body = toText(builderFor().build(userRequest({ tools: TOOLS, toolChoice: "none" })).body);
  assert.ok(body.endsWith('],"tool_choice":{"type":"none"}}'));
});

Deno.test("extra_body is added, but for what the protocol owns", () => {
  const builder = builderFor({ extraBody: { top_p: 0.5, system: "x" } });
  const request = builder.build(userRequest());
  assert.equal(JSON.parse(toText(request.body)).top_p, 0.5);
  assert.match(request.notices.join(), /extra_body\.system/);
});
