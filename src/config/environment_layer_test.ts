import assert from "node:assert/strict";
import { environmentLayer } from "./environment_layer.ts";

Deno.test("the telemetry switches of the environment, and a theme nobody knows", () => {
  const read = (env: Record<string, string>) => environmentLayer((name) => env[name]);
  const off = { ui: {}, telemetry: { cliMetrics: "off" } };
  assert.deepEqual(read({}), { ui: {} });
  assert.deepEqual(read({ DO_NOT_TRACK: "1" }), off);
  assert.deepEqual(read({ DO_NOT_TRACK: "0" }), { ui: {} });
  assert.deepEqual(read({ REASONIX_TELEMETRY: "0" }), off);
  assert.deepEqual(read({ REASONIX_THEME: "neon" }), { ui: {} });
});
