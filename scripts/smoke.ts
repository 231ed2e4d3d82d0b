/**
 * Tries a built executable as a user would: alone in an empty folder, with a home of its own, against a model endpoint
 * on loopback. `deno run -A scripts/smoke.ts EXECUTABLE [PLUGIN]`; ends with a line "N passed, N failed".
 */

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const [executable, plugin] = Deno.args.map((path) => Deno.realPathSync(path));
if (executable === undefined) {
  console.error("usage: smoke.ts EXECUTABLE [PLUGIN]");
  Deno.exit(2);
}

const temp = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-smoke-" }));
const home = `${temp}/home`;
const workspace = `${temp}/workspace`;
const program = `${temp}/bin/reasonix`;
for (const folder of [`${home}/.reasonix`, workspace, `${temp}/bin`]) await Deno.mkdir(folder, { recursive: true });
await Deno.copyFile(executable, program);

/** Nothing of this machine's settings reaches the program. */
async function run(path: string, args: readonly string[], input = ""): Promise<Ran> {
  const child = new Deno.Command(path, {
    args: [...args],
    cwd: workspace,
    clearEnv: true,
    env: { HOME: home, PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", TMPDIR: temp, LANG: "C.UTF-8" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** An endpoint that asks for one file to be written, then answers. */
function startEndpoint(): {
  readonly url: string;
  readonly requests: Record<string, unknown>[];
  stop(): Promise<void>;
} {
  const requests: Record<string, unknown>[] = [];
  const deltas = [
    {
      tool_calls: [{
        index: 0,
        id: "call_1",
        type: "function",
        function: { name: "write_file", arguments: JSON.stringify({ path: "note.txt", content: "written\n" }) },
      }],
    },
    { content: "The note is written." },
  ];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    requests.push(await request.json());
    const delta = deltas[Math.min(requests.length, deltas.length) - 1]!;
    const finish = "tool_calls" in delta ? "tool_calls" : "stop";
    const events = [
      { choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }] },
      {
        choices: [{ index: 0, delta: {}, finish_reason: finish }],
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      },
    ];
    const body = events.map((event) => `data: ${JSON.stringify({ id: "r", model: "m", ...event })}\n\n`).join("");
    return new Response(body + "data: [DONE]\n\n", { headers: { "content-type": "text/event-stream" } });
  });
  return { url: `http://127.0.0.1:${server.addr.port}/v1`, requests, stop: () => server.shutdown() };
}

const endpoint = startEndpoint();
await Deno.writeTextFile(
  `${home}/.reasonix/config.toml`,
  `default_model = "local"\n\n[[providers]]\nname = "local"\nkind = "openai"\nbase_url = "${endpoint.url}"\nmodel = "m"\n` +
    `api_key_env = "SMOKE_API_KEY"\n`,
);
await Deno.writeTextFile(`${home}/.reasonix/.env`, "SMOKE_API_KEY=smoke\n");

const checks: [what: string, check: () => Promise<string | undefined>][] = [
  ["it tells the version it was built from", async () => {
    const { code, stdout } = await run(program, ["version", "--json"]);
    const built = await new Deno.Command("git", { args: ["rev-parse", "HEAD"] }).output();
    const commit = new TextDecoder().decode(built.stdout).trim();
    if (code !== 0 || JSON.parse(stdout).git_commit !== commit) return `exit ${code}: ${stdout}`;
  }],
  ["it prints its usage", async () => {
    const { code, stdout } = await run(program, ["--help"]);
    if (code !== 0 || !stdout.includes("run")) return `exit ${code}: ${stdout}`;
  }],
  ["an unknown command is a usage error", async () => {
    const { code, stderr } = await run(program, ["no-such-command"]);
    if (code !== 2 || !stderr.includes(`unknown command "no-such-command"`)) return `exit ${code}: ${stderr}`;
  }],
  ["the demo runs offline and succeeds", async () => {
    const { code, stdout, stderr } = await run(program, ["demo"]);
    if (code !== 0 || stdout.trim() === "") return `exit ${code}: ${stdout}\n${stderr}`;
  }],
  ["a run without approval changes nothing and says so", async () => {
    const { code } = await run(program, ["run", "write the note"]);
    const exists = await Deno.stat(`${workspace}/note.txt`).then(() => true, () => false);
    if (code !== 4 || exists) return `exit ${code}, file ${exists ? "written" : "not written"}`;
  }],
  ["a run with --auto writes the file and prints the answer", async () => {
    endpoint.requests.length = 0;
    const { code, stdout, stderr } = await run(program, ["run", "--auto", "-p", "write the note"]);
    const note = await Deno.readTextFile(`${workspace}/note.txt`).catch(() => "");
    if (
      code !== 0 || note !== "written\n" || stdout.trim() !== "The note is written." || endpoint.requests.length !== 2
    ) {
      return `exit ${code}, note ${JSON.stringify(note)}, ${endpoint.requests.length} requests: ${stdout}\n${stderr}`;
    }
  }],
];
if (plugin !== undefined) {
  checks.push(["the example plugin echoes", async () => {
    const lines = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "echo", arguments: { text: "hello" } } },
    ];
    const { code, stdout } = await run(plugin, [], lines.map((line) => JSON.stringify(line) + "\n").join(""));
    const said = JSON.parse(stdout.trim().split("\n")[1] ?? "{}").result?.content?.[0]?.text;
    if (code !== 0 || said !== "hello") return `exit ${code}: ${stdout}`;
  }]);
}

let failed = 0;
for (const [what, check] of checks) {
  const wrong = await check().catch((error) => String(error));
  if (wrong === undefined) console.log(`ok      ${what}`);
  else {
    failed++;
    console.log(`FAILED  ${what}\n        ${wrong.trim().replaceAll("\n", "\n        ")}`);
  }
}
await endpoint.stop();
await Deno.remove(temp, { recursive: true });
console.log(`${checks.length - failed} passed, ${failed} failed`);
Deno.exitCode = failed === 0 ? 0 : 1;
