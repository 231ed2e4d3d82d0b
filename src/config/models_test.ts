import assert from "node:assert/strict";
import { configFiles } from "../../tests/support/config_files.ts";
import { ReasonixError } from "../contract/errors.ts";
import { loadConfig } from "./load.ts";
import { defaultModel, findModel, modelRefs, resolveModel } from "./models.ts";

const USER = `
[[providers]]
name = "a"
base_url = "http://127.0.0.1:1"
models = ["x", "shared", "vendor/deep"]
[[providers]]
name = "b"
base_url = "http://127.0.0.1:1"
models = ["shared", "y"]
default = "y"
[[providers]]
name = "open"
base_url = "http://127.0.0.1:1"
`;

async function providers(user = USER) {
  using place = configFiles({ user });
  return (await loadConfig(place.options)).config;
}

// proves CFG-10, CFG-19, PRV-06, PRV-10
Deno.test("provider/model, then a provider's name, then the first that lists the model", async () => {
  const config = await providers();
  const refs = ["a/x", "b/shared", "a", "b", "shared", "y", "a/vendor/deep", "vendor/deep", "open/anything"];
  assert.deepEqual(refs.map((ref) => findModel(config, ref)?.ref), [
    "a/x",
    "b/shared",
    "a/x",
    "b/y",
    "a/shared",
    "b/y",
    "a/vendor/deep",
    "a/vendor/deep",
    "open/anything",
  ]);
  assert.deepEqual(["a/y", "nope", "", "open", "a/"].map((ref) => findModel(config, ref)), Array(5).fill(undefined));
});

Deno.test("an unknown model lists what is configured and what was probably meant", async () => {
  const config = await providers();
  assert.throws(() => resolveModel(config, "a/vendor/deeep", "--model"), (error: unknown) => {
    assert.ok(error instanceof ReasonixError);
    assert.equal(error.code, "config.unknown_model");
    assert.equal(
      error.message,
      '--model: unknown model "a/vendor/deeep"; did you mean a/vendor/deep? Configured: a/x, a/shared, a/vendor/deep, b/shared, b/y, open/…',
    );
    return true;
  });
  assert.equal(modelRefs(config).length, 6);
});

// proves PRV-11
Deno.test("default_model and a flag mean the same model by the same text", async () => {
  for (const ref of ["a/x", "b", "vendor/deep"]) {
    const config = await providers(`default_model = "${ref}"\n${USER}`);
    assert.deepEqual(defaultModel(config), resolveModel(config, ref, "--model"));
  }
});

Deno.test("nothing configured means deepseek-flash", async () => {
  assert.equal(defaultModel(await providers("")).ref, "deepseek-flash/deepseek-flash");
});
