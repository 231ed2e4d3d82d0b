import assert from "node:assert/strict";
import fc from "fast-check";
import { type ConfigFiles, configFiles } from "../../tests/support/config_files.ts";
import { expandVariables, missingVariables } from "./expand.ts";
import { expandServer } from "./expand_server.ts";
import { loadConfig } from "./load.ts";

Deno.test("a variable, a default, an empty value and what is no variable", () => {
  const read = (name: string) => ({ A: "a", EMPTY: "" })[name];
  const rows = [
    "${A}",
    "${NO}",
    "${NO:-d}",
    "${EMPTY}",
    "${EMPTY:-d}",
    "x${A}y${A}",
    "$A",
    "${A",
    "${1}",
    "${A:-${B}}",
    "$${A}",
  ];
  assert.deepEqual(rows.map((row) => expandVariables(row, read)), [
    "a",
    "",
    "d",
    "",
    "d",
    "xaya",
    "$A",
    "${A",
    "${1}",
    "a}",
    "$a",
  ]);
  assert.deepEqual(missingVariables("${A} ${NO} ${NO} ${N2:-x}", read), ["NO"]);
});

Deno.test("text without a variable is left alone", () => {
  fc.assert(fc.property(fc.string().filter((text) => !text.includes("${")), (text) => {
    assert.equal(expandVariables(text, () => "x"), text);
  }));
});

async function expanded(files: ConfigFiles) {
  using place = configFiles(files);
  const loaded = await loadConfig(place.options);
  const [plugin] = loaded.config.plugins;
  const { server, missing } = expandServer(plugin!, { workspace: place.workspace, env: place.env, loaded });
  return {
    text: JSON.stringify([server.command, server.args, server.env, server.url, server.headers]).replaceAll(
      place.workspace,
      "WS",
    ),
    missing,
  };
}

// proves MCP-20, MCP-21
Deno.test("a server's five fields are filled in, the workspace outranks variables of its names", async () => {
  const project = `[[plugins]]
name = "x"
command = "\${CLAUDE_PROJECT_DIR}/bin"
args = ["\${REASONIX_WORKSPACE_ROOT}", "\${MODE:-fast}"]
env = { URL = "\${DATABASE_URL}", BOTH = "\${BOTH}" }
url = "\${NOPE}"
headers = { A = "Bearer \${TOKEN}" }
`;
  const { text, missing } = await expanded({
    project,
    projectEnv: "DATABASE_URL=db\nBOTH=folder\n",
    env: { TOKEN: "t", BOTH: "shell", CLAUDE_PROJECT_DIR: "/evil", REASONIX_WORKSPACE_ROOT: "/evil" },
  });
  assert.equal(text, '["WS/bin",["WS","fast"],{"URL":"db","BOTH":"shell"},"",{"A":"Bearer t"}]');
  assert.deepEqual(missing, ["NOPE"]);
});

Deno.test("a server that a folder declares never receives a key of the user's", async () => {
  const server = '[[plugins]]\nname = "x"\ncommand = "c"\nargs = ["${DEEPSEEK_API_KEY}", "${SAVED}"]\n';
  const files = {
    keys: "SAVED=sk-saved\nDEEPSEEK_API_KEY=sk-1\n",
    env: { DEEPSEEK_API_KEY: "sk-shell", SAVED: "sk-shell" },
  };
  assert.equal((await expanded({ ...files, project: server })).text, '["c",["",""],{},"",{}]');
  assert.equal(
    (await expanded({ ...files, mcpJson: '{"mcpServers":{"x":{"command":"${SAVED}"}}}' })).text,
    '["",[],{},"",{}]',
  );
  // The user's own server takes what the user's own shell holds, but nothing out of the key file.
  assert.equal((await expanded({ ...files, user: server })).text, '["c",["sk-shell","sk-shell"],{},"",{}]');
  assert.equal((await expanded({ keys: files.keys, user: server })).text, '["c",["",""],{},"",{}]');
});
