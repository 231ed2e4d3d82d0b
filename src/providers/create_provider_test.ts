import assert from "node:assert/strict";
import { gather, providerSettings, testPorts } from "../../tests/support/provider_call.ts";
import { createProvider } from "./create_provider.ts";
import type { WireKind } from "./wire.ts";

// proves PRV-02
Deno.test("a kind that does not exist is an error that lists those that do", async () => {
  await assert.rejects(createProvider(providerSettings({ kind: "opnai" }), testPorts()), {
    name: "ReasonixError",
    code: "config.unknown_kind",
    message: 'provider acme has kind "opnai", which does not exist; known kinds: openai, anthropic, responses, demo',
  });
});

// proves PRV-05
Deno.test("one more vendor is one more set of settings", async () => {
  const asked: string[] = [];
  const fetch = (input: URL | RequestInfo) => {
    asked.push(String(input));
    return Promise.resolve(new Response("", { status: 401 }));
  };
  for (const baseUrl of ["https://one.test/v1", "https://two.test/api"]) {
    await gather(await createProvider(providerSettings({ baseUrl }), testPorts({ fetch })));
  }
  assert.deepEqual(asked, ["https://one.test/v1/chat/completions", "https://two.test/api/chat/completions"]);
});

Deno.test("a kind is handed all settings and gives the provider", async () => {
  const settings = providerSettings({ kind: "echo", price: { input: 1, output: 2, currency: "USD" } });
  const echo: WireKind = {
    kind: "echo",
    create: (given) => ({
      name: given.name,
      model: given.model,
      contextWindow: 1,
      price: given.price,
      stream: async function* () {},
    }),
  };
  const provider = await createProvider(settings, testPorts(), {
    kinds: new Map([["echo", () => Promise.resolve(echo)]]),
  });
  assert.deepEqual([provider.name, provider.model, provider.price], ["acme", "m-1", settings.price]);
});
