// A browser behind a server: state that lasts from call to call, and calls that take turns.
import assert from "node:assert/strict";
import { fetchServer } from "../support/mcp/npm_server.ts";
import { openTestHost, settings } from "../support/mcp/test_host.ts";

const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
});
const server = chromium === undefined
  ? { missing: "no Chromium is installed" }
  : await fetchServer("@playwright/mcp@0.0.83");
const ready = "args" in server;

Deno.test({
  name: `a browser server opens a page and keeps it for the next call${ready ? "" : ` (${server.missing})`}`,
  ignore: !ready,
  async fn() {
    const pages = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () =>
        new Response("<!doctype html><title>Local page</title><h1>Hello there</h1>", {
          headers: { "content-type": "text/html" },
        }),
    );
    try {
      const args = ready
        ? [...server.args, "--headless", "--no-sandbox", "--isolated", "--executable-path", chromium!]
        : [];
      await using test = await openTestHost([
        settings("playwright", { kind: "stdio", command: Deno.execPath(), args, env: {} }, {
          startupMs: 60_000,
          callMs: 60_000,
          concurrency: "serial",
        }),
      ]);
      await test.host.find("playwright")!.settled();
      assert.equal(test.host.list()[0]!.state, "ready", test.host.list()[0]!.reason);
      const url = `http://127.0.0.1:${pages.addr.port}/`;
      const [opened, seen] = await Promise.all([
        test.call("mcp__playwright__browser_navigate", { url }),
        test.call("mcp__playwright__browser_snapshot"),
      ]);
      assert.match(opened, /Local page/);
      assert.match(seen, /Hello there/);
    } finally {
      await pages.shutdown();
    }
  },
});
