import assert from "node:assert/strict";
import { addressProblem, toAddress, toTokens, toWindows } from "./provider_rules.ts";

Deno.test("an address is taken as people paste it", () => {
  const pasted = [
    "https://host/v1/",
    "https://http://127.0.0.1:8080/v1",
    "https://https://host",
    "host.example/v1",
    "localhost:11434/v1",
    "192.168.1.5:8000",
  ];
  assert.deepEqual(pasted.map(toAddress), [
    "https://host/v1",
    "http://127.0.0.1:8080/v1",
    "https://host",
    "https://host.example/v1",
    "http://localhost:11434/v1",
    "http://192.168.1.5:8000",
  ]);
  assert.deepEqual(pasted.map(addressProblem), pasted.map(() => undefined));
});

Deno.test("what is no address is said to be none", () => {
  for (const text of ["", "https://", "ftp://host", "https://http//host", "a b", "https://me:secret@host"]) {
    assert.notEqual(addressProblem(text), undefined, text);
  }
});

Deno.test("tokens are written with or without a unit", () => {
  assert.deepEqual(["131072", "128k", "1M", "1.5m", "131,072", "", "0", "many", "-5"].map(toTokens), [
    ...[131072, 128_000, 1_000_000, 1_500_000, 131072],
    ...[undefined, undefined, undefined, undefined],
  ]);
});

Deno.test("the window of the default model is the provider's, and what differs is the model's own", () => {
  const provider = {
    name: "p",
    models: ["a", "b", "c"],
    default: "b",
    model_overrides: { a: { max_output_tokens: 5 } },
  };
  const listed = [
    { id: "a", contextWindow: 10 },
    { id: "b", contextWindow: 20 },
    { id: "c", contextWindow: 20 },
    { id: "d", contextWindow: 30 },
  ];
  assert.deepEqual(toWindows(provider, listed), {
    context_window: 20,
    model_overrides: { a: { max_output_tokens: 5, context_window: 10 } },
  });
  assert.deepEqual(toWindows(provider, [{ id: "b", contextWindow: 20 }]), { context_window: 20 });
  assert.equal(toWindows(provider, [{ id: "b" }, { id: "d", contextWindow: 1 }]), undefined);
});
