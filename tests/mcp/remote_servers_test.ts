// Servers over HTTP, both transports: what is sent where, and what a server cannot make us do.
import assert from "node:assert/strict";
import { ToolError } from "../../src/contract/errors.ts";
import { HttpMcpServer, SseMcpServer } from "../support/mcp/http_server.ts";
import { openTestHost, settings } from "../support/mcp/test_host.ts";

const ECHO = "mcp__remote__echo";
const remote = (url: string, kind: "http" | "sse" = "http") =>
  settings("remote", { kind, url, headers: { "X-Team": "blue", Authorization: "Bearer fixed" } });
const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(() => assert.fail("it was to fail"), (error) => error);
  assert.ok(error instanceof ToolError, String(error));
  return error.message;
};

for (const answers of ["json", "stream"] as const) {
  // proves MCP-06, MCP-07, MCP-08, MCP-09, MCP-27
  Deno.test(`each request is a POST with the fixed headers and the session; no local path leaves: ${answers}`, async () => {
    await using server = new HttpMcpServer({ answers, session: true });
    await using test = await openTestHost([remote(server.url)]);
    assert.deepEqual(JSON.parse(await test.call(ECHO, { a: 1 })), {
      name: "echo",
      arguments: { a: 1 },
      _meta: { progressToken: "reasonix-1" },
    });
    await test.host.close();
    for (const { headers } of server.seen) {
      assert.deepEqual([headers.get("x-team"), headers.get("authorization")], ["blue", "Bearer fixed"]);
    }
    const later = server.seen.filter(({ body }) => body?.method !== "initialize");
    assert.ok(later.every(({ headers }) => headers.get("mcp-session-id") === "s1"));
    assert.ok(later.every(({ headers }) => headers.get("mcp-protocol-version") === "2025-06-18"));
    assert.deepEqual(server.seen.filter(({ body }) => body).map(({ method }) => method), Array(4).fill("POST"));
    assert.equal(server.seen.at(-1)!.method, "DELETE");
  });
}

Deno.test("progress and a question of the server arrive within the stream of an answer", async () => {
  await using server = new HttpMcpServer({
    answers: "stream",
    before: ({ params }) => [
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: params._meta.progressToken, progress: 3 },
      },
      { jsonrpc: "2.0", id: "q1", method: "roots/list" },
    ],
  });
  await using test = await openTestHost([remote(server.url)]);
  const heard: string[] = [];
  await test.call(ECHO, {}, { progress: (text) => heard.push(text) });
  assert.deepEqual(heard, ["3\n"]);
  // The answer to the question goes out by itself.
  for (let i = 0; i < 100 && !server.seen.some(({ body }) => body?.id === "q1"); i++) {
    await new Promise((rested) => setTimeout(rested, 10));
  }
  assert.ok(server.seen.some(({ body, method }) => body?.id === "q1" && method === "POST"));
});

for (const form of ["404", "-32001"] as const) {
  Deno.test(`a server that was restarted is greeted once more, and the call succeeds: ${form}`, async () => {
    let restarted = false;
    await using server = new HttpMcpServer({
      session: true,
      intercept: (request, body) => {
        if (!restarted || form === "404") return undefined;
        const old = request.headers.get("mcp-session-id") === "s1";
        if (!old || body?.id === undefined) return undefined;
        return Response.json({ jsonrpc: "2.0", id: body.id, error: { code: -32001, message: "Session not found" } });
      },
    });
    await using test = await openTestHost([remote(server.url)]);
    await test.call(ECHO);
    restarted = true;
    server.session = 10;
    const calls = await Promise.all([1, 2, 3].map((n) => test.call(ECHO, { n })));
    assert.equal(calls.length, 3);
    assert.equal(server.of("initialize").length, 2);
    assert.ok(server.of("tools/call").slice(-3).every(({ headers }) => headers.get("mcp-session-id") === "s11"));
    assert.equal(server.of("tools/list").length, 2);
    assert.ok(server.seen.every(({ headers }) => headers.get("x-team") === "blue"));
  });
}

Deno.test("a redirect to another origin is not followed, and no header reaches it", async () => {
  await using other = new HttpMcpServer();
  await using server = new HttpMcpServer({
    intercept: (request) =>
      new Response(null, { status: 307, headers: { location: other.url + new URL(request.url).search } }),
  });
  await using test = await openTestHost([remote(server.url)]);
  await test.host.find("remote")!.settled();
  assert.equal(test.host.list()[0]!.state, "failed");
  assert.deepEqual(other.seen, []);
});

Deno.test("an answer's stream that ends without the answer ends the call, with its effect unknown", async () => {
  await using server = new HttpMcpServer({
    intercept: (_request, body) =>
      body?.method === "tools/call"
        ? new Response(": nothing\n\n", { headers: { "content-type": "text/event-stream" } })
        : undefined,
  });
  await using test = await openTestHost([remote(server.url)]);
  assert.match(await failure(test.call(ECHO)), /without the answer.*effect is unknown|effect is unknown/);
  assert.equal(server.of("tools/call").length, 1);
});

Deno.test("a server that cannot be reached, or answers with a page, fails with a reason", async () => {
  await using page = new HttpMcpServer({
    intercept: () => new Response("<html>nothing here</html>", { headers: { "content-type": "text/html" } }),
  });
  await using test = await openTestHost([
    remote(page.url),
    settings("gone", { kind: "http", url: "http://127.0.0.1:9/mcp", headers: {} }),
  ]);
  await Promise.all(test.host.servers.map((server) => server.settled()));
  assert.deepEqual(test.host.list().map(({ state, stage }) => [state, stage]), [["failed", "initialize"], [
    "failed",
    "initialize",
  ]]);
  for (const { reason } of test.host.list()) assert.ok(reason!.length > 10 && reason!.length <= 500, reason);
});

// proves MCP-18
Deno.test("the older transport posts where its stream says, with the fixed headers everywhere", async () => {
  await using server = new SseMcpServer();
  await using test = await openTestHost([remote(server.url, "sse")]);
  assert.match(await test.call(ECHO, { b: 2 }), /"b":2/);
  assert.deepEqual([...new Set(server.seen.map(({ method, path }) => `${method} ${path}`))], [
    "GET /sse",
    "POST /messages",
  ]);
  for (const { headers } of server.seen) assert.equal(headers.get("x-team"), "blue");
});

// proves MCP-19
Deno.test("an endpoint on another origin is refused, and nothing is sent there", async () => {
  await using other = new HttpMcpServer();
  await using server = new SseMcpServer(other.url);
  await using test = await openTestHost([remote(server.url, "sse")]);
  await test.host.find("remote")!.settled();
  const [view] = test.host.list();
  assert.equal(view!.state, "failed");
  assert.match(view!.reason!, /origin/);
  assert.deepEqual(other.seen, []);
});

Deno.test("a fixed Authorization header that is refused is no reason to sign in", async () => {
  await using server = new HttpMcpServer({ intercept: () => new Response(null, { status: 401 }) });
  await using test = await openTestHost([remote(server.url)]);
  await test.host.find("remote")!.settled();
  assert.deepEqual(test.host.list().map(({ state, reason }) => [state, reason]), [
    ["failed", "it refused the configured Authorization header"],
  ]);
});

Deno.test("an answer beyond all bounds fails its call alone", async () => {
  await using server = new HttpMcpServer({
    intercept: (_request, body) =>
      body?.method === "tools/call"
        ? new Response("x".repeat(17 << 20), { headers: { "content-type": "application/json" } })
        : undefined,
  });
  await using test = await openTestHost([remote(server.url)]);
  assert.match(await failure(test.call(ECHO)), /more than 16 MiB/);
  assert.equal(test.host.list()[0]!.state, "ready");
});
