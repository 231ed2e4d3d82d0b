import assert from "node:assert/strict";
import { parse } from "smol-toml";
import { SCAFFOLD } from "../../../config/mod.ts";
import { addressProblem, customName, freeName, keyProblem, nameProblem, variableProblem } from "./provider_rules.ts";
import { VENDORS } from "./vendors.ts";

Deno.test("DeepSeek stands first and is written as the scaffold writes it", () => {
  const scaffold = parse(SCAFFOLD) as { providers: unknown[] };
  assert.deepEqual(VENDORS[0]!.provider, { ...scaffold.providers[0] as object });
});

Deno.test("every vendor has a name and an address that setup itself would take", () => {
  for (const { provider } of VENDORS) {
    assert.equal(nameProblem(provider.name, []), undefined, provider.name);
    assert.equal(addressProblem(provider.base_url), undefined, provider.name);
    assert.equal(provider.default === "" || provider.models.includes(provider.default), true, provider.name);
    if (provider.api_key_env !== "") assert.equal(variableProblem(provider.api_key_env), undefined);
  }
  assert.equal(new Set(VENDORS.map(({ provider }) => provider.name)).size, VENDORS.length);
});

Deno.test("names of providers without one come from their host and are free", () => {
  assert.equal(customName("https://api.example.com:8443/v1", []), "custom-api-example-com");
  assert.equal(freeName("openai", ["openai", "openai-2"]), "openai-3");
});

Deno.test("addresses with a login, keys of two lines and odd names are refused", () => {
  assert.match(addressProblem("https://me:pw@host/v1")!, /Without name and password/);
  assert.match(addressProblem("ftp://host")!, /http or https/);
  assert.match(keyProblem("a\nb")!, /One line/);
  assert.match(nameProblem("a b", [])!, /please/);
  assert.match(nameProblem("a", ["a"])!, /already/);
});
