/** A run as other programs see it: streams, files it writes, signals, sessions it goes on with. */
import assert from "node:assert/strict";
import { lives, ODD_SERVER } from "../support/mcp/test_host.ts";
import { ModelServer, type WireStep } from "../support/model_server.ts";
import { Bed, localProvider } from "../support/program.ts";
import { RawServer } from "../support/raw_server.ts";

const KEYS = "LOCAL_KEY=sk-local-0123456789abcdef\n";
const unix = Deno.build.os !== "windows";

async function bedFor(url: string, more = ""): Promise<Bed> {
  return await Bed.create({ config: localProvider(`${url}/v1`, more), keys: KEYS });
}

const lines = (text: string) => text.trimEnd().split("\n");

/** Reads a file and answers: every kind of event is told on the way. */
const TASK: readonly WireStep[] = [
  { reasoning: "look first", calls: [{ name: "read_file", args: { path: "a.txt" } }] },
  { calls: [{ name: "bash", args: { command: "echo noise; echo more noise >&2" } }] },
  { text: "It says hello." },
];

Deno.test("-p prints the final answer alone", async () => {
  await using server = new ModelServer(TASK);
  await using bed = await bedFor(server.url);
  await Deno.writeTextFile(`${bed.workspace}/a.txt`, "hello\n");
  assert.deepEqual(await bed.run(["-p", "--auto", "what does a.txt say"]), {
    code: 0,
    out: "It says hello.\n",
    err: "",
  });
});

// proves CFG-14
Deno.test("the receipt behind each request goes with show_turn_usage", async () => {
  const said = async (more: string) => {
    await using server = new ModelServer([{ text: "ok" }]);
    await using bed = await bedFor(server.url, more);
    return (await bed.run(["run", "hi"])).out;
  };
  assert.match(await said(""), /^ok\n {2}\d+ tokens · in \d+ \(nothing told of the cache\)/);
  assert.equal(await said("\n[ui]\nshow_turn_usage = false\n"), "ok\n");
});

// proves CFG-01
Deno.test("a flag wins over the project's file, the project's over the user's", async () => {
  const asked = async (project: string, ...flags: string[]) => {
    await using server = new ModelServer([{ text: "ok" }]);
    await using bed = await bedFor(server.url);
    await Deno.writeTextFile(`${bed.workspace}/reasonix.toml`, project);
    assert.equal((await bed.run(["-p", ...flags, "hi"])).out, "ok\n");
    return server.requests[0]!.body["model"];
  };
  assert.equal(await asked(""), "m1");
  assert.equal(await asked('default_model = "local/m2"\n'), "m2");
  assert.equal(await asked('default_model = "local/m2"\n', "--model", "local/m1"), "m1");
});

Deno.test("--debug tells the course of a run on stderr, without the pieces of its answer and without keys", async () => {
  await using server = new ModelServer(TASK);
  await using bed = await bedFor(server.url);
  await Deno.writeTextFile(`${bed.workspace}/a.txt`, "hello\n");
  const { code, out, err } = await bed.run(["-p", "--auto", "--debug", "what does a.txt say"]);
  assert.deepEqual([code, out], [0, "It says hello.\n"]);
  const told = lines(err).map((line) => /^debug \d+\.\d{3} (\w+) ./.exec(line)?.[1]);
  assert.deepEqual(told.slice(0, 4), ["folder", "session", "model", "posture"]);
  for (const kind of ["stream_attempt", "tool_result", "usage", "turn_done"]) assert.ok(told.includes(kind), kind);
  assert.ok(!told.includes(undefined) && !told.includes("text"), err);
  assert.doesNotMatch(err, /sk-local/);
});

Deno.test("flags that do less than their name says are told of, and nothing is said of the others", async () => {
  await using server = new ModelServer([{ text: "ok" }, { text: "ok" }]);
  await using bed = await bedFor(server.url);
  const { err } = await bed.run(["-p", "--preset", "delivery", "--ablate", "planner", "hi"]);
  assert.deepEqual(lines(err), ["! --ablate switches nothing off yet"]);
  assert.equal((await bed.run(["-p", "-c", "--preset", "balanced", "--ablate", "none", "more"])).err, "");
});

for (const format of ["json", "stream-json"]) {
  Deno.test(`${format}: every line of stdout is JSON and exactly one is the result, whatever else there is to say`, async () => {
    await using server = new ModelServer(TASK);
    await using bed = await bedFor(server.url, "\nno_such_key = 1\n\n[agent]\nmax_steps = 5\n");
    await Deno.writeTextFile(`${bed.workspace}/a.txt`, "hello\n");
    const args = ["run", "--auto", "--profile", "balanced", "--output-format", format, "what does a.txt say"];
    const { code, out, err } = await bed.run(args);
    const records = lines(out).map((line) => JSON.parse(line));
    const results = records.filter((record) => record.type === "result");
    assert.equal(code, 0, err);
    assert.deepEqual([results.length, results[0].result, records.at(-1)], [1, "It says hello.", results[0]]);
    assert.match(err, /no_such_key/);
    assert.match(err, /--profile is the old name/);
  });

  Deno.test(`${format}: a start that fails is a result on stdout too`, async () => {
    await using bed = await Bed.create({ config: "broken = = 1\n" });
    const { code, out } = await bed.run(["run", "--output-format", format, "hi"]);
    const records = lines(out).map((line) => JSON.parse(line));
    assert.deepEqual([code, records.length, records[0].code], [1, 1, "config.syntax"]);
  });
}

Deno.test("stream-json numbers its events without a gap, and every call that starts ends", async () => {
  await using server = new ModelServer(TASK);
  await using bed = await bedFor(server.url);
  await Deno.writeTextFile(`${bed.workspace}/a.txt`, "hello\n");
  const { out } = await bed.run(["run", "--auto", "--output-format", "stream-json", "go"]);
  const events = lines(out).map((line) => JSON.parse(line)).filter((record) => record.kind !== undefined);
  assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => index + 1));
  const of = (kind: string) => events.filter((event) => event.kind === kind).map(({ tool }) => tool.name);
  assert.deepEqual([of("tool_started"), of("tool_result")], [["read_file", "bash"], ["read_file", "bash"]]);
  assert.deepEqual([events[0].kind, events[0].status], ["turn_status", "queued"]);
});

Deno.test("--events-jsonl tells the course of a run without a word of it", async () => {
  await using server = new ModelServer(TASK);
  await using bed = await bedFor(server.url);
  await Deno.writeTextFile(`${bed.workspace}/a.txt`, "hello\n");
  const { code, out } = await bed.run(["run", "--auto", "--events-jsonl", "a very private question"]);
  const events = lines(out).map((line) => JSON.parse(line));
  assert.equal(code, 0);
  assert.deepEqual(events.map(({ sequence }) => sequence), events.map((_, index) => index + 1));
  assert.deepEqual([events.at(-1).kind, events.at(-1).ok], ["run_done", true]);
  assert.doesNotMatch(out, /private|hello|a\.txt|noise|read_file|look first/);
});

Deno.test("the prompt comes from standard input when no words are given, and words win", async () => {
  await using server = new ModelServer([{ text: "one" }, (body) => ({ text: body.messages.at(-1).content })]);
  await using bed = await bedFor(server.url);
  assert.deepEqual(await bed.run(["-p"], { stdin: "from the pipe\n" }), { code: 0, out: "one\n", err: "" });
  assert.match(server.requests[0]!.body.messages.at(-1).content, /from the pipe/);
});

Deno.test("--metrics writes one JSON object in place of what the file held", async () => {
  await using server = new ModelServer(TASK);
  await using bed = await bedFor(server.url);
  await Deno.writeTextFile(`${bed.workspace}/a.txt`, "hello\n");
  await Deno.writeTextFile(`${bed.workspace}/m.json`, "x".repeat(10_000));
  const { code } = await bed.run(["-p", "--auto", "--metrics", "m.json", "go"]);
  const metrics = JSON.parse(await Deno.readTextFile(`${bed.workspace}/m.json`));
  assert.equal(code, 0);
  assert.deepEqual([metrics.outcome, metrics.tool_calls, metrics.tool_calls_by_name], [
    "completed",
    2,
    { read_file: 1, bash: 1 },
  ]);
});

Deno.test("a run whose start fails leaves the file of its metrics as it was", async () => {
  await using bed = await Bed.create({ config: "malformed =\n" });
  await Deno.writeTextFile(`${bed.workspace}/old.json`, "kept");
  for (const file of ["old.json", "new.json"]) assert.equal((await bed.run(["run", "--metrics", file, "go"])).code, 1);
  assert.equal(await Deno.readTextFile(`${bed.workspace}/old.json`), "kept");
  assert.deepEqual([...Deno.readDirSync(bed.workspace)].map(({ name }) => name), ["old.json"]);
});

Deno.test("a record that stops on a full disk is told at the end, and the run ends with 1", {
  // An executable opens no such device.
  ignore: Deno.build.os !== "linux" || Deno.env.get("REASONIX_EXECUTABLE") !== undefined,
}, async () => {
  for (const flag of ["--metrics", "--trajectory"]) {
    await using server = new ModelServer([{ text: "done" }]);
    await using bed = await bedFor(server.url);
    const { code, out, err } = await bed.run(["-p", flag, "/dev/full", "go"]);
    assert.deepEqual([code, out], [1, "done\n"]);
    assert.match(err, new RegExp(`^error: ${flag} cannot write /dev/full: No space left on device.*\n$`));
  }
});

Deno.test("a record in a device that an executable may not open is refused before anything is asked", {
  ignore: Deno.build.os !== "linux" || Deno.env.get("REASONIX_EXECUTABLE") === undefined,
}, async () => {
  for (const flag of ["--metrics", "--trajectory"]) {
    await using server = new ModelServer([]);
    await using bed = await bedFor(server.url);
    const { code, out, err } = await bed.run(["-p", flag, "/dev/full", "go"]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, new RegExp(`${flag} cannot write /dev/full: this program may open no such device`));
  }
});

Deno.test("--continue goes on with the newest session, --resume with any, --copy leaves it as it was", async () => {
  await using server = new ModelServer([{ text: "one" }, { text: "two" }, { text: "three" }]);
  await using bed = await bedFor(server.url);
  const run = async (...args: string[]) => {
    const { code, out, err } = await bed.run(["run", "--output-format", "json", ...args]);
    assert.equal(code, 0, err);
    return JSON.parse(out).session_id as string;
  };
  const first = await run("first words");
  assert.equal(await run("--continue", "second"), first);
  const copy = await run("--resume", "first words", "--copy", "third");
  assert.notEqual(copy, first);
  const { out } = await bed.run(["session", "list", "--json"]);
  const turns = JSON.parse(out).sessions.map((session: { turns: number }) => session.turns);
  assert.deepEqual(turns.sort(), [2, 3]);
});

Deno.test("--continue without any session starts one and says so", async () => {
  await using server = new ModelServer([{ text: "one" }]);
  await using bed = await bedFor(server.url);
  const { code, out, err } = await bed.run(["-p", "--continue", "go"]);
  assert.deepEqual([code, out], [0, "one\n"]);
  assert.match(err, /^! there is no session to continue here/);
});

/** A model that has begun to speak and says no more. */
function silent(onStart: () => void): RawServer {
  return new RawServer(async ({ stream, send, gone }) => {
    await stream();
    await send(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "well, " } }] })}\n\n`);
    onStart();
    await gone();
  });
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test({
    name: `${signal} saves the session and leaves within five seconds`,
    ignore: !unix,
    fn: async () => {
      const begun = Promise.withResolvers<void>();
      await using server = silent(begun.resolve);
      await using bed = await bedFor(server.url);
      const child = bed.start(["run", "--output-format", "json", "think"]);
      await begun.promise;
      const asked = performance.now();
      child.kill(signal);
      const { code, stdout } = await child.output();
      assert.ok(performance.now() - asked < 5000);
      const result = JSON.parse(new TextDecoder().decode(stdout));
      assert.deepEqual([code, result.code, result.is_error], [1, "turn.cancelled", true]);
      const shown = await bed.run(["session", "show", result.session_id, "--json"]);
      assert.equal(JSON.parse(shown.out).session.status, "idle");
    },
  });
}

Deno.test({
  name: "a signal while the session closes does not cut the closing short",
  ignore: !unix,
  fn: async () => {
    let workspace = "";
    const answer = async () => {
      while (!/^child/m.test(await Deno.readTextFile(`${workspace}/log`).catch(() => ""))) {
        await new Promise((done) => setTimeout(done, 20));
      }
      return new Response(
        `data: {"choices":[{"index":0,"delta":{"content":"one"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
        { headers: { "content-type": "text/event-stream" } },
      );
    };
    await using server = new ModelServer([{ response: answer }]);
    // It takes its time to go, and its child would stay.
    const stubborn = [Deno.execPath(), "run", "-A", "--no-check", "--quiet", ODD_SERVER, "stubborn", "log"];
    const plugin =
      `\n[sandbox]\nbash = "off"\n\n[[plugins]]\nname = "odd"\ncommand = ${JSON.stringify(stubborn[0])}\n` +
      `args = ${JSON.stringify(stubborn.slice(1))}\n`;
    await using bed = await bedFor(server.url, plugin);
    workspace = bed.workspace;
    const child = bed.start(["run", "--output-format", "json", "go"]);
    const reader = child.stdout.getReader();
    await reader.read();
    child.kill("SIGTERM");
    const { code, signal } = await child.status;
    await reader.cancel();
    await child.stderr.cancel();
    assert.deepEqual({ code, signal }, { code: 0, signal: null });
    const notes = lines(await Deno.readTextFile(`${bed.workspace}/log`));
    const pids = notes.flatMap((note) => /^(?:start|child) (\d+)$/.exec(note)?.[1] ?? []).map(Number);
    assert.deepEqual([pids.length, pids.filter(lives)], [2, []]);
  },
});

Deno.test({
  name: "after a kill every line of the trajectory is whole, and the session can be gone on with",
  ignore: !unix,
  fn: async () => {
    const begun = Promise.withResolvers<void>();
    let url = "";
    {
      await using server = silent(begun.resolve);
      await using bed = await bedFor(server.url);
      url = server.url;
      const child = bed.start(["run", "--trajectory", "t.jsonl", "think"]);
      await begun.promise;
      child.kill("SIGKILL");
      await child.output();
      const text = await Deno.readTextFile(`${bed.workspace}/t.jsonl`);
      assert.ok(text.endsWith("\n"));
      const records = lines(text).map((line) => JSON.parse(line));
      assert.deepEqual(records.map(({ seq }) => seq), records.map((_, index) => index + 1));
      assert.deepEqual([records[0].schema_version, records[0].event.kind], [1, "turn_status"]);
      await using next = new ModelServer([{ text: "again" }]);
      await Deno.writeTextFile(`${bed.home}/config.toml`, localProvider(`${next.url}/v1`));
      const { code, out } = await bed.run(["-p", "--continue", "go on"]);
      assert.deepEqual([code, out], [0, "again\n"]);
      assert.match(JSON.stringify(next.requests[0]!.body.messages), /think/);
    }
    assert.notEqual(url, "");
  },
});

Deno.test({
  name: "a reader that does not read holds up neither the work nor the end that a signal asks for",
  ignore: !unix,
  fn: async () => {
    const all = Promise.withResolvers<void>();
    // More than a pipe takes.
    const words = "words that nobody reads ".repeat(10_000);
    const last: WireStep = () => {
      all.resolve();
      return { text: "done" };
    };
    await using server = new ModelServer([{ text: words, calls: [{ name: "ls", args: {} }] }, last]);
    await using bed = await bedFor(server.url);
    const child = bed.start(["run", "--output-format", "stream-json", "go"]);
    await all.promise;
    child.kill("SIGTERM");
    const { code, signal } = await child.status;
    assert.deepEqual({ code, signal }, { code: 1, signal: null });
    await Promise.all([child.stdout.cancel(), child.stderr.cancel()]);
    const { out } = await bed.run(["session", "list", "--json"]);
    assert.equal(JSON.parse(out).sessions[0].status, "idle");
  },
});

Deno.test({
  name: "a reader that goes away ends the run quietly, with the session saved",
  ignore: !unix,
  fn: async () => {
    const many = Array.from(
      { length: 20 },
      (_, at): WireStep => ({ calls: [{ name: "ls", args: { path: `.${"/.".repeat(at)}` } }] }),
    );
    await using server = new ModelServer([...many, { text: "done" }]);
    await using bed = await bedFor(server.url);
    const child = bed.start(["run", "--output-format", "stream-json", "go"]);
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    const [{ code }, err] = await Promise.all([child.status, new Response(child.stderr).text()]);
    assert.notEqual(code, 0);
    assert.equal(err, "");
    const { out } = await bed.run(["session", "list", "--json"]);
    assert.equal(JSON.parse(out).sessions[0].status, "idle");
  },
});

Deno.test("a full device is told in one line, without a stack", { ignore: Deno.build.os !== "linux" }, async () => {
  await using server = new ModelServer([{ text: "one" }]);
  await using bed = await bedFor(server.url);
  const { program } = await import("../support/program.ts");
  const shell = `exec ${program.map((word) => `'${word}'`).join(" ")} run --output-format json hi >/dev/full`;
  const child = new Deno.Command("sh", { args: ["-c", shell], cwd: bed.workspace, clearEnv: true, env: bed.env() });
  const { code, stderr } = await child.output();
  const err = new TextDecoder().decode(stderr);
  assert.equal(code, 1, err);
  assert.match(err, /^error: cannot write the output: .*No space left/);
  assert.doesNotMatch(err, /\n\s+at /);
});

Deno.test("a run whose needed write was refused ends with 4 and names the refusal in every form", async () => {
  const script: readonly WireStep[] = [
    { calls: [{ name: "write_file", args: { path: "x.txt", content: "x" } }] },
    { text: "I could not." },
  ];
  await using server = new ModelServer(script);
  await using bed = await bedFor(server.url);
  const text = await bed.run(["-p", "write it"]);
  assert.deepEqual([text.code, text.out], [4, "I could not.\n"]);
  assert.match(text.err, /write_file: permission\.un/);
});

// proves ROAD-13
Deno.test("a flag of run lets this session alone do what the settings refuse", async () => {
  const script: readonly WireStep[] = [
    { calls: [{ name: "write_file", args: { path: "x.txt", content: "x" } }] },
    { text: "tried" },
  ];
  await using server = new ModelServer([...script, ...script, ...script]);
  await using bed = await bedFor(server.url);
  server.allowNextReset = true;
  assert.equal((await bed.run(["--allowed-tools", "Edit(x.txt)", "-p", "write it"])).code, 0);
  server.allowNextReset = true;
  assert.equal((await bed.run(["--permission-mode", "auto", "-p", "write it"])).code, 0);
  server.allowNextReset = true;
  assert.equal((await bed.run(["-p", "write it"])).code, 4);
});
