// What the keys do, and in which order Stop is tried.
import assert from "node:assert/strict";
import { TestScreen } from "../support/test_screen.ts";

const ESC = "\x1b";
const CTRL_C = "\x03";

Deno.test("Enter sends, also while a turn runs, and what waits is shown", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  await screen.type("first\r");
  screen.begin("first");
  screen.receipt = { accepted: true, queued: "q1" };
  await screen.type("second\r");
  assert.deepEqual(screen.sent, [{ kind: "prompt", text: "first" }, { kind: "prompt", text: "second" }]);
  screen.waits(["second", { text: "for now", state: "guidance" }]);
  await screen.shows("2 queued");
  await screen.shows("→ for now");
  screen.waits([]);
  await screen.hides("queued");
});

Deno.test("a message that the queue does not take stays in the composer", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.receipt = { accepted: false, reason: "no", code: "inbox.full" };
  await screen.type("one too many\r");
  await screen.shows("The queue is full: it holds 64 messages and 64 MiB.");
  await screen.shows(/─\none too many/);
});

Deno.test("a command of the person's own that has to wait for the turn stays in the composer", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  await screen.type("!ls -la\r");
  await screen.shows("Not while a turn is running.");
  await screen.shows(/─\n!ls -la/);
});

Deno.test("Up and Down take waiting messages up while a turn runs; Enter puts the new text in its place", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.waits(["one", "two"]);
  screen.keys("\x1b[A");
  await screen.shows("queued message 2");
  await screen.shows(/─\ntwo/);
  screen.keys("\x1b[A", "\x1b[A");
  await screen.shows(/queued message 1 ─+\none/);
  screen.keys("\x1b[B");
  await screen.shows("queued message 2");
  await screen.type("!\r");
  assert.deepEqual(screen.sent.map((intent) => intent.kind === "inbox" && intent.order), [
    { do: "hold", id: "q2" },
    { do: "hold", id: "q1" },
    { do: "hold", id: "q2" },
    { do: "edit", id: "q2", text: "two!" },
  ]);
  await screen.hides("queued message");
});

Deno.test("Escape leaves a waiting message as it was, and Down past the last one too; the turn goes on", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.waits(["one"]);
  screen.keys("\x1b[A");
  await screen.type(" more");
  screen.keys(ESC);
  await screen.hides("queued message");
  screen.keys("\x1b[A", "\x1b[B");
  await screen.hides("queued message");
  assert.deepEqual(screen.sent.map((intent) => intent.kind === "inbox" && intent.order.do), [
    "hold",
    "release",
    "hold",
    "release",
  ]);
});

Deno.test("a waiting message can be given to the running turn as guidance, and then waits no more", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.waits(["use tabs"]);
  screen.keys("\x1b[A", "\x1bs");
  assert.deepEqual(screen.sent.slice(1), [
    { kind: "steer", text: "use tabs" },
    { kind: "inbox", order: { do: "delete", id: "q1" } },
  ]);
  await screen.hides("queued message");
});

Deno.test("Ctrl+C between turns leaves a waiting message as it was", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.waits(["later"]);
  screen.keys("\x1b[A");
  screen.done();
  screen.keys(CTRL_C);
  await screen.hides("queued message");
  assert.deepEqual(screen.sent.map((intent) => intent.kind === "inbox" && intent.order.do), ["hold", "release"]);
});

Deno.test("a waiting message without text is dropped; one that went out meanwhile is a draft", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.waits(["x", "y"]);
  screen.keys("\x1b[A", "\x7f", "\r");
  assert.deepEqual(screen.sent.at(-1), { kind: "inbox", order: { do: "delete", id: "q2" } });
  screen.waits(["x"]);
  screen.keys("\x1b[A");
  await screen.shows("queued message 1");
  screen.waits([]);
  await screen.hides("queued message");
  await screen.type("\r");
  assert.deepEqual(screen.sent.at(-1), { kind: "prompt", text: "x" });
});

Deno.test("between turns Up brings back earlier messages, not waiting ones", async () => {
  await using screen = new TestScreen();
  screen.waits(["later"], "person");
  await screen.shows("1 queued, held back: at your word · /queue resume");
  await screen.type("said\r");
  screen.keys("\x1b[A");
  await screen.shows(/─\nsaid/);
});

Deno.test("a stop that leaves messages waiting says how they go out", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.waits(["later"]);
  screen.emit({ kind: "text", text: "answer" });
  screen.keys(ESC);
  assert.deepEqual(screen.sent, [{ kind: "cancel" }]);
  screen.waits(["later"], "stopped");
  screen.done("cancelled");
  await screen.shows("1 queued, not sent yet: a turn was stopped. /queue resume sends them");
});

Deno.test("messages left from before are told of when the session opens", async () => {
  const inbox = { items: [{ id: "q1", text: "from before", state: "waiting", at: 0 }], paused: "opened" } as const;
  await using screen = new TestScreen({ inbox });
  await screen.shows(/1 queued, not sent yet: left from before\. \/queue resume sends them, \/queue\s+lists them\./);
  await screen.shows("↳ from before");
});

Deno.test("Escape takes back a message that nothing has answered yet", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  await screen.type("too soon\r");
  screen.begin("too soon");
  await screen.shows("Esc takes it back");
  screen.keys(ESC);
  assert.deepEqual(screen.sent.at(-1), { kind: "cancel", unsend: true });
  screen.done("cancelled");
  await screen.shows(/─\ntoo soon/);
});

Deno.test("what runs in the background is named before one key ends it, and the second key leaves", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  screen.begin("go");
  screen.emit({ kind: "job_started", job: "bash-1", label: "serve" });
  screen.done();
  await screen.shows("ready");
  screen.keys("\x04");
  await screen.shows("ends with the program: bash-1.");
  screen.keys("\x04");
  assert.equal((await screen.ended).exitCode, 0);
});

Deno.test("a message that is taken back stands above what was written meanwhile", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  await screen.type("too soon\r");
  screen.begin("too soon");
  await screen.type("and more");
  screen.keys(ESC);
  screen.done("cancelled");
  await screen.shows(/─\ntoo soon\n\nand more/);
});

Deno.test("Ctrl+C stops the turn, then clears the draft, and leaves only when pressed twice", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  await screen.type("draft");
  screen.keys(CTRL_C);
  assert.deepEqual(screen.sent, [{ kind: "cancel" }]);
  screen.done("cancelled");
  await screen.shows("Stopped.");
  screen.keys(CTRL_C);
  await screen.hides("draft");
  screen.keys(CTRL_C);
  await screen.shows("Ctrl+C again leaves");
  screen.keys(CTRL_C);
  assert.deepEqual(await screen.ended, { exitCode: 0, lines: [] });
});

Deno.test("a cleared draft comes back with Up", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  await screen.type("precious");
  screen.keys(ESC);
  await screen.hides("precious");
  screen.keys("\x1b[A");
  await screen.shows("precious");
});

Deno.test("Ctrl+D leaves only when nothing is typed", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  await screen.type("x");
  screen.keys("\x1b[D", "\x04");
  await screen.hides("\nx");
  screen.keys("\x04");
  assert.equal((await screen.ended).exitCode, 0);
});

/** Presses Shift+Tab and lets the session follow, as it would. */
function cycle(screen: TestScreen): void {
  const before = screen.sent.length;
  screen.keys("\x1b[Z");
  for (const intent of screen.sent.slice(before)) {
    if (intent.kind === "set_posture") screen.emit({ kind: "posture_changed", posture: intent.posture });
    if (intent.kind === "set_mode") screen.emit({ kind: "mode_changed", mode: intent.mode });
  }
}

// proves MODE-14 MODE-15
Deno.test("Shift+Tab goes through Ask, Auto and Plan; an Auto that was only passed does not stay under Plan", async () => {
  await using screen = new TestScreen();
  await screen.shows("[Ask]");
  cycle(screen);
  assert.match(await screen.shows("[Auto]"), /\[Auto\] · ready/);
  cycle(screen);
  await screen.shows("[Ask] · Plan mode");
  // Approved: the plan is carried out under the posture that was chosen.
  screen.emit({ kind: "mode_changed", mode: "normal" });
  assert.match(await screen.hides("Plan mode"), /\[Ask\] · ready/);
  cycle(screen);
  cycle(screen);
  await screen.shows("[Ask] · Plan mode");
  cycle(screen);
  assert.match(await screen.hides("Plan mode"), /\[Ask\] · ready/);
  cycle(screen);
  await screen.shows("[Auto] · ready");
});

// proves MODE-15
Deno.test("an Auto that was chosen lies under Plan, and is there again when Plan is left", async () => {
  await using screen = new TestScreen();
  await screen.shows("[Ask]");
  cycle(screen);
  await screen.type("go\r");
  screen.begin("go");
  screen.done();
  cycle(screen);
  await screen.shows("[Auto] · Plan mode");
  cycle(screen);
  assert.match(await screen.hides("Plan mode"), /\[Auto\] · ready/);
  cycle(screen);
  await screen.shows("[Ask] · ready");
});

Deno.test("Ctrl+Y turns YOLO on and goes back to what was", async () => {
  await using screen = new TestScreen();
  screen.emit({ kind: "posture_changed", posture: "auto" });
  screen.keys("\x19");
  screen.emit({ kind: "posture_changed", posture: "yolo" });
  screen.keys("\x19");
  assert.deepEqual(screen.sent.map((intent) => intent.kind === "set_posture" && intent.posture), ["yolo", "auto"]);
});

Deno.test("guidance goes to the running turn at once", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  await screen.type("use tabs");
  screen.keys("\x1bs");
  assert.deepEqual(screen.sent, [{ kind: "steer", text: "use tabs" }]);
});

Deno.test("reasoning is folded until Ctrl+O shows it", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.emit({ kind: "reasoning", text: "secret thoughts" });
  await screen.shows("thought (Ctrl+O shows)");
  screen.keys("\x0f");
  await screen.shows("│ secret thoughts");
});

Deno.test("an unknown command is sent as a message, and the person is told", async () => {
  await using screen = new TestScreen({ commands: () => ({ kind: "unknown", nearest: "/model" }) });
  await screen.shows("ready");
  await screen.type("/modle x\r");
  await screen.shows("did you mean /model");
  assert.deepEqual(screen.sent, [{ kind: "prompt", text: "/modle x" }]);
});

Deno.test("a stop that does not take effect offers the way out, and leaving works", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.keys(ESC);
  await screen.shows("stopping");
  screen.keys(CTRL_C);
  screen.keys(CTRL_C);
  assert.equal((await screen.ended).exitCode, 0);
});
