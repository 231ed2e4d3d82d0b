/**
 * What a round costs as a conversation grows: one headless run of a thousand rounds against a model on loopback, each
 * reading a small file. Prints, by range of rounds, the median time between the end of an answer and the arrival of the
 * next request, and the bytes a request adds to the one before.
 * `deno run -A --no-check scripts/bench/growth.ts [rounds] [program…]`; the program is the source form without one.
 */
const [count = "1000", ...given] = Deno.args;
const rounds = Number(count);
const main = new URL("../../main.ts", import.meta.url).pathname;
const program = given.length > 0 ? given : [Deno.execPath(), "run", "-A", "--no-check", main];

const arrivals: { readonly waited: number; readonly bytes: number }[] = [];
let answered = performance.now();

const chunk = (delta: unknown, finish: string | null) =>
  `data: ${JSON.stringify({ id: "r", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
  const waited = performance.now() - answered;
  arrivals.push({ waited, bytes: (await request.arrayBuffer()).byteLength });
  const round = arrivals.length;
  const call = {
    index: 0,
    id: `c${round}`,
    type: "function",
    function: { name: "read_file", arguments: JSON.stringify({ path: `f${round % 50}.txt`, offset: round % 7 }) },
  };
  const body = round <= rounds
    ? chunk({ tool_calls: [call] }, null) + chunk({}, "tool_calls")
    : chunk({ content: "done" }, null) + chunk({}, "stop");
  answered = performance.now();
  return new Response(`${body}data: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
});

const base = await Deno.makeTempDir();
try {
  await Deno.mkdir(`${base}/ws`);
  for (let i = 0; i < 50; i++) await Deno.writeTextFile(`${base}/ws/f${i}.txt`, `line ${i}\n`.repeat(20));
  await Deno.writeTextFile(
    `${base}/config.toml`,
    `default_model = "local"\n[agent]\nmax_steps = 0\n[[providers]]\nname = "local"\n` +
      `base_url = "http://127.0.0.1:${server.addr.port}/v1"\nmodel = "m"\napi_key_env = ""\ncontext_window = 100000000\n`,
  );
  const { code, stderr } = await new Deno.Command(program[0]!, {
    args: [...program.slice(1), "run", "--auto", "--print", "work"],
    cwd: `${base}/ws`,
    env: { REASONIX_HOME: base },
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
} finally {
  await Deno.remove(base, { recursive: true });
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1]!;
const edges = [2, 10, 50, 100, 250, 500, 750, rounds + 1].filter((edge) => edge <= rounds + 1);
for (const [at, from] of edges.slice(0, -1).entries()) {
  const range = arrivals.slice(from, edges[at + 1]);
  const added = range.map(({ bytes }, i) => bytes - arrivals[from + i - 1]!.bytes);
  const size = median(range.map(({ bytes }) => bytes));
  console.log(
    `rounds ${from} to ${edges[at + 1]! - 1}: ${median(range.map(({ waited }) => waited)).toFixed(2)} ms, ` +
      `${median(added)} bytes added to requests of ${(size / 1000).toFixed(0)} kB`,
  );
}
