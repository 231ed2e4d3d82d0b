// From settings to servers: limits, defaults, and what cannot work.
import assert from "node:assert/strict";
import { loadConfig, resolvePaths } from "../config/mod.ts";
import { type ServerProject, toServerSettings } from "./build_servers.ts";

async function settingsOf(config: string): Promise<ReturnType<typeof toServerSettings>[]> {
  const base = await Deno.makeTempDir({ prefix: "reasonix-test-" });
  try {
    await Promise.all([Deno.mkdir(`${base}/ws`), Deno.mkdir(`${base}/home`)]);
    await Deno.writeTextFile(`${base}/home/config.toml`, config);
    const env = (name: string) => name === "REASONIX_HOME" ? `${base}/home` : name === "HOME" ? base : undefined;
    const paths = resolvePaths(env, { os: Deno.build.os, cwd: base });
    const loaded = await loadConfig({ paths, workspace: `${base}/ws`, trusted: false, env });
    const project: ServerProject = { root: `${base}/ws`, paths, env, loaded, extraRoots: [] };
    return loaded.config.plugins.map((plugin) => toServerSettings(plugin, project));
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

// proves CFG-32, CFG-33
Deno.test("limits are 30 s and 300 s, the global ones where set, the server's own above both", async () => {
  const limits = (all: Awaited<ReturnType<typeof settingsOf>>) =>
    all.map(({ startupMs, callMs, toolMs }) => ({ startupMs, callMs, toolMs }));
  const plugins = `
[[plugins]]
name = "plain"
command = "a"
[[plugins]]
name = "own"
command = "a"
startup_timeout_seconds = 7
call_timeout_seconds = 600
tool_timeout_seconds = { video = 1800 }
`;
  const own = { startupMs: 7_000, callMs: 600_000, toolMs: { video: 1_800_000 } };
  assert.deepEqual(limits(await settingsOf(plugins)), [{ startupMs: 30_000, callMs: 300_000, toolMs: {} }, own]);
  const tools = "[tools]\nmcp_startup_timeout_seconds = 5\nmcp_call_timeout_seconds = 50\n";
  assert.deepEqual(limits(await settingsOf(tools + plugins)), [{ startupMs: 5_000, callMs: 50_000, toolMs: {} }, own]);
});

// proves CONC-02, CONC-05
Deno.test("names that mean a browser are serial unless told otherwise, in both lists", async () => {
  const made = await settingsOf(`
[[plugins]]
name = "my-playwright"
command = "a"
[[plugins]]
name = "chrome"
command = "a"
concurrency = "parallel"
[[mcp.servers]]
name = "files"
command = "a"
[[mcp.servers]]
name = "queue"
command = "a"
concurrency = "serial"
`);
  assert.deepEqual(Object.fromEntries(made.map(({ name, concurrency }) => [name, concurrency])), {
    "my-playwright": "serial",
    chrome: "parallel",
    files: "parallel",
    queue: "serial",
  });
});

Deno.test("what cannot work is named, not started; a variable that is not set is a note", async () => {
  const made = await settingsOf(`
[[plugins]]
name = "nothing"
[[plugins]]
name = "address"
type = "http"
url = "file:///etc/passwd"
[[plugins]]
name = "key"
type = "http"
url = "https://a.example"
headers = { Authorization = "Bearer \${NOT_SET}" }
[plugins.oauth]
client_id = "me"
callback_port = 9000
`);
  assert.deepEqual(made.map(({ problem, notes }) => [problem, notes]), [
    ["it names no command", []],
    ["its url is not an http or https address", []],
    [undefined, ["the variable NOT_SET is not set and became nothing"]],
  ]);
  assert.deepEqual(made[2]!.target, {
    kind: "http",
    url: "https://a.example",
    headers: { Authorization: "Bearer " },
    oauth: { clientId: "me", callbackPort: 9000 },
  });
});
