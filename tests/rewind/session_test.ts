/** Going back within a session, entered by the public door: what the files hold, and what the model is sent after it. */
import assert from "node:assert/strict";
import type { Intent } from "../../src/contract/intent.ts";
import { Harness } from "../support/harness.ts";

const write = (path: string, content: string) => ({ calls: [{ name: "write_file", args: { path, content } }] });

async function send(harness: Harness, intent: Intent) {
  const receipt = harness.controller.send(intent);
  if (!receipt.accepted) throw new Error(receipt.reason);
  await receipt.done;
}

const userTexts = (harness: Harness) =>
  (harness.model.requests.at(-1)!.body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === "user").map(({ content }) => content).slice(1);

Deno.test("going back brings back what the agent touched and nothing else", async () => {
  await using harness = await Harness.start([
    { calls: [{ name: "read_file", args: { path: "a.txt" } }] },
    { calls: [{ name: "edit_file", args: { path: "a.txt", old_string: "one", new_string: "two" } }] },
    write("made/new.txt", "new"),
    { text: "done" },
    { text: "again" },
  ], { files: { "a.txt": "one\n", "b.txt": "b\n" } });
  const git = async (...args: string[]) => {
    const { stdout } = await new Deno.Command("git", { args, cwd: harness.root }).output();
    return new TextDecoder().decode(stdout);
  };
  await git("init", "-q");
  await git("config", "user.email", "a@b");
  await git("config", "user.name", "a");
  await harness.prompt("first");
  await git("add", ".");
  await git("commit", "-qm", "by the person");
  await harness.put("data.bin", "precious");
  await harness.put("b.txt", "edited by hand\n");
  await git("add", "b.txt");
  const before = [await git("rev-parse", "HEAD"), await git("diff", "--cached")];
  await send(harness, { kind: "rewind", turn: 1, scope: "both" });
  assert.equal(await harness.text("a.txt"), "one\n");
  await assert.rejects(Deno.stat(`${harness.root}/made`), Deno.errors.NotFound);
  assert.equal(await harness.text("data.bin"), "precious");
  assert.equal(await harness.text("b.txt"), "edited by hand\n");
  assert.deepEqual([await git("rev-parse", "HEAD"), await git("diff", "--cached")], before);
  const told = harness.events.find((event) => event.kind === "rewound");
  assert.equal(told?.prompt, "first");
  await send(harness, { kind: "undo_rewind" });
  assert.equal(await harness.text("a.txt"), "two\n");
  assert.equal(await harness.text("made/new.txt"), "new");
  await harness.prompt("second");
  assert.deepEqual(userTexts(harness), ["first", "second"]);
});

Deno.test("a cut tells the task list and the size of the conversation that is left", async () => {
  const todos = (...more: { content: string; status: string }[]) => ({
    calls: [{ name: "todo_write", args: { todos: [{ content: "one", status: "in_progress" }, ...more] } }],
  });
  const longer = todos({ content: "two", status: "pending" });
  await using harness = await Harness.start([todos(), { text: "1" }, longer, { text: "x".repeat(40_000) }]);
  await harness.prompt("first");
  await harness.prompt("second");
  const told = () => {
    const event = harness.events.findLast((event) => event.kind === "rewound");
    return { todos: event?.todos?.map(({ content }) => content), tokens: event?.contextTokens ?? 0 };
  };
  await send(harness, { kind: "rewind", turn: 2, scope: "conversation" });
  const cut = told();
  await send(harness, { kind: "undo_rewind" });
  const whole = told();
  assert.deepEqual([cut.todos, whole.todos], [["one"], ["one", "two"]]);
  assert.ok(cut.tokens > 0 && whole.tokens > cut.tokens + 5_000, `${cut.tokens}, then ${whole.tokens}`);
  await send(harness, { kind: "rewind", turn: 1, scope: "both" });
  assert.deepEqual(told().todos, []);
});

Deno.test("after a cut the model sees what came before it, byte for byte, and the file keeps everything", async () => {
  await using harness = await Harness.start([{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }]);
  await harness.prompt("first");
  await harness.prompt("second");
  const stored = await Deno.readTextFile(harness.controller.sessionPath);
  await send(harness, { kind: "rewind", turn: 2, scope: "conversation" });
  await harness.prompt("instead");
  assert.deepEqual(userTexts(harness), ["first", "instead"]);
  const [first, , third] = harness.model.requests.map(({ text }) => text);
  const open = first!.replace(/[\]}]+$/, "");
  assert.equal(third!.slice(0, open.length), open);
  assert.ok((await Deno.readTextFile(harness.controller.sessionPath)).startsWith(stored));
  await harness.controller.close();
  await harness.open({ resume: "latest" });
  await harness.prompt("and on");
  assert.deepEqual(userTexts(harness), ["first", "instead", "and on"]);
});

Deno.test("a file that somebody changed since is left as it is and named, unless it is forced", async () => {
  await using harness = await Harness.start([
    {
      calls: [{ name: "write_file", args: { path: "a.txt", content: "agent" } }, {
        name: "write_file",
        args: { path: "b.txt", content: "agent" },
      }],
    },
    { text: "done" },
  ], { files: { "a.txt": "before", "b.txt": "before" } });
  await harness.prompt("write");
  await harness.put("b.txt", "by hand");
  await send(harness, { kind: "rewind", turn: 1, scope: "code" });
  assert.equal(await harness.text("a.txt"), "before");
  assert.equal(await harness.text("b.txt"), "by hand");
  const told = harness.events.filter((event) => event.kind === "rewound");
  assert.deepEqual(told[0]!.conflicts.map(({ kind, path }) => [kind, path]), [
    ["manual_edit", `${harness.root}/b.txt`],
  ]);
  await send(harness, { kind: "rewind", turn: 1, scope: "code", force: true });
  assert.equal(await harness.text("b.txt"), "before");
  await send(harness, { kind: "undo_rewind" });
  assert.equal(await harness.text("b.txt"), "by hand");
});

Deno.test("what a command did to files the agent had written goes back with them", async () => {
  await using harness = await Harness.start([
    write("a.txt", "agent\n"),
    { calls: [{ name: "bash", args: { command: "printf 'formatted\\n' > a.txt" } }] },
    { text: "done" },
    { calls: [{ name: "bash", args: { command: "printf 'again\\n' > a.txt" } }] },
    { text: "done" },
  ], { files: { "a.txt": "before\n" }, request: { posture: "yolo" } });
  await harness.prompt("write and format");
  await harness.prompt("once more");
  await send(harness, { kind: "rewind", turn: 2, scope: "code" });
  assert.equal(await harness.text("a.txt"), "formatted\n");
  await send(harness, { kind: "rewind", turn: 1, scope: "code" });
  assert.equal(await harness.text("a.txt"), "before\n");
});

Deno.test("a branch goes on from an earlier turn and leaves the conversation it came from as it was", async () => {
  await using harness = await Harness.start([{ text: "1" }, { text: "2" }, { text: "3" }]);
  await harness.prompt("first");
  await harness.prompt("second");
  const { sessionId, sessionPath } = harness.controller;
  const stored = await Deno.readTextFile(sessionPath);
  harness.model.allowNextReset = true;
  await send(harness, { kind: "branch", turn: 2, title: "other way" });
  assert.notEqual(harness.controller.sessionId, sessionId);
  await harness.prompt("third");
  assert.deepEqual(userTexts(harness), ["first", "third"]);
  assert.equal(await Deno.readTextFile(sessionPath), stored);
  const meta = JSON.parse(await Deno.readTextFile(`${harness.controller.sessionPath}.meta`));
  assert.deepEqual([meta.parent_id, meta.custom_title], [sessionId, "other way"]);
});

Deno.test("a discarded conversation is gone from the disk, and a new one is open", async () => {
  await using harness = await Harness.start([write("a.txt", "x"), { text: "1" }, { text: "2" }]);
  await harness.prompt("first");
  const { sessionPath } = harness.controller;
  harness.model.allowNextReset = true;
  await send(harness, { kind: "discard_session" });
  const folder = sessionPath.slice(0, sessionPath.lastIndexOf("/"));
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), []);
  await harness.prompt("anew");
  assert.deepEqual(userTexts(harness), ["anew"]);
});

Deno.test("going back to a turn there is not, or twice, says so and changes nothing", async () => {
  await using harness = await Harness.start([{ text: "1" }]);
  await harness.prompt("first");
  await assert.rejects(send(harness, { kind: "rewind", turn: 2, scope: "both" }), /no turn 2; there are 1/);
  await assert.rejects(send(harness, { kind: "undo_rewind" }), /nothing to take back/);
  assert.equal(harness.controller.messages.filter(({ role }) => role === "user").length, 2);
});
