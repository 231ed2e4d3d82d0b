import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message } from "../../contract/message.ts";
import type { ModelRequest, ProviderSettings } from "../../contract/provider.ts";
import {
  gather,
  providerSettings,
  scriptedFetch,
  testPorts,
  userRequest,
} from "../../../tests/support/provider_call.ts";
import { toText } from "../../lib/bytes.ts";
import { chooseDialect } from "./dialects.ts";
import { openaiKind } from "./kind.ts";
import { createRequestBuilder } from "./request.ts";

function builderFor(changes: Partial<ProviderSettings> = {}) {
  const settings = providerSettings(changes);
  const choice = chooseDialect(settings, new URL(settings.baseUrl));
  return createRequestBuilder(settings, { url: "http://host.test/", choice });
}

function bodyOf(request: Partial<ModelRequest> = {}, changes: Partial<ProviderSettings> = {}) {
  return JSON.parse(toText(builderFor(changes).build(userRequest(request)).body));
}

/** Body without what every body holds. */
function special(request: Partial<ModelRequest> = {}, changes: Partial<ProviderSettings> = {}) {
  const { model: _m, messages: _x, stream: _s, stream_options: _o, ...rest } = bodyOf(request, changes);
  return rest;
}

const sentMessages = (messages: readonly Message[], changes: Partial<ProviderSettings> = {}) =>
  bodyOf({ system: "", messages }, changes).messages;

const DEEPSEEK = { baseUrl: "https://api.deepseek.com/v1", model: "deepseek-v4" };
const GLM = { baseUrl: "https://open.bigmodel.cn/api/paas/v4", model: "glm-5" };
const KIMI = { baseUrl: "https://api.moonshot.ai/v1", model: "kimi-k3" };
const CALL = { id: "c1", name: "ls", arguments: '{"path":"."}' };
const WIRE_CALL = { id: "c1", type: "function", function: { name: "ls", arguments: '{"path":"."}' } };
const TOOLS = [{
  name: "ls",
  description: "Lists.",
  parameters: { type: "object", properties: { path: { type: "string" } } },
}];

Deno.test("the body has the keys of the protocol, messages last", () => {
  const body = bodyOf({ tools: TOOLS, temperature: 0.2, maxOutputTokens: 1000 });
  assert.deepEqual(body, {
    model: "m-1",
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.2,
    max_tokens: 1000,
    tools: [{ type: "function", function: TOOLS[0] }],
    messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "hi" }],
  });
  assert.equal(Object.keys(body).at(-1), "messages");
});

Deno.test("what is not asked for is not in the body", () => {
  assert.deepEqual(special({ temperature: 0, maxOutputTokens: 0 }), {});
});

Deno.test("an assistant turn with calls alone has null as content, its results carry id and name", () => {
  assert.deepEqual(
    sentMessages([
      { role: "assistant", tool_calls: [CALL] },
      {
        role: "tool",
        tool_call_id: "c1",
        name: "ls",
        content: "a.txt",
        raw_content: "all",
        tool_execution: { state: "completed" },
      },
      { role: "assistant", content: "Done.", reasoning_content: "why", createdAt: 1 },
      { role: "assistant", content: "" },
    ]),
    [
      { role: "assistant", content: null, tool_calls: [WIRE_CALL] },
      { role: "tool", tool_call_id: "c1", name: "ls", content: "a.txt" },
      { role: "assistant", content: "Done." },
      { role: "assistant", content: "" },
    ],
  );
});

for (const broken of ['{"path":', "[]", "null", "7", ""]) {
  Deno.test(`arguments ${JSON.stringify(broken)} go back as {}`, () => {
    const [turn] = sentMessages([{ role: "assistant", tool_calls: [{ ...CALL, arguments: broken }] }]);
    assert.equal(turn.tool_calls[0].function.arguments, "{}");
  });
}

Deno.test("local messages never leave the machine", () => {
  assert.deepEqual(
    sentMessages([{ role: "user", content: "secret", local_only: true }, { role: "user", content: "hi" }]),
    [
      { role: "user", content: "hi" },
    ],
  );
});

Deno.test("pictures are parts where the model sees, and a remark where it does not", () => {
  const messages: Message[] = [{ role: "user", content: "look", images: [{ url: "data:image/png;base64,AA==" }] }];
  const url = "data:image/png;base64,AA==";
  assert.deepEqual(sentMessages(messages, { vision: true, visionDetail: "low" })[0].content, [
    { type: "text", text: "look" },
    { type: "image_url", image_url: { url, detail: "low" } },
  ]);
  assert.deepEqual(sentMessages(messages, { vision: true })[0].content[1], { type: "image_url", image_url: { url } });
  assert.equal(sentMessages(messages)[0].content, "look\n\n[An image left out: this model does not see images.]");
});

Deno.test("DeepSeek gets reasoning back on turns that call tools, the key even when there is none", () => {
  const messages: Message[] = [
    { role: "assistant", tool_calls: [CALL], reasoning_content: "plan A" },
    { role: "assistant", tool_calls: [CALL] },
    { role: "assistant", content: "x", reasoning_content: "plan B" },
  ];
  const keys = (changes: Partial<ProviderSettings>) =>
    sentMessages(messages, changes).map((message: Record<string, unknown>) => message.reasoning_content);
  assert.deepEqual(keys(DEEPSEEK), ["plan A", "", undefined]);
  assert.deepEqual(keys({ reasoningProtocol: "deepseek" }), ["plan A", "", undefined]);
  assert.deepEqual(keys({ model: "deepseek-v4-pro" }), ["plan A", "", undefined]);
  assert.deepEqual(keys({ thinking: "enabled" }), ["plan A", "", undefined]);
  assert.deepEqual(keys({ ...DEEPSEEK, thinking: "disabled" }), [undefined, undefined, undefined]);
  assert.deepEqual(keys(GLM), ["plan A", undefined, "plan B"]);
  assert.deepEqual(keys(KIMI), ["plan A", undefined, "plan B"]);
  assert.deepEqual(keys({}), [undefined, undefined, undefined]);
  assert.deepEqual(keys({ ...DEEPSEEK, reasoningProtocol: "none" }), [undefined, undefined, undefined]);
});

Deno.test("structured reasoning goes back to the gateway and model it came from", () => {
  const details = [{ type: "reasoning.encrypted", data: "xyz", index: 0 }];
  const turn = { role: "assistant", content: "x", provider_items: [...details, { type: "thinking" }] } as const;
  const sent = (modelRef: string) =>
    sentMessages([{ ...turn, modelRef }], { baseUrl: "https://openrouter.ai/api/v1" })[0].reasoning_details;
  assert.deepEqual(sent("acme/m-1"), details);
  assert.equal(sent("acme/other"), undefined);
});

Deno.test("a thought signature goes back with its call", () => {
  const call = { ...CALL, thought_signature: "sig" };
  const changes = { baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" };
  const [turn] = sentMessages([{ role: "assistant", tool_calls: [call] }], changes);
  assert.deepEqual(turn.tool_calls[0].extra_content, { google: { thought_signature: "sig" } });
  const [plain] = sentMessages([{ role: "assistant", tool_calls: [call] }], { baseUrl: "https://api.openai.com/v1" });
  assert.equal(plain.tool_calls[0].extra_content, undefined);
});

const enabled = { thinking: { type: "enabled" } };
const disabled = { thinking: { type: "disabled" } };

for (
  const [what, effort, changes, fields] of [
    ["DeepSeek by itself thinks hard", undefined, DEEPSEEK, {
      ...enabled,
      reasoning_effort: "high",
      max_tokens: 65536,
    }],
    ["DeepSeek medium is high", "medium", DEEPSEEK, { ...enabled, reasoning_effort: "high", max_tokens: 65536 }],
    ["DeepSeek low", "low", DEEPSEEK, { ...enabled, reasoning_effort: "low", max_tokens: 32768 }],
    ["DeepSeek disabled", "disabled", DEEPSEEK, { ...disabled, max_tokens: 16384 }],
    ["DeepSeek switched off in the config", undefined, { ...DEEPSEEK, thinking: "disabled" }, {
      ...disabled,
      max_tokens: 16384,
    }],
    ["auto sends nothing", "auto", { ...DEEPSEEK, effort: "max" }, { max_tokens: 32768 }],
    ["the request beats the config", "max", { ...DEEPSEEK, effort: "low" }, {
      ...enabled,
      reasoning_effort: "max",
      max_tokens: 65536,
    }],
    ["GLM enabled", "enabled", GLM, { ...enabled, max_tokens: 32768 }],
    ["GLM by itself", undefined, GLM, { max_tokens: 32768 }],
    ["MiniMax adaptive", "adaptive", { baseUrl: "https://api.minimax.io/v1" }, { thinking: { type: "adaptive" } }],
    ["Kimi K3 by itself", undefined, KIMI, { reasoning_effort: "max", max_completion_tokens: 65536 }],
    ["another model of Kimi's host", undefined, { ...KIMI, model: "kimi-k2" }, {}],
    ["OpenAI max is high", "max", { baseUrl: "https://api.openai.com/v1" }, { reasoning_effort: "high" }],
    ["Ollama's cloud none", "none", { baseUrl: "https://ollama.com/v1" }, { reasoning_effort: "none" }],
    ["a declared level", "ultra", { supportedEfforts: ["ultra"] }, { reasoning_effort: "ultra" }],
    ["a family behind an unknown host, unasked", undefined, { model: "x/deepseek-v4" }, { max_tokens: 32768 }],
    ["an unknown endpoint that thinks", undefined, { thinking: "enabled" }, enabled],
  ] as readonly (readonly [string, string | undefined, Partial<ProviderSettings>, Record<string, unknown>])[]
) {
  Deno.test(`effort: ${what}`, () => {
    assert.deepEqual(special(effort === undefined ? {} : { effort }, changes), fields);
  });
}

for (
  const [what, effort, changes, code, message] of [
    ["a level nobody declared", "high", {}, "provider.unknown_reasoning", /UNKNOWN_MODEL_REASONING.*acme\/m-1.*"high"/],
    [
      "a level outside the list",
      "ultra",
      DEEPSEEK,
      "provider.unsupported_effort",
      /UNSUPPORTED_REASONING_EFFORT.*auto, disabled, low, high, max/,
    ],
    ["a level for plain chat", "low", { reasoningProtocol: "none" }, "provider.unsupported_effort", /takes auto$/],
    ["GLM's missing levels", "high", GLM, "provider.unsupported_effort", /auto, disabled, enabled/],
  ] as readonly (readonly [string, string, Partial<ProviderSettings>, string, RegExp])[]
) {
  Deno.test(`effort: ${what} fails before any request`, async () => {
    const { fetch, bodies } = scriptedFetch([() => new Response("")]);
    const provider = openaiKind.create(providerSettings(changes), testPorts({ fetch }));
    const { error } = await gather(provider, userRequest({ effort }));
    assert.equal(error?.code, code);
    assert.match(error.message, message);
    assert.deepEqual(bodies, []);
  });
}

Deno.test("sampling is left out where the endpoint refuses it", () => {
  assert.equal(special({ temperature: 0.5 }, KIMI).temperature, undefined);
});

Deno.test("the answer's ceiling: automatic, given, none, and cut to what is left of the window", () => {
  // proves CTX-17 CTX-19
  const limit = (maxOutputTokens: number, changes: Partial<ProviderSettings> = {}) =>
    special({}, { ...DEEPSEEK, maxOutputTokens, ...changes }).max_tokens;
  assert.equal(limit(0), 65536);
  assert.equal(limit(5000), 5000);
  assert.equal(limit(-1), undefined);
  assert.equal(limit(0, { contextWindow: 200_000 }), 65536);
  const cut = limit(0, { contextWindow: 20_000 });
  assert.ok(cut > 19_000 && cut < 20_000, String(cut));
  assert.equal(
    special({ messages: [{ role: "user", content: "x".repeat(100_000) }] }, { ...DEEPSEEK, contextWindow: 20_000 })
      .max_tokens,
    1024,
  );
  assert.deepEqual(special({ maxOutputTokens: 700 }, { baseUrl: "https://api.openai.com/v1" }), {
    max_completion_tokens: 700,
  });
});

Deno.test("a picture does not eat the window by its bytes", () => {
  const images = [{ url: "data:image/png;base64," + "A".repeat(400_000) }];
  const { max_tokens } = special({ messages: [{ role: "user", content: "look", images }] }, {
    ...DEEPSEEK,
    vision: true,
    contextWindow: 100_000,
  });
  assert.equal(max_tokens, 65536);
});

Deno.test("extra_body adds and replaces fields, never those the host owns, and says so once", () => {
  const builder = builderFor({
    extraBody: { top_k: 5, temperature: 1, model: "evil", stream: false, messages: [], tools: [], thinking: 1 },
  });
  const first = builder.build(userRequest({ temperature: 0.1 }));
  const { model, stream, top_k, temperature, messages, ...rest } = JSON.parse(toText(first.body));
  assert.deepEqual([model, stream, top_k, temperature, messages.length], ["m-1", true, 5, 1, 2]);
  assert.deepEqual(rest, { stream_options: { include_usage: true } });
  assert.deepEqual(first.notices.map((notice) => /extra_body\.(\w+) of provider acme is ignored/.exec(notice)?.[1]), [
    "model",
    "stream",
    "messages",
    "tools",
    "thinking",
  ]);
  assert.deepEqual(builder.build(userRequest()).notices, []);
});

Deno.test("a null in extra_body is refused when the provider is made", () => {
  assert.throws(() => openaiKind.create(providerSettings({ extraBody: { top_k: null } }), testPorts()), {
    code: "config.type",
    message: /extra_body\.top_k of provider acme is null/,
  });
});

for (
  const [what, changes, url] of [
    // proves PRV-09
    ["base_url and the protocol's path", { baseUrl: "https://h.test/v1/" }, "https://h.test/v1/chat/completions"],
    [
      "base_url that holds the path already",
      { baseUrl: "https://h.test/chat/completions" },
      "https://h.test/chat/completions",
    ],
    // proves PRV-07
    [
      "request_url to the letter",
      { requestUrl: "https://h.test/x?a=1", chatUrl: "https://no.test" },
      "https://h.test/x?a=1",
    ],
    // proves PRV-08
    ["chat_url to the letter", { chatUrl: "https://h.test/y/" }, "https://h.test/y/"],
  ] as const
) {
  Deno.test(`the target is ${what}`, async () => {
    const asked: string[] = [];
    const ports = testPorts({
      fetch: (input) => {
        asked.push(String(input));
        return Promise.resolve(new Response("", { status: 404 }));
      },
    });
    await gather(openaiKind.create(providerSettings(changes), ports));
    assert.deepEqual(asked, [url]);
  });
}

for (const address of ["", "not a url", "ftp://h.test/v1", "file:///etc/passwd"]) {
  Deno.test(`the address "${address}" is refused when the provider is made`, () => {
    assert.throws(() => openaiKind.create(providerSettings({ baseUrl: address }), testPorts()), {
      code: "config.type",
      message: /provider acme/,
    });
  });
}

// proves PRV-03
Deno.test("headers carry the key, the configured ones win, and no key means no header", () => {
  const headers = (changes: Partial<ProviderSettings>) => builderFor(changes).build(userRequest()).headers;
  assert.equal(headers({}).authorization, "Bearer sk-test-key-0123456789");
  assert.equal(headers({ apiKey: "" }).authorization, undefined);
  assert.equal(headers({ headers: { "X-Team": "a", "Authorization": "Token t" } }).authorization, "Token t");
  assert.equal(headers({ headers: { "X-Team": "a" } })["x-team"], "a");
});

Deno.test("a request extends the one before byte for byte up to the closing brackets", () => {
  const content = fc.string({ unit: "grapheme", maxLength: 30 });
  const turn = fc.oneof(
    content.map((said): Message => ({ role: "user", content: said })),
    content.map((said): Message => ({ role: "assistant", content: said, tool_calls: [CALL], reasoning_content: said })),
    content.map((said): Message => ({ role: "tool", content: said, name: "ls", tool_call_id: "c1" })),
  );
  fc.assert(
    fc.property(
      fc.array(turn, { minLength: 2, maxLength: 12 }),
      fc.constantFrom({}, DEEPSEEK, GLM),
      (turns, changes) => {
        const builder = builderFor(changes);
        let last = "";
        for (let length = 1; length <= turns.length; length++) {
          const body = toText(builder.build({ system: "S", tools: TOOLS, messages: turns.slice(0, length) }).body);
          assert.ok(body.startsWith(last), `request ${length} does not extend the one before`);
          assert.deepEqual(JSON.parse(body).messages.length, length + 1);
          last = body.slice(0, -2);
        }
      },
    ),
  );
});

Deno.test("a request without tool calls keeps the prefix and says so behind the messages", () => {
  const builder = builderFor();
  const request = userRequest({ tools: TOOLS });
  const open = toText(builder.build(request).body).slice(0, -2);
  const body = toText(builder.build({ ...request, toolChoice: "none" }).body);
  assert.equal(body, `${open}],"tool_choice":"none"}`);
  assert.equal(special({ toolChoice: "none" }).tool_choice, undefined);
});

const PICTURE = { url: "data:image/png;base64,iVBORw0KGgo=" };

Deno.test("pictures of results follow behind the last result of their round", () => {
  const messages: Message[] = [
    { role: "user", content: "look" },
    { role: "assistant", tool_calls: [CALL, { ...CALL, id: "c2" }] },
    { role: "tool", tool_call_id: "c1", name: "ls", content: "one", images: [PICTURE] },
    { role: "tool", tool_call_id: "c2", name: "ls", content: "two", images: [PICTURE] },
  ];
  const shown = {
    role: "user",
    content: [
      { type: "text", text: "[The images of the results above.]" },
      { type: "image_url", image_url: { url: PICTURE.url, detail: "low" } },
      { type: "image_url", image_url: { url: PICTURE.url, detail: "low" } },
    ],
  };
  const seeing = { vision: true, visionDetail: "low" };
  assert.deepEqual(sentMessages(messages, seeing).slice(2).map(({ role }: { role: string }) => role), [
    "tool",
    "tool",
    "user",
  ]);
  assert.deepEqual(sentMessages(messages, seeing).at(-1), shown);
  const next: Message = { role: "assistant", content: "seen" };
  assert.deepEqual(sentMessages([...messages, next], seeing).slice(4), [shown, { role: "assistant", content: "seen" }]);
  const builder = builderFor(seeing);
  const first = toText(builder.build(userRequest({ messages })).body);
  const second = toText(builder.build(userRequest({ messages: [...messages, next] })).body);
  assert.ok(second.startsWith(first.slice(0, -2)));
});

Deno.test("a model that sees no pictures is told of those in results", () => {
  const messages: Message[] = [
    { role: "assistant", tool_calls: [CALL] },
    { role: "tool", tool_call_id: "c1", name: "ls", content: "one", images: [PICTURE] },
  ];
  assert.equal(
    sentMessages(messages).at(-1).content,
    "one\n\n[An image left out: this model does not see images.]",
  );
});

Deno.test("reasoning that another protocol keeps in a form of its own is not sent", () => {
  const signed: Message = { role: "assistant", tool_calls: [CALL], reasoning_content: "hm", reasoning_signature: "s" };
  const reasoning = (message: Message) => sentMessages([message], DEEPSEEK)[0].reasoning_content;
  assert.equal(reasoning({ ...signed, modelRef: "claude/opus" }), "");
  assert.equal(reasoning({ ...signed, modelRef: "gpt/5", provider_items: [{}] }), "");
  assert.equal(
    reasoning({ role: "assistant", tool_calls: [CALL], reasoning_content: "hm", modelRef: "other/m" }),
    "hm",
  );
});
