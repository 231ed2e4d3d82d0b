import assert from "node:assert/strict";
import { type ConfigFiles, configFiles } from "../../../tests/support/config_files.ts";
import { loadConfig } from "../load.ts";
import { addServer, changeServer, removeServer } from "./edit_server.ts";

async function inPlace(
  files: ConfigFiles,
  work: (place: ReturnType<typeof configFiles>) => Promise<void>,
): Promise<void> {
  using place = configFiles(files);
  await work(place);
}

const load = async (place: ReturnType<typeof configFiles>) => (await loadConfig(place.options)).config.plugins;
const json = `{
    "mcpServers": {
        "a": { "command": "json", "custom": [1] }
    },
    "other": true
}
`;

// proves MCP-33, MCP-35
Deno.test("an edit goes to the file of the effective entry, and a removal uncovers the next", () =>
  inPlace({
    user: '[[plugins]]\nname = "a"\ncommand = "user"\n',
    mcpJson: json,
    project: '# ours\n[[mcp.servers]]\nname = "a"\ncommand = "project"\n',
  }, async (place) => {
    const seen: string[] = [];
    for (let left = 3; left > 0; left--) {
      const [server] = await load(place);
      await changeServer(server!, { auto_start: false });
      const [changed] = await load(place);
      seen.push(`${changed!.source.layer} ${changed!.command} ${changed!.autoStart}`);
      await removeServer(server!);
    }
    assert.deepEqual(seen, ["project project false", "mcp_json json false", "user user false"]);
    assert.deepEqual(await load(place), []);
    assert.equal(Deno.readTextFileSync(`${place.workspace}/reasonix.toml`), "# ours\n");
  }));

Deno.test("the rest of a .mcp.json keeps its values, order and indentation", () =>
  inPlace({ mcpJson: json }, async (place) => {
    const [server] = await load(place);
    await changeServer(server!, { args: ["x"], command: undefined, url: "https://x.example" });
    assert.equal(
      Deno.readTextFileSync(`${place.workspace}/.mcp.json`),
      JSON.stringify(
        { mcpServers: { a: { custom: [1], args: ["x"], url: "https://x.example" } }, other: true },
        null,
        4,
      ) + "\n",
    );
  }));

Deno.test("a malformed .mcp.json is not written", () =>
  inPlace({ mcpJson: json }, async (place) => {
    const [server] = await load(place);
    const file = `${place.workspace}/.mcp.json`;
    Deno.writeTextFileSync(file, "{ broken");
    await assert.rejects(() => removeServer(server!), { code: "config.syntax" });
    assert.equal(Deno.readTextFileSync(file), "{ broken");
  }));

// proves MCP-32
Deno.test("an installed server is appended to the user's file, and replaced when it is there", () =>
  inPlace({ user: "# mine\n" }, async (place) => {
    const file = place.paths.userConfig;
    await addServer(file, { name: "x", command: "old", args: ["1"] });
    await addServer(file, { name: "y", url: "https://y.example", type: "http" });
    await addServer(file, { name: "x", command: "new" });
    assert.equal(
      Deno.readTextFileSync(file),
      '# mine\n\n[[plugins]]\nname = "x"\ncommand = "new"\n\n[[plugins]]\nname = "y"\nurl = "https://y.example"\ntype = "http"\n',
    );
  }));
