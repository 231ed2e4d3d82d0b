// Finished text goes to the terminal's own scrollback once; only the live region is drawn again.
import assert from "node:assert/strict";
import { TestScreen } from "../support/test_screen.ts";

const paragraphs = (count: number) => Array.from({ length: count }, (_, at) => `Paragraph ${at} of the answer.`);

Deno.test("the scrollback holds the whole conversation, in order, once", async () => {
  await using screen = new TestScreen({ columns: 60, rows: 15 });
  screen.begin("tell me much");
  const all = paragraphs(200);
  for (const text of all) {
    screen.emit({ kind: "text", text: `${text}\n\n` });
    if (Math.random() < 0.2) await new Promise((done) => setTimeout(done, 5));
  }
  screen.done();
  await screen.shows("ready");
  const shown = screen.terminal.everything().filter((line) => line.startsWith("Paragraph"));
  assert.deepEqual(shown, all);
  assert.doesNotMatch(screen.terminal.written, /\x1b\[[23]J/);
});

Deno.test("a code block longer than the screen arrives whole and once", async () => {
  await using screen = new TestScreen({ columns: 60, rows: 15 });
  screen.begin("code");
  const lines = Array.from({ length: 80 }, (_, at) => `const x${at} = ${at};`);
  screen.emit({ kind: "text", text: "```ts\n" });
  for (const line of lines) {
    screen.emit({ kind: "text", text: `${line}\n` });
    await screen.terminal.settled();
  }
  screen.emit({ kind: "text", text: "```\n\nend" });
  screen.done();
  await screen.shows("ready");
  const shown = screen.terminal.everything().filter((line) => line.includes("const x")).map((line) => line.trim());
  assert.deepEqual(shown, lines);
});

Deno.test("resizing while an answer streams loses nothing and never erases the scrollback", async () => {
  await using screen = new TestScreen({ columns: 80, rows: 24 });
  screen.begin("resize me");
  const all = paragraphs(60);
  const sizes = [[50, 20], [80, 24], [40, 15], [120, 40], [60, 12]] as const;
  for (const [at, text] of all.entries()) {
    screen.emit({ kind: "text", text: `${text}\n\n` });
    await new Promise((done) => setTimeout(done, 4));
    if (at % 12 === 5) {
      const [columns, rows] = sizes[Math.floor(at / 12)]!;
      screen.terminal.resize(columns, rows);
      await new Promise((done) => setTimeout(done, 40));
    }
  }
  screen.done();
  await screen.shows("ready");
  const text = screen.terminal.everything().join("\n");
  assert.deepEqual(all.filter((paragraph) => !text.includes(paragraph)), []);
  assert.equal(text.match(/Paragraph 30 of/g)?.length, 1);
  assert.doesNotMatch(screen.terminal.written, /\x1b\[[23]J/);
});

Deno.test("a live region taller than the screen shows its end and counts the rest", async () => {
  await using screen = new TestScreen({ columns: 40, rows: 15 });
  screen.begin("a table");
  screen.emit({
    kind: "text",
    text: "| a | b |\n|---|---|\n" + Array.from({ length: 40 }, (_, at) => `| ${at} | x |\n`).join(""),
  });
  await screen.shows(/… \d+ lines above/);
  await screen.shows("writing");
  screen.emit({ kind: "text", text: "\n\nafter" });
  screen.done();
  await screen.shows("ready");
  const text = screen.terminal.everything().join("\n");
  assert.match(text, /│ 0 /);
  assert.match(text, /│ 39 /);
});

Deno.test("hostile text reaches the terminal as symbols: no title, no clipboard, no cursor, no colours", async () => {
  await using screen = new TestScreen();
  const evil = "A\x1b[2J\x1b]0;owned\x07\x1b]52;c;aGk=\x07\x1b[31mB\x1b[0m\r50%\x9b2J\u202e";
  const clean = screen.terminal.written.length;
  screen.begin(evil);
  screen.emit(
    { kind: "reasoning", text: evil },
    { kind: "text", text: `${evil}\n\n[x](http://a/${evil}) \`${evil}\`\n\n\`\`\`ts\n${evil}\n\`\`\`\n\n` },
    { kind: "notice", level: "error", text: evil },
    {
      kind: "tool_started",
      tool: {
        id: "c",
        name: `bash${evil}`,
        args: JSON.stringify({ command: evil }),
        readOnly: false,
        runState: "running",
      },
    },
    { kind: "tool_progress", tool: { id: "c" }, text: evil },
  );
  await screen.shows("bash");
  screen.emit(
    {
      kind: "tool_result",
      tool: {
        id: "c",
        name: "bash",
        args: "{}",
        readOnly: false,
        runState: "completed",
        output: evil,
        diff: `+${evil}`,
        todos: [{ content: evil, status: "in_progress", level: 0, step_id: evil }],
      },
    },
    {
      kind: "approval_request",
      approval: {
        id: "a",
        callId: "c",
        tool: evil,
        subject: evil,
        why: { by: "rule", text: evil, rule: evil },
        sessionRule: evil,
        danger: evil,
        heredoc: evil,
        diff: `+${evil}`,
      },
    },
  );
  await screen.shows("Allow");
  screen.emit({ kind: "approval_settled", id: "a", answer: evil }, {
    kind: "plan_request",
    plan: { id: "p", callId: "c", plan: evil },
  });
  await screen.shows("start:");
  screen.emit({ kind: "plan_settled", id: "p", decision: evil }, {
    kind: "ask_request",
    ask: {
      id: "q",
      callId: "c",
      questions: [{
        header: evil,
        question: evil,
        options: [{ label: evil, description: evil }, { label: "b" }],
        multiSelect: true,
      }],
    },
  });
  await screen.shows("send the answers");
  screen.emit({ kind: "ask_settled", id: "q", answer: evil }, {
    kind: "model_changed",
    model: evil,
    contextWindow: 10,
    effort: evil,
  }, { kind: "retrying", attempt: 1, max: 2, delayMs: 1, cause: "timeout" });
  screen.emit({
    kind: "turn_done",
    status: "failed",
    outcome: "failed",
    rounds: 1,
    failure: { code: "internal.bug", message: evil, remedy: evil },
  });
  await screen.shows("ready");
  const written = screen.terminal.written.slice(clean);
  assert.doesNotMatch(written, /\x1b\[2J|\x1b\]0;|\x1b\]52|owned\x07|\x9b|\u202e/);
  // The screen's own sequences are colours, moves within the live region, and drawing in one go.
  const odd = [...written.matchAll(/\x1b(?:\[[?>]?[\d;]*[A-Za-z]|\][^\x07]*\x07|.)/g)].map(([sequence]) => sequence)
    .filter((sequence) =>
      !/^\x1b\[(?:[\d;]*m|\d*[ABGJK]|\?2026[hl]|\?25[hl])$/.test(sequence) && sequence !== "\x1b]8;;\x07" &&
      sequence !== "\x1b[2K"
    );
  assert.deepEqual(odd, []);
});

Deno.test("every state can be read without colour", async () => {
  await using screen = new TestScreen({ ports: { env: (name) => name === "NO_COLOR" ? "1" : undefined } });
  screen.begin("go");
  const call = { name: "bash", readOnly: false, args: '{"command":"make"}' };
  screen.emit(
    { kind: "tool_result", tool: { ...call, id: "1", runState: "completed", output: "ok", durationMs: 1500 } },
    {
      kind: "tool_result",
      tool: {
        ...call,
        id: "2",
        runState: "completed",
        err: "error: exit status 2\nboom",
        output: "error: exit status 2\nboom",
        exitCode: 2,
      },
    },
    { kind: "tool_result", tool: { ...call, id: "3", runState: "not_started", err: "blocked: a deny rule" } },
    { kind: "tool_started", tool: { ...call, id: "4", runState: "running", startedAt: Date.now() } },
  );
  const text = await screen.shows("running");
  assert.match(text, /✓ bash make {2}1\.5 s/);
  assert.match(text, /✗ bash make {2}exit 2/);
  assert.match(text, /⊘ bash make {2}not run: a deny rule/);
  assert.doesNotMatch(screen.terminal.written, /\x1b\[[1-9][\d;]*m/);
});

Deno.test("narrow terminals leave out whole groups of the status", async () => {
  await using screen = new TestScreen({ columns: 30, rows: 15 });
  const text = await screen.shows("[Ask]");
  const status = text.split("\n").at(-2)!;
  assert.match(status, /^\[Ask\] · ready(?: +local\/scripted)?$/);
});
