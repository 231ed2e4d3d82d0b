// What a screen shows while there is work: tasks, queue, calls, the end of a long answer.
import assert from "node:assert/strict";
import type { CommandAnswer } from "../../src/controller/mod.ts";
import { createLocalProcesses } from "../../src/workspace/mod.ts";
import { assertScreen } from "../support/screen_fixture.ts";
import { help, TestScreen } from "../support/test_screen.ts";

const TODOS = ["Read the parser", "Write the test", "Mend the parser", "Run everything", "Write it down"].map((
  content,
  at,
) => ({
  content,
  status: at < 1 ? "completed" : at === 1 ? "in_progress" : "pending",
  ...(at === 1 ? { activeForm: "Writing the test" } : {}),
  level: at === 2 ? 1 : 0,
  step_id: String(at),
} as const));

const steady = (text: string) => text.replace(/(working|running) \d[\d.]* (?:s|min)/g, "$1 0.0 s");

for (const size of [{ columns: 80, rows: 24 }, { columns: 40, rows: 15 }]) {
  const at = `${size.columns}x${size.rows}`;
  Deno.test(`work in progress at ${at}: calls with live output, tasks, queue, status`, async () => {
    await using screen = new TestScreen(size);
    screen.begin("Please mend the parser");
    screen.emit(
      { kind: "reasoning", text: "The test first." },
      { kind: "text", text: "I begin with a **test** for the broken line.\n" },
      {
        kind: "tool_result",
        tool: {
          id: "t",
          name: "todo_write",
          args: "{}",
          readOnly: true,
          runState: "completed",
          output: "",
          todos: TODOS,
        },
      },
      {
        kind: "tool_result",
        tool: {
          id: "e",
          name: "edit_file",
          args: '{"file_path":"src/parse_test.ts"}',
          readOnly: false,
          runState: "completed",
          output: "",
          diff: "@@ -1,2 +1,3 @@\n a\n+b\n c\n",
          durationMs: 20,
        },
      },
      {
        kind: "usage",
        promptTokens: 12_345,
        completionTokens: 321,
        totalTokens: 12_666,
        cacheHitTokens: 11_000,
        requestAttempts: 1,
        source: "executor",
        cost: { amount: 0.0123, currency: "USD" },
        contextTokens: 12_666,
        contextWindow: 64_000,
        cacheDiagnostics: { systemHash: "", toolsHash: "", prefixHash: "", prefixChanged: false },
      },
      {
        kind: "tool_started",
        tool: {
          id: "b",
          name: "bash",
          args: '{"command":"deno test src/parse_test.ts"}',
          readOnly: false,
          runState: "running",
          startedAt: Date.now(),
        },
      },
      { kind: "tool_progress", tool: { id: "b" }, text: "running 3 tests\nok a\nok b\n" },
    );
    screen.waits(["and then the docs"]);
    await screen.type("half a thou");
    const text = await screen.shows("half a thou");
    assert.match(text, /deno test/);
    assert.match(text, /Writing the test/);
    assert.match(text, /1 queued/);
    assertScreen(`work_${at}`, steady(text));
  });
}

Deno.test("the status row counts what runs in the background, also when a job ends by itself between turns", async () => {
  await using screen = new TestScreen();
  screen.begin("start both");
  screen.emit(
    { kind: "job_started", job: "bash-1", label: "npm run dev" },
    { kind: "job_started", job: "bash-2", label: "npm test" },
  );
  await screen.shows("2 in background");
  screen.done();
  screen.emit({ kind: "job_ended", job: "bash-2", status: "done" });
  await screen.shows("1 in background");
  screen.emit({ kind: "job_ended", job: "bash-1", status: "failed" });
  await screen.hides("in background");
  await screen.shows("job bash-1: failed");
});

Deno.test("a diff that a command prints is shown as one where the person wants it, and folds like one", async () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n";
  const tool = {
    id: "b",
    name: "bash",
    args: '{"command":"git diff"}',
    readOnly: true,
    runState: "completed",
  } as const;
  for (const diffOutput of [false, true]) {
    await using screen = new TestScreen({ settings: { diffOutput } });
    screen.begin("show it");
    screen.emit({ kind: "tool_result", tool: { ...tool, output: diff } });
    screen.done();
    await screen.shows("+new");
    assert.equal(screen.terminal.written.includes("\x1b[38;5;114m+new"), diffOutput);
  }
});

Deno.test("the person's own command fills the second status row, and a long turn's end rings", async () => {
  const root = await Deno.makeTempDir();
  try {
    await using screen = new TestScreen({
      settings: {
        statusCommand: "read l; case $l in *scripted*) echo mine: scripted;; esac",
        notifications: { enabled: true, turnDone: true, approvalRequest: true, askRequest: true },
      },
      ports: { processes: createLocalProcesses({ root }) },
    });
    await screen.shows("mine: scripted");
    await screen.hides("context 0%");
    screen.emit({ kind: "ask_request", ask: { id: "a1", callId: "c1", questions: [] } });
    assert.match(screen.terminal.written, /\x1b\]9;Reasonix has a question\x07/);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a command of the person's own is work under way: the row says so, Esc stops it, and there is one at a time", async () => {
  const root = await Deno.makeTempDir();
  try {
    await using screen = new TestScreen({ ports: { processes: createLocalProcesses({ root }) } });
    await screen.shows("ready");
    await screen.type("!echo begun; sleep 60\r");
    await screen.shows(/begun[^]*\[Ask\] · working · Esc stops/);
    await screen.shows(/running [1-9]/);
    await screen.type("!ls\r");
    await screen.shows(/One command at a time[^]*─\n!ls/);
    screen.keys("\x1b");
    await screen.shows(/✗ ! echo begun; sleep 60[^]*\[Ask\] · ready/);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("the status row shows the balance while it is told, and goes without it where there is no room", async () => {
  const balance = { kind: "balance", amounts: [{ amount: 12.5, currency: "CNY" }, { amount: 3 }] } as const;
  await using wide = new TestScreen();
  wide.emit(balance);
  await wide.shows("balance ¥12.50 + 3.00");
  wide.emit({ kind: "balance", amounts: [] });
  await wide.hides("balance");
  await using narrow = new TestScreen({ columns: 40, rows: 15 });
  narrow.emit(balance, { kind: "posture_changed", posture: "auto" });
  assert.doesNotMatch(await narrow.shows("[Auto]"), /balance/);
});

Deno.test("the status row names the preset only when it is not the ordinary one", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  screen.emit({ kind: "preset_changed", preset: "delivery" });
  await screen.shows("local/scripted · delivery");
  screen.emit({ kind: "preset_changed", preset: "balanced" });
  await screen.hides("delivery");
});

Deno.test("a resumed conversation is written out, and its task list is kept", async () => {
  await using screen = new TestScreen({
    messages: [
      { role: "system", content: "secret rules" },
      { role: "user", content: "first question" },
      {
        role: "assistant",
        content: "An **answer**.",
        tool_calls: [{ id: "c", name: "bash", arguments: '{"command":"ls"}' }],
      },
      { role: "tool", tool_call_id: "c", name: "bash", content: "a.txt\nb.txt" },
    ],
  });
  const text = await screen.shows("ready");
  assert.match(text, /› first question[^]*An answer\.[^]*✓ bash ls\n {4}a\.txt\n {4}b\.txt/);
  assert.doesNotMatch(text, /secret rules/);
  screen.keys("\x1b[A");
  await screen.shows(/─\nfirst question/);
});

Deno.test("the interface speaks Chinese", async () => {
  await using screen = new TestScreen({ settings: { language: "zh" }, commands: help });
  await screen.shows("[需要批准] · 就绪");
  screen.keys("?");
  assertScreen("help_zh_80x24", await screen.shows("更换模型"));
});

Deno.test("what fills the window is drawn as a bar with a legend", async () => {
  const bar = {
    parts: [{ kind: "system", label: "system prompt", tokens: 8_000 }, {
      kind: "messages",
      label: "messages",
      tokens: 24_000,
    }],
    used: 32_000,
    window: 64_000,
    trigger: 57_600,
    caption: "Half of it is free.",
  };
  await using screen = new TestScreen({ commands: () => ({ kind: "text", text: "| the same | as a table |", bar }) });
  await screen.shows("ready");
  await screen.type("/context\r");
  assertScreen("context_80x24", await screen.shows("Half of it is free."));
});

Deno.test("a command may give words back to the composer, and change the language of the screen", async () => {
  const answers: CommandAnswer[] = [{ kind: "frontend", action: "setting", argument: "language zh" }, {
    kind: "done",
    draft: "my old words",
  }];
  await using screen = new TestScreen({ commands: () => answers.shift()! });
  await screen.shows("ready");
  await screen.type("/language zh\r");
  await screen.shows("就绪");
  await screen.type("/rewind\r");
  await screen.shows("my old words");
});
