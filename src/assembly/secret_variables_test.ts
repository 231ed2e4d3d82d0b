import assert from "node:assert/strict";
import { secretVariables } from "./secret_variables.ts";

const INHERITED = ["PATH", "HOME", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "NPM_CONFIG_KEYRING", "SSH_AUTH_SOCK"];

function hidden(filterSubprocessEnv: boolean, inherited: readonly string[] = INHERITED): string[] {
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

Deno.test("the words that speak of a secret are found however they are written, and not in other words", () => {
  const secret = [
    "PGPASSWORD",
    "MYSQL_PWD",
    "SSHPASS",
    "SMTP_PASS",
    "REDISCLI_AUTH",
    "DOCKER_AUTH_CONFIG",
    "npm_config__authToken",
    "githubToken",
    "MYTOKEN",
    "OPENAI_APIKEY",
    "JWT",
    "SESSION_COOKIE",
    "VAULT_PASSWORD_FILE",
  ];
  const plain = [
    "PWD",
    "OLDPWD",
    "SSH_AUTH_SOCK",
    "GIT_AUTHOR_NAME",
    "COMPASS_HOME",
    "KEYBOARD",
    "PATH",
    "TOKENIZERS_PARALLELISM",
    "XAUTHORITY",
    "MONKEY",
  ];
  assert.deepEqual(hidden(true, [...secret, ...plain]).slice(2), secret);
});
