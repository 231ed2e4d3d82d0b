// What servers offer to people: prompts as commands, resources as references.
import assert from "node:assert/strict";
import { ToolError } from "../../src/contract/errors.ts";
import { openTestHost, settings } from "../support/mcp/test_host.ts";

const EXAMPLE = decodeURIComponent(new URL("../../plugins/example/main.ts", import.meta.url).pathname);
const example = () =>
  settings("example", {
    kind: "stdio",
    command: Deno.execPath(),
    args: ["run", "--no-check", "--quiet", EXAMPLE],
    env: {},
  });
const { signal } = new AbortController();

// proves MCP-41, MCP-42, MCP-43
Deno.test("prompts become commands with arguments in order, resources are read by their address, both are counted", async () => {
  await using test = await openTestHost([example()]);
  await test.host.find("example")!.complete();
  assert.deepEqual(test.host.prompts(), [{
    server: "example",
    command: "mcp__example__review",
    name: "review",
    description: "Asks for a review in the house style.",
    arguments: [{ name: "focus", description: "What to look at first", required: false }],
  }]);
  assert.equal(
    await test.host.prompt("mcp__example__review", ["error", "paths"], signal),
    "Review the change at hand, error paths first. Name file and line of each finding.",
  );
  assert.deepEqual(test.host.resources().map(({ server, uri }) => [server, uri]), [[
    "example",
    "example://style-guide",
  ]]);
  const { text, mimeType } = await test.host.resource("example", "example://style-guide", signal);
  assert.deepEqual([text.split("\n")[0], mimeType], ["# Style guide", "text/markdown"]);
  const [{ tools, prompts, resources, identity }] = test.host.list() as [ReturnType<typeof test.host.list>[number]];
  assert.deepEqual([tools, prompts, resources, identity], [5, 1, 1, "reasonix-plugin-example 1.1.0"]);
});

Deno.test("what is not there is said plainly, and a server that waits is started for a resource", async () => {
  await using test = await openTestHost([{ ...example(), autoStart: false }]);
  assert.deepEqual(test.host.prompts(), []);
  await assert.rejects(test.host.prompt("mcp__example__review", [], signal), ToolError);
  await assert.rejects(test.host.resource("nobody", "x://y", signal), /no MCP server named "nobody"/);
  await assert.rejects(
    test.host.resource("example", "file:///etc/passwd", signal),
    /refused the request: .*No resource/,
  );
  assert.equal(test.host.list()[0]!.state, "ready");
});

// proves MCP-44
Deno.test("the example server runs, tells how far a long call is, and ends it when it is stopped", async () => {
  await using test = await openTestHost([example()]);
  const heard: string[] = [];
  const count = (args: Record<string, unknown>, how = {}) => test.call("mcp__example__countdown", args, how);
  assert.equal(
    await count({ steps: 2, milliseconds: 1 }, { progress: (text: string) => heard.push(text) }),
    "counted 2 steps",
  );
  assert.deepEqual(heard, ["50 % 1 to go\n", "100 % 0 to go\n"]);
  const stop = new AbortController();
  const long = count({ steps: 100, milliseconds: 10_000 }, { signal: stop.signal });
  stop.abort();
  await assert.rejects(long, { name: "AbortError" });
  assert.equal(await test.call("mcp__example__echo", { text: "still here" }), "still here");
});

Deno.test("a server can be switched off and on again for a session", async () => {
  await using test = await openTestHost([example()]);
  assert.equal(await test.call("mcp__example__echo", { text: "a" }), "a");
  await test.host.setEnabled("example", false);
  await assert.rejects(test.call("mcp__example__echo", { text: "b" }), /is switched off/);
  assert.deepEqual(test.front.list().map(({ id, status }) => [id, status]), [["mcp-server:example", "disabled"]]);
  await test.host.setEnabled("example", true);
  assert.equal(await test.call("mcp__example__echo", { text: "c" }), "c");
});
