// The server as a client meets it: a process, lines in, lines out.
import assert from "node:assert/strict";

const program = decodeURIComponent(new URL("./main.ts", import.meta.url).pathname);

/** Sends the lines, ends the input, and gives back what came out. No permission is granted. */
async function converse(...lines: (string | object)[]): Promise<{ answers: unknown[]; code: number; stderr: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--no-prompt", "--quiet", program],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const wire = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)) + "\n").join("");
  await writer.write(new TextEncoder().encode(wire));
  await writer.close();
  const { stdout, stderr, code } = await child.output();
  const out = new TextDecoder().decode(stdout);
  return {
    answers: out.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)),
    code,
    stderr: new TextDecoder().decode(stderr),
  };
}

const request = (id: number | string, method: string, params?: unknown) => ({ jsonrpc: "2.0", id, method, params });
const result = (id: number | string, value: unknown) => ({ jsonrpc: "2.0", id, result: value });
const error = (id: number | string | null, code: number, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

Deno.test("the example server shakes hands, lists its readers and runs them", async () => {
  const { answers, code, stderr } = await converse(
    request(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    }),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    request("two", "ping"),
    request(3, "tools/call", { name: "echo", arguments: { text: "héllo\nworld" } }),
    request(4, "tools/call", { name: "wordcount", arguments: { text: "one two\nдва слова\n" } }),
    request(5, "tools/list"),
  );
  assert.equal(stderr, "");
  assert.equal(code, 0);
  const listed = answers.pop() as { result: { tools: { name: string; annotations: { readOnlyHint: boolean } }[] } };
  assert.deepEqual(listed.result.tools.map((tool) => [tool.name, tool.annotations.readOnlyHint]), [
    ["echo", true],
    ["wordcount", true],
    ["countdown", true],
    ["add_note", false],
    ["clear_notes", false],
  ]);
  const counted = { words: 4, characters: 18, lines: 2 };
  assert.deepEqual(answers, [
    result(1, {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: "reasonix-plugin-example", version: "1.1.0" },
    }),
    result("two", {}),
    result(3, { content: [{ type: "text", text: "héllo\nworld" }] }),
    result(4, { content: [{ type: "text", text: JSON.stringify(counted) }], structuredContent: counted }),
  ]);
});

Deno.test("the example server answers nonsense with clean errors and lives on", async () => {
  const { answers, code, stderr } = await converse(
    "not json",
    "",
    "[]",
    { jsonrpc: "1.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: {}, method: "ping" },
    { jsonrpc: "2.0", id: 2 },
    { jsonrpc: "2.0", id: 3, result: {} },
    request(4, "no/such"),
    request(5, "tools/call", { name: "rm" }),
    request(6, "tools/call", { name: "echo", arguments: { text: 7 } }),
    request(7, "resources/read", { uri: "file:///etc/passwd" }),
    request(8, "ping"),
  );
  assert.equal(stderr, "");
  assert.equal(code, 0);
  assert.deepEqual(answers, [
    error(null, -32700, "The line is not JSON"),
    error(null, -32600, "Not a JSON-RPC 2.0 message"),
    error(null, -32600, "Not a JSON-RPC 2.0 message"),
    error(null, -32600, "An id is a string or a number"),
    error(2, -32600, "A request names its method"),
    error(4, -32601, `No method "no/such"`),
    error(5, -32602, `No tool "rm"`),
    result(6, { content: [{ type: "text", text: `"text" is missing or not a string` }], isError: true }),
    error(7, -32602, `No resource "file:///etc/passwd"`),
    result(8, {}),
  ]);
});

Deno.test("the example server offers a prompt and a resource to try those paths with", async () => {
  const { answers } = await converse(
    request(1, "prompts/get", { name: "review", arguments: { focus: "error paths" } }),
    request(2, "resources/read", { uri: "example://style-guide" }),
    request(3, "initialize", { protocolVersion: "1999-01-01" }),
  );
  assert.deepEqual(answers.slice(0, 2), [
    result(1, {
      description: "Asks for a review in the house style.",
      messages: [{
        role: "user",
        content: {
          type: "text",
          text: "Review the change at hand, error paths first. Name file and line of each finding.",
        },
      }],
    }),
    result(2, {
      contents: [{
        uri: "example://style-guide",
        mimeType: "text/markdown",
        text: "# Style guide\n\nShort sentences. The subject first. One idea each.\n",
      }],
    }),
  ]);
  const shaken = answers[2] as { result: { protocolVersion: string } };
  assert.equal(shaken.result.protocolVersion, "2025-11-25");
});

Deno.test("arguments that make no sense are a result the model can read", async () => {
  const { answers } = await converse(
    request(1, "tools/call", { name: "countdown", arguments: { steps: 0 } }),
    request(2, "tools/call", { name: "add_note" }),
  );
  const wrong = [`"steps" is a whole number from 1 to 100`, `"text" is missing or not a string`];
  assert.deepEqual(
    answers,
    wrong.map((text, at) => result(at + 1, { content: [{ type: "text", text }], isError: true })),
  );
});

Deno.test("a long call tells how far it is; one that is cancelled ends at once and is not answered", async () => {
  await using server = open();
  server.say(
    request(1, "tools/call", {
      name: "countdown",
      arguments: { steps: 100, milliseconds: 5_000 },
      _meta: { progressToken: 9 },
    }),
  );
  server.say(
    request(2, "tools/call", {
      name: "countdown",
      arguments: { steps: 2, milliseconds: 1 },
      _meta: { progressToken: 7 },
    }),
  );
  const progress = (step: number) => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: 7, progress: step, total: 2, message: `${2 - step} to go` },
  });
  const counted = result(2, { content: [{ type: "text", text: "counted 2 steps" }] });
  assert.deepEqual([await server.hear(), await server.hear(), await server.hear()], [
    progress(1),
    progress(2),
    counted,
  ]);
  server.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  server.say(request(3, "ping"));
  assert.deepEqual(await server.hear(), result(3, {}));
});

Deno.test("notes last as long as the process", async () => {
  const { answers } = await converse(
    request(1, "tools/call", { name: "add_note", arguments: { text: "one" } }),
    request(2, "tools/call", { name: "add_note", arguments: { text: "two" } }),
    request(3, "tools/call", { name: "clear_notes" }),
  );
  assert.deepEqual(
    answers,
    ["1. one", "1. one\n2. two", "2 notes forgotten"].map((text, at) =>
      result(at + 1, { content: [{ type: "text", text }] })
    ),
  );
});

/** The program with its streams open. */
function open() {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--no-prompt", "--quiet", program],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  return {
    say: (message: object) => void writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n")),
    async hear(): Promise<unknown> {
      while (!heard.includes("\n")) heard += (await reader.read()).value;
      const [line = "", ...rest] = heard.split("\n");
      heard = rest.join("\n");
      return JSON.parse(line);
    },
    async [Symbol.asyncDispose]() {
      await writer.close();
      await reader.cancel();
      await child.status;
    },
  };
}
