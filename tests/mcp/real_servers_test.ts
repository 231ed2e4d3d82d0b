// Servers that people use, as published, over every transport they speak.
import assert from "node:assert/strict";
import { fetchServer } from "../support/mcp/npm_server.ts";
import { openTestHost, settings, type TestHost } from "../support/mcp/test_host.ts";

const VERSION = "2026.8.31";
const [everything, filesystem, memory] = await Promise.all(
  ["everything", "filesystem", "memory"].map((name) => fetchServer(`@modelcontextprotocol/server-${name}@${VERSION}`)),
);

type Fetched = typeof everything;

function realTest(name: string, server: Fetched, work: (args: readonly string[]) => Promise<void>): void {
  const ready = server !== undefined && "args" in server;
  Deno.test({
    name: ready ? name : `${name} (${server?.missing})`,
    ignore: !ready,
    fn: () => work(ready ? server.args : []),
  });
}

const stdio = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
  settings(name, { kind: "stdio", command: Deno.execPath(), args, env }, { startupMs: 60_000 });

async function tryEverything(test: TestHost): Promise<void> {
  await test.host.find("everything")!.settled();
  const [view] = test.host.list();
  assert.equal(view!.state, "ready", view!.reason);
  assert.ok(view!.tools >= 10, String(view!.tools));
  assert.equal(await test.call("mcp__everything__echo", { message: "héllo" }), "Echo: héllo");
  assert.match(await test.call("mcp__everything__get-sum", { a: 2, b: 40 }), /42/);
  assert.match(await test.call("mcp__everything__get-tiny-image"), /\[image: image\/png, \d+ bytes\]/);
  const heard: string[] = [];
  const long = "mcp__everything__trigger-long-running-operation";
  await test.call(long, { duration: 0.4, steps: 4 }, { progress: (text) => heard.push(text) });
  assert.ok(heard.length >= 3, heard.join());
  const stop = new AbortController();
  const stuck = test.call(long, { duration: 60, steps: 600 }, { signal: stop.signal, progress: () => stop.abort() });
  await assert.rejects(stuck, { name: "AbortError" });
  await test.host.find("everything")!.complete();
  const { signal } = new AbortController();
  const prompt = test.host.prompts().find(({ arguments: args }) => args.length === 0)!;
  assert.ok((await test.host.prompt(prompt.command, [], signal)).length > 0);
  const [resource] = test.host.resources();
  assert.ok((await test.host.resource("everything", resource!.uri, signal)).text.length > 0);
}

// proves MCP-02
realTest("server-everything works over standard input and output", everything, async (args) => {
  await using test = await openTestHost([stdio("everything", [...args, "stdio"])]);
  await tryEverything(test);
});

for (const [kind, word, path] of [["http", "streamableHttp", "mcp"], ["sse", "sse", "sse"]] as const) {
  realTest(`server-everything works over ${kind}`, everything, async (args) => {
    const port = freePort();
    const server = new Deno.Command(Deno.execPath(), {
      args: [...args, word],
      env: { PORT: String(port) },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      await answering(port);
      await using test = await openTestHost([
        settings("everything", { kind, url: `http://localhost:${port}/${path}`, headers: {} }, { startupMs: 60_000 }),
      ]);
      await tryEverything(test);
    } finally {
      server.kill("SIGKILL");
      await server.status;
    }
  });
}

realTest("server-filesystem is told the workspace as its root, and keeps to it", filesystem, async (args) => {
  await using test = await openTestHost((root) => [stdio("fs", [...args, root])]);
  await test.host.find("fs")!.settled();
  await test.call("mcp__fs__write_file", { path: `${test.root}/note.txt`, content: "kept" });
  assert.equal(await Deno.readTextFile(`${test.root}/note.txt`), "kept");
  assert.match(await test.call("mcp__fs__read_text_file", { path: `${test.root}/note.txt` }), /^kept/);
  assert.match(await test.call("mcp__fs__list_allowed_directories"), new RegExp(test.root));
  await assert.rejects(test.call("mcp__fs__read_text_file", { path: "/etc/passwd" }), /denied|outside/i);
});

// proves MCP-30
realTest("server-memory keeps its graph over calls and over a new start", memory, async (args) => {
  await using test = await openTestHost((
    root,
  ) => [stdio("memory", args, { MEMORY_FILE_PATH: `${root}/memory.jsonl` })]);
  await test.host.find("memory")!.settled();
  const entities = [{ name: "Ada", entityType: "person", observations: ["writes programs"] }];
  await test.call("mcp__memory__create_entities", { entities });
  assert.match(await test.call("mcp__memory__read_graph"), /writes programs/);
  await test.host.reconnect("memory");
  assert.match(await test.call("mcp__memory__read_graph"), /writes programs/);
});

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

async function answering(port: number): Promise<void> {
  for (let i = 0; i < 300; i++) {
    try {
      (await Deno.connect({ hostname: "localhost", port })).close();
      return;
    } catch {
      await new Promise((rested) => setTimeout(rested, 100));
    }
  }
  assert.fail("the server does not answer");
}
