import assert from "node:assert/strict";
import { configFiles } from "../../tests/support/config_files.ts";
import { loadConfig } from "./load.ts";
import { demandChanges, projectDemands } from "./project_demands.ts";

async function demands(mcp: unknown, project = '[sandbox]\nbash = "off"\n') {
  using place = configFiles({ mcpJson: JSON.stringify({ mcpServers: mcp }), project });
  return projectDemands(await loadConfig(place.options));
}

Deno.test("what a folder asks for is listed in one form, whatever the order of keys", async () => {
  const a = await demands({ s: { command: "c", args: ["1"], env: { B: "2", A: "1" } } });
  const b = await demands({ s: { env: { A: "1", B: "2" }, args: ["1"], type: "stdio", command: "c" } });
  assert.deepEqual(a, b);
  assert.deepEqual(a, [
    { kind: "server", name: "s", value: '{"args":["1"],"command":"c","env":{"A":"1","B":"2"},"type":"stdio"}' },
    { kind: "setting", name: "sandbox.bash", value: '"off"' },
  ]);
  assert.deepEqual(demandChanges(a, b), []);
});

Deno.test("each real change is shown with old and new", async () => {
  const agreed = await demands({
    s: { command: "c", args: ["1"], env: { A: "1" } },
    web: { type: "http", url: "https://a.example" },
  });
  const rows: [unknown, string][] = [
    [{ s: { command: "c", args: ["2"], env: { A: "1" } }, web: { type: "http", url: "https://a.example" } }, "s"],
    [{ s: { command: "c", args: ["1"], env: { A: "2" } }, web: { type: "http", url: "https://a.example" } }, "s"],
    [{ s: { command: "c", args: ["1"], env: { A: "1" } }, web: { type: "http", url: "https://b.example" } }, "web"],
  ];
  for (const [mcp, name] of rows) {
    const changes = demandChanges(agreed, await demands(mcp));
    assert.deepEqual(changes.map((change) => change.name), [name]);
    assert.ok(
      changes[0]!.before !== undefined && changes[0]!.after !== undefined && changes[0]!.before !== changes[0]!.after,
    );
  }
  assert.deepEqual(demandChanges(agreed, []).map((change) => [change.name, change.after]), [["s", undefined], [
    "web",
    undefined,
  ], [
    "sandbox.bash",
    undefined,
  ]]);
});
