// A whole session with a server over standard input and output: what the model is sent, and what becomes of its calls.
import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";

const EXAMPLE = new URL("../../plugins/example/main.ts", import.meta.url).pathname;

const plugin = (name: string, more = "") => `
[[plugins]]
name = "${name}"
command = "${Deno.execPath()}"
args = ["run", "--no-check", "--quiet", "${EXAMPLE}"]
${more}
`;

Deno.test("tools of a server stand in the first request of a session and run like any other", async () => {
  await using session = await Harness.start([
    { calls: [{ name: "mcp__example__wordcount", args: { text: "one two" } }] },
    { text: "two" },
  ], { config: plugin("example") });
  await session.prompt("count");
  const tools = session.model.requests[0]!.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
  assert.ok(tools.includes("mcp__example__wordcount"), tools.join());
  assert.match(session.results[0]!, /"words":\s*2/);
});
