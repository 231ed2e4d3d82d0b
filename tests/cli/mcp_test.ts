// `reasonix mcp …` and runs with servers, as other programs see them.
import assert from "node:assert/strict";
import { AuthServer } from "../support/mcp/auth_server.ts";
import { HttpMcpServer } from "../support/mcp/http_server.ts";
import { insideWalls } from "../support/inside_walls.ts";
import { lives } from "../support/mcp/test_host.ts";
import { ModelServer } from "../support/model_server.ts";
import { Bed, localProvider } from "../support/program.ts";

const KEYS = "LOCAL_KEY=sk-local-0123456789abcdef\n";
const unix = Deno.build.os !== "windows";
const ODD_SERVER = insideWalls("tests/support/mcp/odd_server.ts");
const odd = (manner: string) => [Deno.execPath(), "run", "-A", "--no-check", "--quiet", ODD_SERVER, manner, "log"];

Deno.test("an argument of any length is listed by its beginning", async () => {
  await using bed = await Bed.create({ config: "" });
  const args = ["?" + "key".repeat(100_000), "--token=hush"];
  await Deno.writeTextFile(`${bed.workspace}/.mcp.json`, JSON.stringify({ mcpServers: { m: { command: "c", args } } }));
  const [{ args: shown }] = JSON.parse((await bed.run(["mcp", "list", "--json"])).out).servers;
  assert.deepEqual([shown[0].length, shown[1]], [2_000, "--token=…"]);
});

// proves MCP-03, MCP-32, MCP-33, MCP-36
Deno.test("servers are added to the user's file, shown without secrets, switched, and removed where they stand", async () => {
  await using bed = await Bed.create({ config: "# mine\n" });
  const run = async (...args: string[]) => await bed.run(["mcp", ...args]);
  assert.equal((await run("add", "odd", "--env", "TOKEN=hush-hush", "--", ...odd("good"))).code, 0);
  await Deno.writeTextFile(
    `${bed.workspace}/.mcp.json`,
    JSON.stringify({ mcpServers: { odd: { command: "elsewhere" } } }),
  );
  const config = await Deno.readTextFile(`${bed.home}/config.toml`);
  assert.match(config, /^# mine\n/);
  assert.match(config, /\[\[plugins\]\]\nname = "odd"/);
  const listed = JSON.parse((await run("list", "--json")).out);
  assert.deepEqual(
    listed.servers.map((one: Record<string, unknown>) => [one.name, one.command, one.source, one.state]),
    [
      ["odd", "elsewhere", "mcp_json", "enabled"],
    ],
  );
  const disabled = await run("disable", "odd");
  assert.match(disabled.out, /"odd" is switched off in .*\.mcp\.json/);
  assert.equal(JSON.parse(await Deno.readTextFile(`${bed.workspace}/.mcp.json`)).mcpServers.odd.enabled, false);
  const removed = await run("remove", "odd");
  assert.match(removed.out, /removed "odd" from .*\.mcp\.json/);
  assert.match(removed.err, /the entry of .*config\.toml is in force now/);
  const shown = await run("get", "odd");
  assert.match(shown.out, /env: +TOKEN/);
  assert.ok(!(shown.out + (await run("list")).out).includes("hush-hush"));
  assert.equal((await run("remove", "odd")).code, 0);
  assert.equal(await Deno.readTextFile(`${bed.home}/config.toml`), "# mine\n\n");
});

Deno.test("wrong lines end with 2 and the usage, unknown names with 1 and a word", async () => {
  await using bed = await Bed.create({ config: "" });
  for (const args of [["add"], ["add", "x"], ["frob"], ["get"], ["remove", "a", "b"], ["list", "--frob"]]) {
    const { code, err } = await bed.run(["mcp", ...args]);
    assert.equal(code, 2, args.join(" "));
    assert.ok(err.length > 0);
  }
  for (const word of ["get", "remove", "auth", "retry", "enable"]) {
    const { code, err } = await bed.run(["mcp", word, "x"]);
    assert.deepEqual([code, err], [1, 'no MCP server named "x" in config\n'], word);
  }
});

Deno.test("retry starts one server and tells how far it came; update tells what is new", async () => {
  await using bed = await Bed.create({ config: "" });
  await bed.run(["mcp", "add", "good", "--", ...odd("good")]);
  await bed.run(["mcp", "add", "bad", "--", ...odd("dies at start")]);
  await bed.run(["mcp", "add", "none", "--", "no-such-program-anywhere"]);
  const good = await bed.run(["mcp", "retry", "good"]);
  assert.deepEqual(
    [good.code, /^good ready in .* 2 tools, 0 prompts, 0 resources\n$/.test(good.out)],
    [0, true],
    good.out + good.err,
  );
  const bad = await bed.run(["mcp", "retry", "bad", "--json"]);
  const view = JSON.parse(bad.out);
  assert.deepEqual([bad.code, view.state, view.stage], [1, "failed", "initialize"]);
  assert.match(view.reason, /exit code 3; it said: cannot find the frobnicator/);
  const none = JSON.parse((await bed.run(["mcp", "retry", "none", "--json"])).out);
  assert.deepEqual([none.state, none.stage], ["failed", "launch"]);
  assert.match(none.reason, /no-such-program-anywhere was not found/);
});

// proves MCP-16
Deno.test("doctor starts servers when it is asked to, and names the stage a start came to and the remedy", async () => {
  await using bed = await Bed.create({ config: "" });
  await bed.run(["mcp", "add", "good", "--", ...odd("good")]);
  await bed.run(["mcp", "add", "gone", "--", "no-such-program-anywhere"]);
  const checks = async (...args: string[]) => {
    const { code, out } = await bed.run(["doctor", "--offline", "--json", ...args]);
    assert.equal(code, 0);
    const all: { name: string; status: string; message: string; remedy?: string }[] = JSON.parse(out).checks;
    return Object.fromEntries(all.map((check) => [check.name, check]));
  };
  const still = await checks();
  assert.match(still["mcp.good"]!.message, /declared; .*--live/);
  const live = await checks("--live");
  assert.deepEqual([live["mcp.good"]!.status, live["mcp.gone"]!.status], ["ok", "error"]);
  assert.match(live["mcp.good"]!.message, /^ready in \d+\.\d s: \d+ tools/);
  assert.match(live["mcp.gone"]!.message, /^did not start: launch failed after/);
  assert.match(live["mcp.gone"]!.remedy!, /reasonix mcp retry gone/);
});

Deno.test("auth tells the address, takes the browser's answer, and remove forgets the tokens", async () => {
  await using auth = new AuthServer();
  await using server = new HttpMcpServer({ intercept: (request) => auth.protect(request) });
  await using bed = await Bed.create({ config: "" });
  await bed.run(["mcp", "add", "remote", "--http", server.url]);
  const child = bed.start(["mcp", "auth", "remote"]);
  const address = await addressIn(child.stderr);
  await auth.visit(address);
  const { code, stdout } = await child.output();
  assert.deepEqual([code, new TextDecoder().decode(stdout)], [0, 'signed in to "remote"\n']);
  assert.match((await bed.run(["mcp", "list"])).out, /signed in/);
  assert.equal((await bed.run(["mcp", "retry", "remote"])).code, 0);
  const removed = await bed.run(["mcp", "remove", "remote"]);
  assert.match(removed.out, /its sign-in is forgotten here/);
  await bed.run(["mcp", "add", "remote", "--http", server.url]);
  assert.ok(!/signed in/.test((await bed.run(["mcp", "list"])).out));
});

async function addressIn(stream: ReadableStream<Uint8Array>): Promise<string> {
  let said = "";
  for await (const bytes of stream.values({ preventCancel: true })) {
    said += new TextDecoder().decode(bytes);
    const found = /^\s+(http\S+)$/m.exec(said)?.[1];
    if (found) return found;
  }
  return assert.fail(said);
}

Deno.test("a run lists servers that fail or want a sign-in with state and reason, and still answers", async () => {
  await using model = new ModelServer([{ text: "ok" }]);
  await using auth = new AuthServer();
  await using server = new HttpMcpServer({ intercept: (request) => auth.protect(request) });
  await using bed = await Bed.create({ config: localProvider(`${model.url}/v1`), keys: KEYS });
  await bed.run(["mcp", "add", "dies", "--", "sh", "-c", "exit 3"]);
  await bed.run(["mcp", "add", "remote", server.url]);
  const { code, out, err } = await bed.run(["run", "--output-format", "json", "say ok"]);
  assert.equal(code, 0, err);
  const result = JSON.parse(out);
  assert.equal(result.result, "ok");
  assert.deepEqual(
    result.mcp_servers.map(({ name, status, stage }: Record<string, unknown>) => [name, status, stage]),
    [["dies", "failed", "initialize"], ["remote", "needs_sign_in", "authorization"]],
  );
  for (const { reason } of result.mcp_servers) assert.ok(reason.length > 5);
});

Deno.test({
  name: "however a run ends, nothing of its servers is left",
  ignore: !unix,
  async fn() {
    for (const end of ["answer", "SIGTERM", "SIGHUP", "SIGINT"] as const) {
      const asked = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      await using model = new ModelServer([{
        response: async () => {
          asked.resolve();
          await held.promise;
          return new Response(
            `data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
            { headers: { "content-type": "text/event-stream" } },
          );
        },
      }]);
      await using bed = await Bed.create({ config: localProvider(`${model.url}/v1`), keys: KEYS });
      await bed.run(["mcp", "add", "stubborn", "--", ...odd("stubborn")]);
      const child = bed.start(["run", "go"]);
      try {
        await asked.promise;
        const pids = await pidsIn(bed.base);
        if (end === "answer") held.resolve();
        else child.kill(end);
        await child.output();
        assert.deepEqual(pids.map(lives), [false, false], end);
      } finally {
        held.resolve();
      }
    }
  },
});

Deno.test("a server whose start the end of the run cuts short has not failed, and a stream of events ends with its result", async () => {
  await using model = new ModelServer([{ text: "ok" }]);
  await using bed = await Bed.create({ config: localProvider(`${model.url}/v1`), keys: KEYS });
  await bed.run(["mcp", "add", "late", "--", ...odd("never answers")]);
  const { out, err } = await bed.run(["run", "--output-format", "stream-json", "go"]);
  const events = out.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual([events.at(-1).type, events.at(-1).mcp_servers[0].status], ["result", "starting"]);
  assert.doesNotMatch(out + err, /failed/);
});

/** The server and its child, as seen from here: inside walls processes count from one. */
async function pidsIn(base: string): Promise<number[]> {
  for (let i = 0; i < 200; i++) {
    const found = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => {
      const words = contentOf(`/proc/${pid}/cmdline`).split("\0");
      const isOne = /\bsleep$/.test(words[0]!) || (words[0] === Deno.execPath() && words.includes("stubborn"));
      return isOne && contentOf(`/proc/${pid}/environ`).includes(base);
    });
    if (found.length === 2) return found;
    await new Promise((rested) => setTimeout(rested, 20));
  }
  return assert.fail("the server did not start");
}

function contentOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
