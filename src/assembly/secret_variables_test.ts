import assert from "node:assert/strict";
import { secretVariables } from "./secret_variables.ts";

const inherited = ["PATH", "HOME", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "NPM_CONFIG_KEYRING", "SSH_AUTH_SOCK"];

function hidden(filterSubprocessEnv: boolean): string[] {
  const providers = [{ apiKeyEnv: "A_KEY" }, { apiKeyEnv: "" }];
  const secrets = { filterSubprocessEnv };
  const config = { providers, secrets } as unknown as Parameters<typeof secretVariables>[0]["config"];
  return secretVariables({ config, saved: ["B_KEY", "A_KEY"], inherited });
}

Deno.test("saved keys and the places of keys are hidden from programs, whatever the settings", () => {
  assert.deepEqual(hidden(false), ["B_KEY", "A_KEY"]);
});

Deno.test("with filter_subprocess_env so is every variable whose name speaks of a secret", () => {
  assert.deepEqual(hidden(true), ["B_KEY", "A_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY"]);
});
