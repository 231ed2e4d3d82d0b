/** Settings read again within a conversation: all of them or none, and requests go on extending each other. */
import assert from "node:assert/strict";
import type { CommandAnswer } from "../../src/controller/mod.ts";
import { Harness, type HarnessOptions } from "../support/harness.ts";
import type { WireStep } from "../support/model_server.ts";

const run = (harness: Harness, line: string): Promise<CommandAnswer> => harness.controller.commands!.run(line);

const textOf = (answer: CommandAnswer): string => "text" in answer ? answer.text ?? "" : "";

function start(script: readonly WireStep[], options: HarnessOptions = {}): Promise<Harness> {
  return Harness.start(script, { ...options, request: { interactive: true, ...options.request } });
}

/** More lines for the user's settings. */
async function settings(harness: Harness, change: (text: string) => string): Promise<void> {
  const file = `${harness.home}/config.toml`;
  await Deno.writeTextFile(file, change(await Deno.readTextFile(file)));
}

const write = (path: string) => ({ calls: [{ name: "write_file", args: { path, content: "x" } }] });
const shell = (command: string, background = false) => ({
  calls: [{ name: "bash", args: { command, ...(background ? { run_in_background: true } : {}) } }],
});

Deno.test("rules, limits and models that were written meanwhile hold after /reload, and the prefix stays", async () => {
  await using harness = await start([write("a.txt"), { text: "1" }, write("b.txt"), { text: "2" }, { text: "3" }], {
    provider: "context_window = 50000",
  });
  await harness.prompt("first");
  const rules = '[permissions]\ndeny = ["Edit(b.txt)"]\n[agent]\ncompact_ratio = 0.5\n';
  await settings(
    harness,
    (text) => `${text.replace('model = "test-model"', 'models = ["test-model", "other"]')}\n${rules}`,
  );
  assert.equal(textOf(await run(harness, "/reload")), "The settings were read again.");
  await harness.prompt("second");
  assert.match(harness.results.at(-1)!, /^blocked: .*Edit\(b\.txt\)/);
  await assert.rejects(Deno.stat(`${harness.root}/b.txt`));
  const context = await run(harness, "/context");
  assert.equal(context.kind === "text" && context.bar?.trigger, 25_000);
  assert.deepEqual(await run(harness, "/model local/other"), { kind: "done", text: "Model: local/other" });
});

Deno.test("settings that cannot be used change nothing, and what is wrong is told", async () => {
  await using harness = await start([write("a.txt"), { text: "1" }]);
  const before = await Deno.readTextFile(`${harness.home}/config.toml`);
  const cases: [change: (text: string) => string, told: RegExp][] = [
    [() => "default_model = [\n", /config\.toml/],
    [(text) => `${text}\n[permissions]\ndeny = ["Edit("]\n`, /deny rule/],
    [
      (text) => text.replaceAll("test-model", "renamed"),
      /the model of this session: unknown model "local\/test-model"/,
    ],
    [
      (text) =>
        text.replace('api_key_env = ""', 'api_key_env = "NO_SUCH_KEY"').replace(
          /base_url = ".*"/,
          'base_url = "https://api.example.com"',
        ),
      /missing env NO_SUCH_KEY/,
    ],
  ];
  for (const [change, told] of cases) {
    await settings(harness, change);
    const answer = await run(harness, "/reload");
    assert.equal(answer.kind, "error", String(told));
    assert.match(textOf(answer), told);
    await settings(harness, () => before);
  }
  await harness.put(".reasonix/x", "");
  await Deno.writeTextFile(`${harness.home}/settings.json`, "{ hooks");
  assert.match(textOf(await run(harness, "/reload")), /settings\.json/);
  await harness.prompt("goes on");
  assert.equal(await harness.text("a.txt"), "x");
});

Deno.test("what belongs to the conversation stays: jobs, grants, posture, plan mode and the task list", async () => {
  const until = "until [ -e go ]; do sleep 0.05; done";
  await using harness = await start([
    shell(until, true),
    { calls: [{ name: "todo_write", args: { todos: [{ content: "one", status: "in_progress" }] } }] },
    { text: "1" },
    shell(until),
    { text: "2" },
  ], { request: { posture: "ask" } });
  const asked: string[] = [];
  harness.controller.subscribe((event) => {
    if (event.kind !== "approval_request") return;
    asked.push(event.approval.subject);
    const answer = event.approval.sessionRule ? "session" : "once";
    queueMicrotask(() => harness.controller.send({ kind: "approve", id: event.approval.id, answer }));
  });
  await harness.prompt("first");
  await run(harness, "/plan on");
  const { sessionId } = harness.controller;
  await settings(harness, (text) => `${text}\n[tools]\nbash_timeout_seconds = 7\n`);
  await run(harness, "/reload");
  assert.deepEqual(
    [harness.controller.sessionId, harness.controller.posture, harness.controller.mode],
    [sessionId, "ask", "plan"],
  );
  assert.match(textOf(await run(harness, "/todo")), /one/);
  const ended = new Promise<void>((done) => harness.controller.subscribe(({ kind }) => kind === "job_ended" && done()));
  await harness.put("go", "");
  await ended;
  await run(harness, "/plan off");
  await harness.prompt("the same again, and nobody is asked");
  assert.deepEqual(asked, [until]);
});

Deno.test("what a person changed since the agent has seen it stays protected over a reload", async () => {
  const read = { calls: [{ name: "read_file", args: { path: "a.txt" } }] };
  await using harness = await start([read, { text: "1" }, write("a.txt"), { text: "2" }], {
    files: { "a.txt": "old" },
  });
  await harness.prompt("first");
  await run(harness, "/reload");
  await harness.put("a.txt", "by hand");
  await harness.prompt("second");
  assert.match(harness.results.at(-1)!, /holds something else than when you last read or wrote it/);
  assert.equal(await harness.text("a.txt"), "by hand");
});

Deno.test("what commands left in their temporary folder is there after a reload", async () => {
  const note = `/tmp/reasonix-note-${crypto.randomUUID()}`;
  await using harness = await start([shell(`echo kept > ${note}`), { text: "1" }, shell(`cat ${note}; rm ${note}`), {
    text: "2",
  }]);
  await harness.prompt("first");
  await settings(harness, (text) => `${text}\n[tools]\nbash_timeout_seconds = 7\n`);
  await run(harness, "/reload");
  await harness.prompt("second");
  assert.match(harness.results.at(-1)!, /^kept/);
});

/** The next notice that speaks of settings. */
function nextWord({ controller }: Harness): Promise<string> {
  return new Promise((told) => {
    const unsubscribe = controller.subscribe((event) => {
      if (event.kind !== "notice" || !/settings/i.test(event.text)) return;
      unsubscribe();
      told(`${event.level}: ${event.text}`);
    });
  });
}

Deno.test("/reload during a turn waits for its end, one is enough, and its outcome is told", async () => {
  await using harness = await start([{ text: "1" }]);
  const told = nextWord(harness);
  const turn = harness.prompt("first");
  assert.deepEqual(await run(harness, "/reload"), {
    kind: "done",
    text: "The settings are read again when what runs has ended.",
  });
  assert.deepEqual(await run(harness, "/reload"), { kind: "error", text: "a reload is waiting already" });
  assert.equal(await told, "info: The settings were read again.");
  const ends = harness.events.map(({ kind }) => kind).filter((kind) =>
    kind === "turn_done" || kind === "model_changed"
  );
  assert.deepEqual(ends, ["turn_done", "model_changed"]);
  await turn;
});

Deno.test("a reload that waited and failed is told, and the conversation goes on as before", async () => {
  await using harness = await start([{ text: "1" }, { text: "2" }]);
  const told = nextWord(harness);
  const turn = harness.prompt("first");
  await settings(harness, () => "[[[");
  await run(harness, "/reload");
  await turn;
  assert.match(await told, /^error: The settings stay as they were: .*config\.toml/);
  assert.equal((await harness.prompt("second")).answer, "2");
});

Deno.test("hooks that were added run after /reload, and those that were taken away do not", async () => {
  await using harness = await start([write("a.txt"), { text: "1" }, write("b.txt"), { text: "2" }, write("c.txt"), {
    text: "3",
  }]);
  const hooks = `${harness.home}/settings.json`;
  const no = { hooks: { PreToolUse: [{ match: "write_file", command: "echo no >&2; exit 2" }] } };
  await harness.prompt("first");
  await Deno.writeTextFile(hooks, JSON.stringify(no));
  await run(harness, "/reload");
  await harness.prompt("second");
  assert.match(harness.results.at(-1)!, /^blocked: /);
  await Deno.remove(hooks);
  await run(harness, "/reload");
  await harness.prompt("third");
  assert.equal(await harness.text("c.txt"), "x");
});

Deno.test("a key that is saved is in force at once, and no event ever holds it", async () => {
  const paid = `[[providers]]
name = "paid"
base_url = "https://api.example.com/v1"
model = "m"
api_key_env = "PAID_KEY"
`;
  await using harness = await start([], { config: paid });
  assert.match(textOf(await run(harness, "/model paid/m")), /missing env PAID_KEY/);
  assert.match(textOf(await run(harness, "/auth")), /- PAID_KEY: key missing · for paid/);
  const asked = await run(harness, "/auth paid");
  assert.deepEqual(asked.kind === "frontend" && [asked.action, asked.argument], ["secret", "PAID_KEY"]);
  const secret = "sk-live-0123456789abcdef";
  const receipt = harness.controller.send({ kind: "save_key", name: "PAID_KEY", value: secret });
  assert.ok(receipt.accepted);
  await receipt.done;
  assert.match(textOf(await run(harness, "/auth")), /- PAID_KEY: key saved · for paid/);
  assert.deepEqual(await run(harness, "/model paid/m"), { kind: "done", text: "Model: paid/m" });
  assert.match(await Deno.readTextFile(`${harness.home}/.env`), new RegExp(`PAID_KEY=.*${secret}`));
  assert.equal((await Deno.stat(`${harness.home}/.env`)).mode! & 0o777, 0o600);
  assert.equal(JSON.stringify(harness.events).includes(secret), false);
  assert.match(textOf(await run(harness, "/auth nobody")), /no provider wants a key "nobody"; they want PAID_KEY/);
});
