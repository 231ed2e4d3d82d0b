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
  const server = test.host.find("odd")!;
  const meta = { progressToken: "mine", "io.reasonix/cwd": "/elsewhere", other: 1 };
  const sent = JSON.parse(await server.callTool({ tool: "echo", args: {}, meta }, new AbortController().signal));
  assert.deepEqual(sent._meta, { ...meta, "io.reasonix/readOnly": false });
});

// proves MCP-38
Deno.test("a tool is a reader by its own word alone", async () => {
  await using test = await openTestHost((root) => [odd("good", root)]);
  await test.host.known(10_000);
  const facts = test.front.takeDirect().map(({ name, readOnly, direct }) => ({ name, readOnly, direct }));
  assert.deepEqual(facts, [
    { name: tool("echo"), readOnly: true, direct: true },
    { name: tool("write"), readOnly: false, direct: true },
  ]);
});

// proves MCP-25
Deno.test("progress of a call is heard by its token", async () => {
  await using test = await openTestHost((root) => [odd("progress", root)]);
  const heard: string[] = [];
  await test.call(tool("echo"), {}, { progress: (text) => heard.push(text) });
  assert.deepEqual(heard, ["25 % one\n"]);
});

// proves MCP-23
Deno.test("a server that asks for the roots is told the workspace; one that wants a model is refused", async () => {
  await using test = await openTestHost((root) => [odd("asks", root)]);
  await test.call(tool("echo"));
  const answers = (await test.notes()).filter((line) => line.startsWith("answer")).sort();
  const name = test.root.split("/").at(-1);
  assert.equal(answers[0], `answer 70 {"roots":[{"uri":"file://${test.root}","name":"${name}"}]}`);
  assert.match(answers[1]!, /^answer 71 \{"code":-32601,/);
});

Deno.test("a banner, a byte-order mark, log lines, split replies and unknown ids do no harm", async () => {
  await using test = await openTestHost((root) => [odd("banner", root)]);
  assert.equal(await test.call(tool("echo")), "split");
  const [view] = test.host.list();
  assert.deepEqual(view!.problems, ["2 lines on its standard output were no messages, such as: starting v1"]);
});

Deno.test("a server that writes a lot to its standard error is read to the end and heard", async () => {
  await using test = await openTestHost((root) => [odd("grumbles", root)]);
  assert.match(await test.call(tool("echo")), /echo/);
});

Deno.test("a version nobody has heard of is used as it is", async () => {
  await using test = await openTestHost((root) => [odd("future", root)]);
  assert.match(await test.call(tool("echo")), /echo/);
});

Deno.test("a word JSON does not know in a schema costs nothing", async () => {
  await using test = await openTestHost((root) => [odd("NaN", root)]);
  await test.host.known(10_000);
  assert.deepEqual(test.front.takeDirect().map(({ schema }) => schema), [{
    type: "object",
    properties: Object.assign(Object.create(null), { a: { type: "number" } }),
  }]);
});

for (
  const [manner, names, pages] of [
    ["pages", ["t1", "t2"], 2],
    ["empty cursor", ["t1", "t2"], 2],
    ["cursor loop", ["t1"], 2],
    ["endless pages", Array.from({ length: 40 }, (_, i) => `t${i}`), 40],
  ] as const
) {
  Deno.test(`listing page by page ends, and each tool is there once: ${manner}`, async () => {
    await using test = await openTestHost((root) => [odd(manner, root)]);
    await test.host.known(10_000);
    const server = test.host.find("odd")!;
    assert.deepEqual([...server.tools!.keys()], names);
    assert.equal((await test.notes()).filter((line) => line.startsWith("list")).length, pages);
    assert.equal(server.view.problems.length, names.length === 2 ? 0 : 1);
  });
}

Deno.test("odd names become names every provider takes, and reach the right tool", async () => {
  await using test = await openTestHost((root) => [odd("odd names", root)]);
  await test.host.known(10_000);
  const names = test.front.takeDirect().map(({ name }) => name);
  assert.equal(new Set(names).size, 4);
  for (const name of names) {
    assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
    const sent = JSON.parse(await test.call(name));
    assert.ok(["a b", "a_b", "bad\u0007\u001b[2Jname", "x".repeat(100)].includes(sent.name));
  }
  assert.deepEqual(test.host.find("odd")!.view.problems, ["a tool without a name is left out"]);
});

Deno.test("an answer of ten megabytes arrives, one beyond all bounds is an error, and the server lives on", async () => {
  await using huge = await openTestHost((root) => [odd("huge", root)]);
  assert.equal((await huge.call(tool("echo"))).length, 10 << 20);
  await using beyond = await openTestHost((root) => [odd("beyond all bounds", root)]);
  assert.match(await failure(beyond.call(tool("echo"))), /larger than 16 MiB/);
  assert.equal(beyond.host.find("odd")!.state, "ready");
});

Deno.test("what the tool says of its own failure is an error, and so is a refusal of the server", async () => {
  await using fails = await openTestHost((root) => [odd("fails", root)]);
  assert.equal(await failure(fails.call(tool("echo"))), "it did not work");
  await using refuses = await openTestHost((root) => [odd("refuses", root)]);
  assert.match(await failure(refuses.call(tool("echo"))), /refused the request: .*no such thing/);
});

Deno.test("a server that dies in a call costs that call, and those that follow share one new start", async () => {
  await using test = await openTestHost((root) => [odd("dies in the first call", root)]);
  assert.match(
    await failure(test.call(tool("write"))),
    /went away in the middle of the call .*exit code 7.*effect is unknown/,
  );
  assert.equal(test.host.list()[0]!.state, "failed");
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => test.call(tool("write")))), ["ok", "ok", "ok"]);
  const notes = await test.notes();
  assert.equal(notes.filter((line) => line.startsWith("start")).length, 2);
  assert.equal(notes.filter((line) => line.startsWith("call")).length, 4);
});

Deno.test("a server that dies at every start is left alone after a few, with its last words and no secret", async () => {
  await using test = await openTestHost((
    root,
  ) => [odd("dies at start", root, { env: { API_KEY: "sk-live-0123456789abcdef" } })]);
  await test.host.find("odd")!.settled();
  for (let i = 0; i < 5; i++) await failure(test.call("mcp-tool:odd/echo"));
  assert.equal((await test.notes()).filter((line) => line.startsWith("start")).length, 3);
  const [view] = test.host.list();
  assert.equal(view!.state, "failed");
  assert.match(view!.reason!, /exit code 3; it said: cannot find the frobnicator API_KEY=\[redacted\]/);
  await test.host.reconnect("odd");
  assert.equal((await test.notes()).filter((line) => line.startsWith("start")).length, 4);
});

// proves MCP-45, MCP-46, MCP-51
Deno.test("a call that is not answered ends at its limit and the server is told", async () => {
  await using test = await openTestHost((
    root,
  ) => [odd("never answers a call", root, { callMs: 60_000, toolMs: { echo: 150 } })]);
  assert.match(await failure(test.call(tool("echo"))), /no answer within 0.15 s .*its effect is unknown/);
  const cancelled = await eventually(async () =>
    (await test.notes()).find((line) => line.startsWith("notifications/cancelled"))
  );
  assert.match(cancelled, /"requestId":2/);
});

Deno.test("the person's stop ends a stuck call at once and the server is told", async () => {
  await using test = await openTestHost((root) => [odd("never answers a call", root)]);
  await test.host.known(10_000);
  const stop = new AbortController();
  const call = test.call(tool("echo"), {}, { signal: stop.signal });
  await eventually(async () => (await test.notes()).find((line) => line.startsWith("call")));
  stop.abort();
  await assert.rejects(call, { name: "AbortError" });
  await eventually(async () => (await test.notes()).find((line) => line.startsWith("notifications/cancelled")));
});

// proves MCP-49, MCP-50
Deno.test("a start that never ends is given up at its cap, for everybody who waits for it", async () => {
  await using test = await openTestHost((root) => [odd("never answers", root, { startupMs: 3_000 })]);
  const said = await Promise.all([1, 2].map(() => failure(test.call("mcp-tool:odd/echo"))));
  for (const text of said) assert.match(text, /not ready within 3 s \(initialize\)/);
  assert.equal((await test.notes()).filter((line) => line.startsWith("start")).length, 1);
});

// proves MCP-05
Deno.test("a server that ignores the end of its input and SIGTERM is gone with its child when the session ends", async () => {
  const test = await openTestHost((root) => [odd("stubborn", root)]);
  await test.host.known(10_000);
  const notes = await test.notes();
  const pids = notes.flatMap((line) => /^(?:start|child) (\d+)/.exec(line)?.[1] ?? []).map(Number);
  assert.equal(pids.length, 2);
  assert.deepEqual(pids.map(lives), [true, true]);
  await test.host.close();
  assert.deepEqual(pids.map(lives), [false, false]);
  await test[Symbol.asyncDispose]();
});

Deno.test("a flood on standard output slows the server down, not the program", async () => {
  await using test = await openTestHost((root) => [odd("floods", root), odd("good", root, { name: "calm" })]);
  await test.host.find("calm")!.settled();
  assert.match(await test.call(tool("echo", "calm")), /echo/);
});

// proves CONC-03, CONC-06
Deno.test("two calls of a serial server never overlap; of a parallel one they do", async () => {
  for (const concurrency of ["serial", "parallel"] as const) {
    await using test = await openTestHost((root) => [odd("overlap", root, { concurrency })]);
    await Promise.all(["echo", "write", "echo"].map((name) => test.call(tool(name))));
    const order = (await test.notes()).filter((line) => line === "begin" || line === "end").join(" ");
    if (concurrency === "serial") assert.equal(order, "begin end begin end begin end");
    else assert.equal(order.startsWith("begin begin begin"), true);
  }
});

// proves CONC-04
Deno.test("a call that waits for a serial server can be stopped while it waits, and is never sent", async () => {
  await using test = await openTestHost((root) => [odd("overlap", root, { concurrency: "serial" })]);
  await test.host.known(10_000);
  const stop = new AbortController();
  const first = test.call(tool("echo"), { text: "first" });
  const second = test.call(tool("echo"), { text: "second" }, { signal: stop.signal });
  const third = test.call(tool("echo"), { text: "third" });
  stop.abort();
  await assert.rejects(second, { name: "AbortError" });
  await Promise.all([first, third]);
  const calls = (await test.notes()).filter((line) => line.startsWith("call"));
  assert.deepEqual(calls.map((line) => JSON.parse(line.slice(5)).arguments.text), ["first", "third"]);
});

Deno.test("saved keys are not in a server's environment", async () => {
  await using test = await openTestHost((root) => [odd("dies at start", root)], {
    inherited: { API_KEY: "sk-live-0123456789abcdef" },
    secretNames: ["API_KEY"],
  });
  await test.host.find("odd")!.settled();
  assert.match(test.host.list()[0]!.reason!, /API_KEY=none/);
});

// proves PERM-39
Deno.test("a schema that has changed since the last session costs nothing and is news for the next", async () => {
  const first = await openTestHost((root) => [odd("grows", root)]);
  await first.host.known(10_000);
  const second = await first.again([odd("grows", first.root, { autoStart: false })]);
  const [known] = second.front.takeDirect();
  assert.deepEqual(Object.keys(known!.schema["properties"] as object), ["text"]);
  assert.match(await second.call(tool("echo"), { text: "a" }), /"text":"a"/);
  const third = await second.again([odd("grows", first.root, { autoStart: false })]);
  assert.deepEqual(Object.keys(third.front.takeDirect()[0]!.schema["properties"] as object), ["text", "more"]);
  await third[Symbol.asyncDispose]();
});

Deno.test("a reader of the last session that turns out to write is not run under the old answer", async () => {
  const first = await openTestHost((root) => [odd("turns", root)]);
  await first.host.known(10_000);
  const second = await first.again([odd("turns", first.root, { autoStart: false })]);
  assert.equal(second.front.tool(tool("echo"))!.readOnly, true);
  assert.match(await failure(second.call(tool("echo"))), /now says that it changes things; nothing was run/);
  assert.ok(!(await second.notes()).some((line) => line.startsWith("call")));
  assert.equal(second.front.tool(tool("echo"))!.readOnly, false);
  await second.call(tool("echo"));
  await second[Symbol.asyncDispose]();
});

// proves PERM-40
Deno.test("an equal name is not the same server: what another command offered counts for nothing", async () => {
  const first = await openTestHost((root) => [odd("good", root)]);
  await first.host.known(10_000);
  const second = await first.again([odd("many", first.root, { autoStart: false })]);
  assert.deepEqual(second.front.takeDirect(), []);
  assert.equal(second.host.find("odd")!.tools, undefined);
  await second[Symbol.asyncDispose]();
});

// proves CONC-01
Deno.test("two agents have a front each over one server process", async () => {
  await using test = await openTestHost((root) => [odd("good", root)]);
  const other = new Front(test.host, { planning: () => true, directTokens: 0 });
  await test.host.known(10_000);
  assert.deepEqual([test.front.takeDirect().length, other.takeDirect().length], [2, 0]);
  const context = { callId: "c", signal: new AbortController().signal, progress: () => {} };
  const found = other.find("mcp-tool:odd/echo")!;
  assert.ok("tool" in found);
  assert.match((await found.tool.execute({}, context)).text, /"io.reasonix\/readOnly":true/);
  assert.match(await test.call(tool("echo")), /"io.reasonix\/readOnly":false/);
  assert.equal((await test.notes()).filter((line) => line.startsWith("start")).length, 1);
});

// proves ROAD-07
Deno.test("a server that says at once that all its lists have changed is heard on each of them", async () => {
  await using test = await openTestHost((root) => [odd("changes", root)]);
  await test.host.find("odd")!.complete();
  const offered = () => [
    ...test.front.list().map(({ id }) => id).filter((id) => id.startsWith("mcp-tool:")),
    ...test.host.prompts().map(({ command }) => command),
    ...test.host.resources().map(({ uri }) => uri),
  ];
  assert.deepEqual(offered(), ["mcp-tool:odd/echo", "mcp-tool:odd/write"]);
  await test.call(tool("echo"));
  await eventually(() => Promise.resolve(offered().length === 4 || undefined));
  assert.deepEqual(offered(), ["mcp-tool:odd/echo", "mcp-tool:odd/fresh", "mcp__odd__later", "odd://later"]);
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
