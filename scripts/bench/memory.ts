/**
 * Where the memory of a session goes: one process from source that loads and does one thing after the other, and reads
 * its resident memory, and its live objects after a collection, in between. The model answers from another process.
 * `deno run -A --no-check --v8-flags=--expose-gc,--optimize-for-size scripts/bench/memory.ts [rounds…]`
 */
declare const gc: () => void;

interface Reading {
  readonly what: string;
  readonly resident: number;
  readonly live: number;
}

const readings: Reading[] = [];

function read(what: string): void {
  // What the engine holds without using it is not counted as the part's.
  gc();
  gc();
  const { rss, heapUsed, external } = Deno.memoryUsage();
  readings.push({ what, resident: rss, live: heapUsed + external });
}

const SERVER = `
const chunk = (delta, finish) =>
  "data: " + JSON.stringify({ id: "r", choices: [{ index: 0, delta, finish_reason: finish }] }) + "\\n\\n";
let left = 0, calls = 0;
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) }, async (request) => {
  const { messages } = await request.json();
  const last = messages.at(-1);
  if (last.role === "user") left = Number(/(\\d+) rounds/.exec(last.content)?.[1] ?? 0);
  const call = { index: 0, id: "c" + ++calls, type: "function",
    function: { name: "read_file", arguments: JSON.stringify({ path: "f" + calls % 50 + ".txt", offset: calls % 7 }) } };
  const body = left-- > 0
    ? chunk({ tool_calls: [call] }, null) + chunk({}, "tool_calls")
    : chunk({ content: "done" }, null) + chunk({}, "stop");
  return new Response(body + "data: [DONE]\\n\\n", { headers: { "content-type": "text/event-stream" } });
});`;

read("the empty program");

const base = await Deno.makeTempDir();
await Deno.writeTextFile(`${base}/server.ts`, SERVER);
const server = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--no-check", `${base}/server.ts`],
  stdout: "piped",
})
  .spawn();
const port = Number(new TextDecoder().decode((await server.stdout.values().next()).value).trim());
await Deno.mkdir(`${base}/ws`);
for (let i = 0; i < 50; i++) await Deno.writeTextFile(`${base}/ws/f${i}.txt`, `line ${i}\n`.repeat(20));
await Deno.writeTextFile(
  `${base}/config.toml`,
  `default_model = "local"\n[[providers]]\nname = "local"\nbase_url = "http://127.0.0.1:${port}/v1"\nmodel = "m"\n` +
    `api_key_env = ""\ncontext_window = 100000000\n`,
);
read("this measurement itself");

await import("../../src/frontends/cli/main.ts");
read("command line");
const { assemble } = await import("../../src/assembly/mod.ts");
await import("../../src/frontends/cli/run.ts");
read("the modules of a run");

const environment = (name: string) => name === "REASONIX_HOME" ? base : name === "HOME" ? base : Deno.env.get(name);
const assembly = await assemble({
  directory: `${base}/ws`,
  maxSteps: 0,
  addDirs: [],
  allowedTools: [],
  posture: "auto",
  takeover: false,
  copy: false,
  interactive: false,
  environment,
});
read("settings, session, tools, walls");

const { controller } = assembly;
async function rounds(count: number): Promise<void> {
  const receipt = controller.send({ kind: "prompt", text: `${count} rounds` });
  if (!receipt.accepted) throw new Error("the prompt was not taken");
  const summary = await receipt.turn;
  if (summary?.failure) throw new Error(summary.failure.message);
}
await rounds(0);
read("first request and answer");
let sent = 0;
for (const count of Deno.args.length > 0 ? Deno.args.map(Number) : [1, 100, 1000]) {
  await rounds(count - sent);
  sent = count;
  read(`${count} round${count === 1 ? "" : "s"} of read_file`);
}
await controller.close();
server.kill();
await server.status;
await Deno.remove(base, { recursive: true });

const mb = (bytes: number) => (bytes / 1e6).toFixed(1).padStart(6);
console.log("".padEnd(34), "resident   more   live   more   (MB)");
for (const [at, { what, resident, live }] of readings.entries()) {
  const before = readings[at - 1] ?? { resident: 0, live: 0 };
  console.log(what.padEnd(34), mb(resident), mb(resident - before.resident), "", mb(live), mb(live - before.live));
}
