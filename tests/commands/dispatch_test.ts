/** Slash commands in a whole session, as a frontend runs them. */
import assert from "node:assert/strict";
import type { CommandAnswer } from "../../src/controller/mod.ts";
import { Harness, type HarnessOptions } from "../support/harness.ts";
import type { WireStep } from "../support/model_server.ts";

async function start(script: readonly WireStep[] = [], options: HarnessOptions = {}): Promise<Harness> {
  return await Harness.start(script, { ...options, request: { interactive: true, ...options.request } });
}

const run = (harness: Harness, line: string): Promise<CommandAnswer> => harness.controller.commands!.run(line);

const textOf = (answer: CommandAnswer): string => "text" in answer ? answer.text ?? "" : "";

Deno.test("built-in commands act on the session and none of them reaches the model", async () => { // proves CMD-01
  await using harness = await start();
  const answers: Record<string, string> = {};
  for (const { name, group } of harness.controller.commands!.list()) {
    if (group !== "built_in") continue;
    answers[name] = (await run(harness, `/${name}`)).kind;
  }
  assert.deepEqual(harness.model.requests, []);
  assert.equal(Object.values(answers).includes("prompt"), false);
  assert.equal(Object.values(answers).includes("unknown"), false);
});

Deno.test("every built-in command has a line of help, and wrong arguments get the usage", async () => {
  await using harness = await start();
  for (const { name, argumentHint, summary, group } of harness.controller.commands!.list()) {
    if (group !== "built_in") continue;
    assert.match(summary, /^[A-Z].{5,90}[^.]$/, name);
    assert.match(textOf(await run(harness, `/help ${name}`)), new RegExp(`Usage: /${name}`));
    if (argumentHint !== "") continue;
    const answer = await run(harness, `/${name} surplus words`);
    assert.equal(answer.kind, "error", name);
    assert.match(textOf(answer), new RegExp(`Usage: /${name}$`), name);
  }
  for (
    const line of [
      "/rewind soon",
      "/rewind 1 sideways",
      "/switch",
      "/plan maybe",
      "/permissions everything",
      "/theme plaid",
      "/copy two",
      "/memory restore x",
      "/remember",
      "/steer",
    ]
  ) {
    const answer = await run(harness, line);
    assert.equal(answer.kind, "error", line);
    assert.match(textOf(answer), /\nUsage: \//, line);
  }
});

Deno.test("headless runs have no slash commands: a line is a message", async () => { // proves SUB-08
  await using harness = await Harness.start([{ text: "ok" }]);
  assert.equal(harness.controller.commands, undefined);
  await harness.prompt("/help me");
  assert.equal(harness.model.requests[0]!.body.messages.at(-1).content, "/help me");
});

Deno.test("an unknown command names the nearest, a retired one what to do instead", async () => {
  await using harness = await start();
  assert.deepEqual(await run(harness, "/stauts"), { kind: "unknown", nearest: "/status" });
  assert.deepEqual(await run(harness, "/xyzzyplugh"), { kind: "unknown" });
  assert.deepEqual(await run(harness, "/web"), {
    kind: "error",
    text: "/web is no more. The page is opened with `reasonix web` in a shell.",
  });
});

Deno.test("/new keeps the old conversation, /clear asks first and then removes it", async () => { // proves CMD-02, CMD-03
  await using harness = await start([{ text: "1" }, { text: "2" }]);
  await harness.prompt("first");
  const first = harness.controller.sessionPath;
  await run(harness, "/new");
  assert.notEqual(harness.controller.sessionPath, first);
  harness.model.allowNextReset = true;
  await harness.prompt("second");
  const second = harness.controller.sessionPath;
  const asked = await run(harness, "/clear");
  assert.equal(asked.kind, "screen");
  assert.equal((await Deno.stat(second)).isFile, true);
  assert.deepEqual(
    asked.kind === "screen" && asked.screen.rows.map(({ current, actions }) => [current, actions.enter?.line]),
    [[true, "/clear no"], [undefined, "/clear yes"]],
  );
  await run(harness, "/clear no");
  assert.equal(harness.controller.sessionPath, second);
  await run(harness, "/clear yes");
  assert.equal((await Deno.stat(first)).isFile, true);
  await assert.rejects(Deno.stat(second), Deno.errors.NotFound);
  assert.equal(harness.controller.messages.length, 0);
});

Deno.test("a custom command is the next user turn, with its arguments in place", async () => { // proves CMD-04, CMD-07, CMD-13
  await using harness = await start([{ text: "ok" }], {
    files: {
      ".reasonix/commands/review.md":
        "---\ndescription: Review the staged diff\nargument-hint: [focus]\n---\nReview. Focus on $ARGUMENTS.",
      ".reasonix/commands/status.md": "hijacked",
      ".reasonix/commands/git/commit.md": "Commit $1.",
    },
  });
  await Deno.mkdir(`${harness.home}/commands`);
  await Deno.writeTextFile(`${harness.home}/commands/mine.md`, "Mine.");
  const answer = await run(harness, "/review  speed and   safety");
  assert.deepEqual(answer, { kind: "prompt", text: "Review. Focus on speed and safety." });
  await harness.prompt(textOf(answer));
  assert.equal(harness.model.requests[0]!.body.messages.at(-1).content, "Review. Focus on speed and safety.");
  assert.deepEqual(await run(harness, "/git:commit now"), { kind: "prompt", text: "Commit now." });
  assert.equal((await run(harness, "/status")).kind, "text");
  await run(harness, "/reload-cmd");
  const custom = harness.controller.commands!.list().filter(({ group }) => group === "custom");
  assert.deepEqual(custom, [
    { name: "git:commit", summary: "Commit $1.", argumentHint: "", group: "custom" },
    { name: "mine", summary: "Mine.", argumentHint: "", group: "custom" },
    { name: "review", summary: "Review the staged diff", argumentHint: "[focus]", group: "custom" },
  ]);
});

Deno.test("a command that came with the folder cannot name files outside of it; one of the person's can", async () => {
  await using harness = await start([{ text: "ok" }], {
    files: { ".reasonix/commands/look.md": "Look at @$2/etc/hostname." },
  });
  await Deno.mkdir(`${harness.home}/commands`);
  await Deno.writeTextFile(`${harness.home}/commands/mine.md`, "Look at @/etc/hostname.");
  await run(harness, "/reload-cmd");
  const answer = await run(harness, "/look now");
  assert.equal(answer.kind, "error");
  assert.match(textOf(answer), /\/look came with this folder and refers to @\/etc\/hostname/);
  assert.equal(harness.model.requests.length, 0);
  assert.deepEqual(await run(harness, "/mine"), { kind: "prompt", text: "Look at @/etc/hostname." });
});

Deno.test("/rewind lists turns, then what would change, and does what was listed and nothing else", async () => {
  await using harness = await start([
    { calls: [{ name: "write_file", args: { path: "a.txt", content: "agent" } }] },
    { text: "done" },
    { text: "more" },
  ], { files: { "a.txt": "before" } });
  await harness.prompt("write it");
  const turns = await run(harness, "/rewind");
  assert.deepEqual(turns.kind === "screen" && turns.screen.rows.map(({ label }) => label), ["1  write it"]);
  const listed = await run(harness, "/rewind 1 both");
  assert.match(
    textOf(listed),
    /^Back to before turn 1:\n- restore a\.txt\n\nTo do it: `\/rewind 1 both --yes=[0-9a-f]{12}`$/,
  );
  assert.equal(await harness.text("a.txt"), "agent");
  const line = listed.kind === "screen" ? listed.screen.rows[0]!.actions.enter!.line : "";
  await harness.put("a.txt", "by hand");
  const again = await run(harness, line);
  assert.match(textOf(again), /leave a\.txt \(manual edit/);
  assert.equal(await harness.text("a.txt"), "by hand");
  await harness.put("a.txt", "agent");
  assert.deepEqual(await run(harness, line), { kind: "done", draft: "write it" });
  assert.equal(await harness.text("a.txt"), "before");
  assert.equal((await run(harness, "/rewind undo")).kind, "done");
  assert.equal(await harness.text("a.txt"), "agent");
  assert.deepEqual(await run(harness, "/rewind 1 code other.txt"), {
    kind: "done",
    text: "No file differs from what it was before that turn.",
  });
  assert.equal((await run(harness, "/rewind 1 code a.txt --yes")).kind, "done");
  assert.equal(await harness.text("a.txt"), "before");
});

Deno.test("/rewind says in words what is not saved", async () => {
  await using harness = await start([
    {
      calls: [
        { name: "write_file", args: { path: "a.txt", content: "agent" } },
        { name: "bash", args: { command: "echo x > b.txt" } },
      ],
    },
    { text: "done" },
    { calls: [{ name: "bash", args: { command: "echo y > b.txt" } }] },
    { text: "done" },
  ]);
  await harness.prompt("both");
  await harness.prompt("bash alone");
  const turns = await run(harness, "/rewind");
  assert.deepEqual(
    turns.kind === "screen" && turns.screen.rows.map(({ detail }) => detail!.replace(/^.{16} {2}/, "")),
    [
      "nothing is saved",
      "1 file  not everything is saved",
    ],
  );
  assert.match(textOf(await run(harness, "/rewind 1 code")), /^- not saved: what commands wrote$/m);
});

Deno.test("/branch, /tree and /switch go between the ways a conversation took", async () => {
  await using harness = await start([{ text: "1" }, { text: "2" }]);
  await harness.prompt("first");
  await harness.prompt("second");
  const { sessionId } = harness.controller;
  assert.deepEqual(await run(harness, "/branch 2 other way"), {
    kind: "done",
    text: "This is branch other way now.",
    draft: "second",
  });
  const tree = await run(harness, "/tree");
  const rows = tree.kind === "screen" ? tree.screen.rows : [];
  assert.deepEqual(rows.map(({ label, current }) => [label, current]), [["first", undefined], ["  └ other way", true]]);
  await run(harness, `/switch ${sessionId}`);
  assert.equal(harness.controller.sessionId, sessionId);
  assert.equal((await run(harness, "/switch nowhere")).kind, "error");
});

Deno.test("/context says what fills the window, and its parts add up", async () => {
  await using harness = await start([
    { calls: [{ name: "read_file", args: { path: "a.txt" } }] },
    { text: "read it" },
  ], { files: { "a.txt": "line\n".repeat(400) }, provider: "context_window = 100000" });
  await harness.prompt("read a.txt");
  const answer = await run(harness, "/context");
  assert.ok(answer.kind === "text" && answer.bar);
  const { parts, used, window, trigger } = answer.bar;
  assert.deepEqual(parts.map(({ kind }) => kind), ["system", "tools", "user", "assistant", "results", "host"]);
  const sum = parts.reduce((all, { tokens }) => all + tokens, 0);
  assert.ok(Math.abs(sum - used) <= parts.length, `${sum} of ${used}`);
  assert.deepEqual([window, trigger], [100_000, 90_000]);
});

Deno.test("/export writes a new file and never over one; /copy gives the last answer", async () => {
  await using harness = await start([{ text: "the answer" }]);
  await harness.prompt("a question");
  assert.deepEqual(await run(harness, "/export talk.md"), { kind: "done", text: `Written to ${harness.root}/talk.md` });
  assert.match(await harness.text("talk.md"), /## You\n\na question\n\n## Reasonix\n\nthe answer\n$/);
  assert.equal((await run(harness, "/export talk.md")).kind, "error");
  assert.deepEqual(await run(harness, "/copy"), { kind: "frontend", action: "copy", argument: "the answer" });
  assert.equal((await run(harness, "/copy 1")).kind, "error");
});

Deno.test("settings go to the user's file, with their comments kept", async () => {
  await using harness = await start([], { config: "# mine\n" });
  assert.deepEqual(await run(harness, "/theme dark"), {
    kind: "frontend",
    action: "setting",
    argument: "theme dark",
    text: "Theme: dark.",
  });
  await run(harness, "/theme ember");
  const file = await Deno.readTextFile(`${harness.home}/config.toml`);
  assert.match(file, /# mine/);
  assert.match(file, /theme = "dark"\ntheme_style = "ember"/);
  const shown = await run(harness, "/theme");
  assert.deepEqual(
    shown.kind === "screen" && shown.screen.rows.filter(({ current }) => current).map(({ label }) => label),
    ["dark", "ember"],
  );
});

Deno.test("/model, /effort, /permissions and /plan change what holds from now on", async () => {
  await using harness = await start();
  assert.match(textOf(await run(harness, "/model nothing-like-it")), /unknown model "nothing-like-it"/);
  assert.deepEqual(await run(harness, "/effort high"), { kind: "done", text: "Model: local/test-model, effort high" });
  assert.deepEqual(await run(harness, "/permissions acceptedits"), { kind: "done", text: "Posture: acceptEdits" });
  assert.equal(harness.controller.posture, "accept_edits");
  assert.deepEqual(await run(harness, "/plan"), { kind: "done", text: "Plan mode is on." });
  assert.equal(harness.controller.mode, "plan");
  await run(harness, "/plan off");
  assert.equal(harness.controller.mode, "normal");
});

// proves CTX-18
Deno.test("/max-output offers its presets, and the next request has the one that was chosen", async () => {
  await using harness = await start([{ text: "1" }, { text: "2" }], { provider: "max_output_tokens = 9000" });
  const limits = () => harness.model.requests.map(({ body }) => body.max_tokens ?? body.max_completion_tokens);
  const answer = await run(harness, "/max-output");
  assert.deepEqual(
    answer.kind === "screen" && answer.screen.rows.map(({ label, current }) => [label, current === true]),
    [["auto", true], ["32768", false], ["65536", false], ["131072", false], ["none", false]],
  );
  await harness.prompt("first");
  assert.deepEqual(await run(harness, "/max-output 65536"), { kind: "done", text: "Longest answer: 65536" });
  // The number stands before the conversation in the body, and no cache goes by it.
  harness.model.allowNextReset = true;
  await harness.prompt("second");
  assert.deepEqual(limits(), [9000, 65536]);
  await run(harness, "/max-output none");
  assert.equal(harness.controller.model.maxOutputTokens, -1);
  await run(harness, "/max-output auto");
  assert.equal(harness.controller.model.maxOutputTokens, undefined);
  assert.equal((await run(harness, "/max-output long")).kind, "error");
});

// A second provider, with a key that is not there, and one of the folder's own.
const PROVIDERS = `[[providers]]
name = "paid"
display_name = "The paid one"
kind = "anthropic"
base_url = "https://api.example.com/anthropic"
models = ["small", "large"]
api_key_env = "PAID_KEY"
`;

Deno.test("/provider lists the providers with their keys, and goes on to the models of one", async () => {
  await using harness = await start([], { config: PROVIDERS });
  const { host } = new URL(harness.model.url);
  const answer = await run(harness, "/provider");
  assert.deepEqual(answer.kind === "screen" && answer.screen.rows, [
    {
      label: "The paid one (paid)",
      detail: "key missing (PAID_KEY) · anthropic · api.example.com",
      actions: { enter: { label: "models", line: "/provider paid" } },
    },
    {
      label: "local",
      detail: `no key needed · openai · ${host}`,
      current: true,
      actions: { enter: { label: "models", line: "/provider local" } },
    },
  ]);
  const models = await run(harness, "/provider paid");
  assert.deepEqual(
    models.kind === "screen" && models.screen.rows.map(({ label, actions }) => [label, actions.enter?.line]),
    [["paid/small", "/model paid/small"], ["paid/large", "/model paid/large"]],
  );
  assert.match(textOf(await run(harness, "/model paid/small")), /missing env PAID_KEY\nTo save it: \/auth$/);
  assert.match(textOf(await run(harness, "/provider piad")), /there is no provider "piad"; did you mean paid\?/);
});

Deno.test("/rename gives a title that lists and /resume know", async () => {
  await using harness = await start([{ text: "1" }]);
  await harness.prompt("first");
  const { sessionId } = harness.controller;
  assert.deepEqual(await run(harness, "/rename  My   title "), { kind: "done", text: "Title: My title" });
  await run(harness, "/new");
  await run(harness, "/resume my title");
  assert.equal(harness.controller.sessionId, sessionId);
});
