// Servers over standard input and output, well-behaved and not: only the server itself ever suffers.
import assert from "node:assert/strict";
import { ToolError } from "../../src/contract/errors.ts";
import { Front } from "../../src/mcp/mod.ts";
import { lives, odd, openTestHost } from "../support/mcp/test_host.ts";

const tool = (name: string, server = "odd") => `mcp__${server}__${name}`;
const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(() => assert.fail("it was to fail"), (error) => error);
  assert.ok(error instanceof ToolError, String(error));
  return error.message;
};

// proves MCP-01, MCP-04, MCP-22, MCP-24, MCP-26
Deno.test("the handshake comes in order, and a call carries its token and the workspace", async () => {
  let planning = false;
  await using test = await openTestHost((root) => [odd("good", root)], { planning: () => planning });
  const first = JSON.parse(await test.call(tool("echo"), { text: "a" }));
  planning = true;
  const second = JSON.parse(await test.call(tool("echo"), { text: "b" }));
  const local = { "io.reasonix/cwd": test.root, "io.reasonix/readOnly": false };
  assert.deepEqual([first, second], [
    { name: "echo", arguments: { text: "a" }, _meta: { progressToken: "reasonix-1", ...local } },
    {
      name: "echo",
      arguments: { text: "b" },
      _meta: { progressToken: "reasonix-2", ...local, "io.reasonix/readOnly": true },
    },
  ]);
  const [started, initialized, listed] = await test.notes();
  assert.match(started!, /^start /);
  assert.deepEqual([initialized, listed?.trim()], ["notifications/initialized {}", "list"]);
});

// proves MCP-28
Deno.test("a key of _meta that the call brings along is kept", async () => {
  await using test = await openTestHost((root) => [odd("good", root)]);
  await test.host.find("odd")!.complete();
  await test.call(tool("echo"));
  const offered = () => [
    ...test.front.list().map(({ id }) => id).filter((id) => id.startsWith("mcp-tool:")),
    ...test.host.prompts().map(({ command }) => command),
    ...test.host.resources().map(({ uri }) => uri),
  ];
  assert.deepEqual(offered(), ["mcp-tool:odd/echo", "mcp-tool:odd/write"]);
  await eventually(() => Promise.resolve(offered().length === 4 || undefined));
  assert.deepEqual(offered(), ["mcp-tool:odd/echo", "mcp-tool:odd/fresh", "mcp__odd__later", "odd://later"]);
  assert.match(await test.call("mcp-tool:odd/fresh"), /call 2/);
});

// proves ROAD-06
Deno.test("three hundred tools wait behind use_capability; a few stand in the requests", async () => {
  await using test = await openTestHost((root) => [odd("many", root), odd("good", root, { name: "small" })]);
  await test.host.known(10_000);
  assert.deepEqual(test.front.takeDirect().map(({ name }) => name), [tool("echo", "small"), tool("write", "small")]);
  assert.equal(test.front.list().filter(({ id }) => id.startsWith("mcp-tool:odd/")).length, 300);
  assert.match(await test.call("mcp-tool:odd/tool-7"), /tool-7/);
});

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < 200; i++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((rested) => setTimeout(rested, 20));
  }
  return assert.fail("it did not happen");
}
