// Servers that come and go while a conversation runs: its requests begin as they did, and calls find who is there now.
import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";
import { insideWalls } from "../support/inside_walls.ts";

const EXAMPLE = insideWalls("plugins/example/main.ts");

const plugin = (name: string) => `
[[plugins]]
name = "${name}"
command = "${Deno.execPath()}"
args = ${JSON.stringify(["run", "-A", "--no-check", "--quiet", EXAMPLE])}
`;

const direct = (text: string) => ({ calls: [{ name: "mcp__first__echo", args: { text } }] });
const through = (id: string, text: string) => ({
  calls: [{ name: "use_capability", args: { action: "call", capability_id: id, arguments: { text } } }],
});

Deno.test("a server that was added is reached at once, one that was taken away is gone, and the tool list stays", async () => {
  await using session = await Harness.start([
    direct("a"),
    { text: "1" },
    direct("b"),
    through("mcp-tool:second/echo", "c"),
    { text: "2" },
    direct("d"),
    { text: "3" },
  ], { config: plugin("first"), request: { interactive: true } });
  const file = `${session.home}/config.toml`;
  const before = await Deno.readTextFile(file);
  const reload = async (text: string) => {
    await Deno.writeTextFile(file, text);
    const answer = await session.controller.commands!.run("/reload");
    assert.equal(answer.kind, "done");
  };
  await session.prompt("one");
  await reload(`${before}${plugin("second")}`);
  assert.deepEqual(session.controller.servers!.list().map(({ name }) => name), ["first", "second"]);
  await session.prompt("two");
  assert.deepEqual(session.results, ["a", "b", "c"]);
  await reload(before.replace(plugin("first"), ""));
  assert.equal(session.controller.servers, undefined);
  await session.prompt("three");
  assert.match(session.results.at(-1)!, /^error: /);
});

Deno.test("servers that the settings leave as they are go on running", async () => {
  await using session = await Harness.start([direct("a"), { text: "1" }], {
    config: plugin("first"),
    request: { interactive: true },
  });
  await session.prompt("one");
  const { servers } = session.controller;
  await session.controller.commands!.run("/reload");
  assert.equal(session.controller.servers, servers);
  assert.equal(servers!.list()[0]!.state, "ready");
});
