/**
 * What a round costs as a conversation grows: headless runs of a thousand rounds against a model on loopback, each round
 * reading a small file. Prints, by range of rounds, the median time between the end of an answer and the arrival of the
 * next request, and the bytes a request adds to the one before. With more than one run the fastest counts, round by
 * round: what else the machine does makes a round slower, never faster. `--csv FILE` writes every round there as
 * `round,ms,bytes`; `plot.ts` draws them.
 * `deno run -A --no-check scripts/bench/growth.ts [--rounds N] [--runs N] [--csv FILE] [program…]`; the program is the
 * source form without one.
 */
interface Arrival {
  readonly waited: number;
  readonly bytes: number;
}

const args = [...Deno.args];
const option = (name: string) => args[0] === name ? args.splice(0, 2)[1] : undefined;
const rounds = Number(option("--rounds") ?? 1000);
const runs = Number(option("--runs") ?? 1);
const csv = option("--csv");
const main = decodeURIComponent(new URL("../../main.ts", import.meta.url).pathname);
const program = args.length > 0 ? args : [Deno.execPath(), "run", "-A", "--no-check", main];

const chunk = (delta: unknown, finish: string | null) =>
  `data: ${JSON.stringify({ id: "r", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

async function measure(): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  let answered = performance.now();
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
      `default_model = "local"\n[[providers]]\nname = "local"\nbase_url = "http://127.0.0.1:${server.addr.port}/v1"\n` +
        `model = "m"\napi_key_env = ""\ncontext_window = 100000000\n`,
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
  return arrivals;
}

let arrivals = await measure();
for (let run = 1; run < runs; run++) {
  const again = await measure();
  arrivals = arrivals.map((one, at) => ({ ...one, waited: Math.min(one.waited, again[at]!.waited) }));
}

if (csv !== undefined) {
  const rows = arrivals.map(({ waited, bytes }, at) => `${at + 1},${waited.toFixed(3)},${bytes}\n`);
  await Deno.writeTextFile(csv, `round,ms,bytes\n${rows.join("")}`);
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
