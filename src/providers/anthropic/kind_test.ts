import assert from "node:assert/strict";
import type { ProviderSettings } from "../../contract/provider.ts";
import {
  eventStream,
  gather,
  providerSettings,
  scriptedFetch,
  testPorts,
  userRequest,
} from "../../../tests/support/provider_call.ts";
import { anthropicKind } from "./kind.ts";

async function asked(changes: Partial<ProviderSettings>) {
  let seen: { readonly url: string; readonly headers: Headers } | undefined;
  const fetch: typeof globalThis.fetch = (input, init) => {
    seen = { url: String(input), headers: new Headers(init?.headers) };
    return Promise.resolve(new Response("", { status: 400 }));
  };
  await gather(anthropicKind.create(providerSettings({ kind: "anthropic", ...changes }), testPorts({ fetch })));
  return seen!;
}

// proves PRV-07
// proves PRV-08
// proves PRV-09
Deno.test("the address follows base_url, however it ends, and request_url is taken as it is", async () => {
  const url = async (changes: Partial<ProviderSettings>) => (await asked(changes)).url;
  for (
    const baseUrl of ["https://h.test/a", "https://h.test/a/", "https://h.test/a/v1", "https://h.test/a/v1/messages"]
  ) {
    assert.equal(await url({ baseUrl }), "https://h.test/a/v1/messages");
  }
  assert.equal(await url({ requestUrl: "https://h.test/exact?x=1" }), "https://h.test/exact?x=1");
  assert.equal(await url({ baseUrl: "https://h.test", chatUrl: "https://other.test/" }), "https://h.test/v1/messages");
});

Deno.test("the key goes into x-api-key, or is a bearer where that is asked for", async () => {
  const { headers } = await asked({ headers: { "X-Team": "tools" } });
  assert.deepEqual(
    ["x-api-key", "authorization", "anthropic-version", "x-team"].map((name) => headers.get(name)),
    ["sk-test-key-0123456789", null, "2023-06-01", "tools"],
  );
  const bearer = (await asked({ authHeader: true })).headers;
  assert.deepEqual([bearer.get("x-api-key"), bearer.get("authorization")], [null, "Bearer sk-test-key-0123456789"]);
  assert.equal((await asked({ apiKey: "" })).headers.get("x-api-key"), null);
});

Deno.test("models are listed beside the messages, and at DeepSeek at its root", () => {
  const list = (baseUrl: string, modelsUrl?: string) => {
    const { url, headers } = anthropicKind.modelList!(
      providerSettings({ baseUrl, ...(modelsUrl ? { modelsUrl } : {}) }),
    );
    return [url.href, Object.keys(headers).includes("authorization")];
  };
  assert.deepEqual(list("https://api.anthropic.com/v1"), ["https://api.anthropic.com/v1/models?limit=1000", false]);
  assert.deepEqual(list("https://api.deepseek.com/anthropic"), ["https://api.deepseek.com/models", true]);
  assert.deepEqual(list("https://h.test/a", "https://h.test/list"), ["https://h.test/list", false]);
});

const event = (value: Record<string, unknown>) => `data: ${JSON.stringify(value)}\n\n`;
const block = (index: number, content_block: Record<string, unknown>) =>
  event({ type: "content_block_start", index, content_block });
const stop = (stop_reason: string, more: Record<string, unknown> = {}) =>
  event({ type: "message_delta", delta: { stop_reason, ...more }, usage: { input_tokens: 10, output_tokens: 5 } }) +
  event({ type: "message_stop" });

const SEARCH = { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "x" } };
const FOUND = { type: "web_search_tool_result", tool_use_id: "s1", content: [] };

Deno.test("an answer the endpoint pauses goes on with what it said, and is one answer", async () => {
  const { fetch, bodies } = scriptedFetch([
    () => eventStream([block(0, { type: "text", text: "Let me look. " }), block(1, SEARCH), stop("pause_turn")]),
    () => eventStream([block(0, FOUND), block(1, { type: "text", text: "It is so." }), stop("end_turn")]),
  ]);
  const settings = providerSettings({ kind: "anthropic" });
  const { answer, shown, chunks } = await gather(anthropicKind.create(settings, testPorts({ fetch })));
  const said = [{ type: "text", text: "Let me look. " }, SEARCH];
  assert.equal(answer?.text, "Let me look. It is so.");
  assert.equal(shown.text, answer.text);
  assert.equal(answer.finish, "stop");
  assert.deepEqual(answer.providerItems, [...said, FOUND, { type: "text", text: "It is so." }]);
  assert.deepEqual([answer.usage.prompt, answer.usage.requestAttempts, answer.lastUsage.prompt], [20, 2, 10]);
  assert.ok(!chunks.some((chunk) => chunk.type === "attempt" && chunk.action === "discard"));
  const { messages } = JSON.parse(new TextDecoder().decode(bodies[1]));
  assert.deepEqual(messages.at(-1), { role: "assistant", content: said });
});

Deno.test("an endpoint that pauses without end is taken at its word", async () => {
  const { fetch, bodies } = scriptedFetch([
    () => eventStream([block(0, { type: "text", text: "a" }), stop("pause_turn")]),
  ]);
  const { answer } = await gather(anthropicKind.create(providerSettings({ kind: "anthropic" }), testPorts({ fetch })));
  assert.equal(bodies.length, 9);
  assert.equal(answer?.text, "aaaaaaaaa");
});

Deno.test("a refusal is told with its reason and is not asked for again", async () => {
  const details = { stop_details: { type: "refusal", category: "cyber", explanation: "no" } };
  const { fetch, bodies } = scriptedFetch([() => eventStream([stop("refusal", details)])]);
  const { answer, chunks } = await gather(
    anthropicKind.create(providerSettings({ kind: "anthropic" }), testPorts({ fetch })),
    userRequest(),
  );
  assert.equal(answer?.finish, "content_filter");
  assert.equal(bodies.length, 1);
  assert.deepEqual(chunks.filter((chunk) => chunk.type === "notice"), [
    { type: "notice", code: "provider.rejected", text: "The model declined to answer: cyber, no." },
  ]);
});
