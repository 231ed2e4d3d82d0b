// Every overlay on the usual screen and on a small odd one: who owns the keys, and that all of it fits.
import assert from "node:assert/strict";
import type { AskRequest, PlanRequest } from "../../src/contract/decision.ts";
import type { CommandAnswer } from "../../src/controller/mod.ts";
import { assertScreen } from "../support/screen_fixture.ts";
import { help, TestScreen, type TestScreenOptions } from "../support/test_screen.ts";

const SIZES = [{ columns: 80, rows: 24 }, { columns: 40, rows: 15 }];
const DIFF = "@@ -1,3 +1,3 @@\n const a = 1;\n-const b = 2;\n+const b = 3;\n export { a, b };\n";

const approval = {
  id: "a1",
  callId: "c1",
  tool: "bash",
  subject: "npm run build && npm test -- --watch=false",
  why: { by: "fallback", text: "no rule allows it" },
  sessionRule: "Bash(npm run build && npm test -- --watch=false)",
  alwaysRule: "Bash(npm run build && npm test -- --watch=false)",
  prefixRule: "Bash(npm run build:*)",
} as const;

const ask: AskRequest = {
  id: "q1",
  callId: "c1",
  questions: [
    {
      header: "Database",
      question: "Which database should the service use?",
      options: [{ label: "SQLite", description: "one file" }, { label: "PostgreSQL", description: "a server" }],
      multiSelect: false,
    },
    { header: "Extras", question: "What else?", options: [{ label: "Tests" }, { label: "Docs" }], multiSelect: true },
  ],
};

const plan: PlanRequest = {
  id: "p1",
  callId: "c1",
  plan: `# Plan\n\n${Array.from({ length: 30 }, (_, at) => `${at + 1}. step ${at + 1}`).join("\n")}`,
};

/** The rules of the composer: two full lines of `─`, and text between them. */
const rules = (text: string) => text.split("\n").filter((line) => /^─+$/.test(line)).length;

const modal: [name: string, open: (screen: TestScreen) => void, shows: string][] = [
  ["approval", (screen) => screen.emit({ kind: "approval_request", approval }), "Allow bash?"],
  [
    "approval_diff",
    (screen) => {
      const edit = { ...approval, tool: "edit_file", subject: "src/a.ts", diff: DIFF.repeat(8), prefixRule: undefined };
      screen.emit({
        kind: "approval_request",
        approval: { ...edit, sessionRule: "Edit", alwaysRule: "Edit(src/a.ts)" },
      });
    },
    "Allow edit_file?",
  ],
  [
    "approval_danger",
    (screen) => {
      const danger = "deletes files outside of the workspace";
      screen.emit({ kind: "approval_request", approval: { ...approval, subject: "rm -rf ~/x", danger } });
    },
    "deletes files",
  ],
  ["ask", (screen) => screen.emit({ kind: "ask_request", ask }), "Which database"],
  ["plan", (screen) => screen.emit({ kind: "plan_request", plan }), "start: carry it out"],
];

Deno.test("what is written while a text is read goes into the composer, and nothing of it is lost", async () => {
  const long = Array.from({ length: 50 }, (_, at) => `line ${at}`).join("\n\n");
  const texts: Record<string, string> = { "/resume": "short\n\ntext", "/model": long };
  await using screen = new TestScreen({ commands: (line) => ({ kind: "text", text: texts[line]! }) });
  for (const [command, written] of [["/resume", "quick, just do it"], ["/model", "write"]] as const) {
    await screen.type(command);
    screen.keys("\x1b", "\r");
    await screen.shows("Esc closes");
    screen.keys(...written);
    const shown = await screen.shows(written);
    assert.ok(!shown.includes("Esc closes"));
    screen.keys("\x15");
  }
});

Deno.test("an answer of one line is a line of the transcript, not a panel to be closed", async () => {
  await using screen = new TestScreen({ commands: () => ({ kind: "text", text: "Noted in REASONIX.md." }) });
  await screen.type("/resume");
  screen.keys("\x1b", "\r", "x");
  const shown = await screen.shows(/─\nx *\n─/);
  assert.match(shown, /· Noted in REASONIX\.md\./);
});

Deno.test("under a question the status row says what Esc and Ctrl+C do to it", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.emit({ kind: "approval_request", approval });
  await screen.shows("Esc denies · Ctrl+C stops");
  screen.emit({ kind: "approval_settled", id: "a1", answer: "deny" }, { kind: "ask_request", ask });
  const shown = await screen.shows("Which database");
  assert.match(shown, /needs your answer .* · Ctrl\+C stops/);
});

Deno.test("a command that goes on in the background says so before it is allowed", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.emit({ kind: "approval_request", approval: { ...approval, background: true } });
  await screen.shows("It goes on in the background.");
});

Deno.test("a list keeps what is set in below its parent where it is", async () => {
  const row = (label: string) => ({ label, actions: { enter: { label: "open", line: `/switch ${label}` } } });
  const rows = ["main", "  └ side", "    └ early"].map(row);
  await using screen = new TestScreen({
    commands: () => ({ kind: "screen", screen: { title: "Sessions", rows, empty: "" }, text: "" }),
  });
  await screen.type("/resume");
  screen.keys("\x1b", "\r");
  await screen.shows(/^❯ {3}main\n {6}└ side\n {8}└ early$/m);
});

Deno.test("a page of an approval is a page: the next one begins with the line that was last", async () => {
  const diff = `@@ -0,0 +1,99 @@\n${Array.from({ length: 99 }, (_, at) => `+line ${at}`).join("\n")}\n`;
  await using screen = new TestScreen();
  screen.begin("go");
  screen.emit({ kind: "approval_request", approval: { ...approval, tool: "edit_file", diff } });
  const first = await screen.shows("0 lines above");
  const last = [...first.matchAll(/\+line (\d+)/g)].at(-1)![1]!;
  screen.keys("\x1b[6~");
  await screen.shows(new RegExp(`Allow edit_file\\?\\s+\\+line ${last}\\b`));
});

for (const size of SIZES) {
  const at = `${size.columns}x${size.rows}`;

  for (const [name, open, shows] of modal) {
    // proves CMD-15 CMD-16 CMD-18
    Deno.test(`${name} owns the keys at ${at}: panel and status, no composer`, async () => {
      await using screen = new TestScreen(size);
      screen.begin("go");
      await screen.shows("go");
      screen.keys("d", "r", "a", "f", "t");
      await screen.shows("draft");
      open(screen);
      const text = await screen.shows(shows);
      assert.equal(rules(text), 1);
      assert.match(text, /\[Ask\]/);
      if (name.startsWith("approval")) assert.match(text, /n {2}deny/);
      assert.doesNotMatch(text, /draft/);
      assertScreen(`${name}_${at}`, text.replace(/answer \d.*? s/, "answer 0.0 s"));
    });
  }

  // proves CMD-14 CMD-17
  Deno.test(`an answer in one's own words keeps the composer at ${at}, and the draft comes back`, async () => {
    await using screen = new TestScreen(size);
    screen.begin("go");
    await screen.type("draft");
    screen.emit({ kind: "ask_request", ask: { ...ask, questions: ask.questions.slice(0, 1) } });
    await screen.shows("Which database");
    screen.keys("3");
    const text = await screen.shows("Your answer to");
    assert.equal(rules(text), 2);
    assertScreen(`ask_typing_${at}`, text.replace(/answer \d.*? s/, "answer 0.0 s"));
    await screen.type("MySQL");
    await screen.type("\r");
    assert.deepEqual(screen.sent, [{ kind: "answer", id: "q1", answer: { choices: [["MySQL"]] } }]);
    screen.emit({ kind: "ask_settled", id: "q1", answer: "MySQL" });
    await screen.hides("something else");
    await screen.shows("draft");
  });

  Deno.test(`a picker at ${at} is modal, filters as one types, and sends back the line of the choice`, async () => {
    const lines: string[] = [];
    const rows = Array.from({ length: 40 }, (_, n) => ({
      label: `session ${n}`,
      detail: `2026-01-${n}`,
      ...(n === 7 ? { current: true } : {}),
      actions: { enter: { label: "open", line: `/resume ${n}` }, c: { label: "copy", line: `/resume --copy ${n}` } },
    }));
    const answer: CommandAnswer = { kind: "screen", screen: { title: "Sessions", rows, empty: "none" }, text: "" };
    await using screen = new TestScreen({
      ...size,
      commands: (line) => (lines.push(line), lines.length === 1 ? answer : { kind: "done" }),
    });
    await screen.shows("ready");
    await screen.type("/resume ");
    await screen.type("\r");
    const text = await screen.shows("Sessions");
    assert.equal(rules(text), 1);
    assert.match(text, /❯ ● session 7/);
    assertScreen(`picker_${at}`, text);
    await screen.type("39");
    await screen.shows(/❯ {3}session 39/);
    screen.keys("\r");
    await screen.hides("Sessions");
    assert.deepEqual(lines, ["/resume", "/resume 39"]);
  });

  Deno.test(`help at ${at} is a panel that scrolls`, async () => {
    await using screen = new TestScreen({ ...size, commands: help });
    await screen.shows("ready");
    screen.keys("?");
    const text = await screen.shows("this text");
    assert.equal(rules(text), 1);
    assertScreen(`help_${at}`, text);
    screen.keys("\x1b[F");
    await screen.shows("Ctrl+Z suspends");
    screen.keys("\x1b");
    await screen.hides("Ctrl+Z suspends");
  });

  // proves REF-09
  Deno.test(`the command menu at ${at} stands above the composer and keeps it`, async () => {
    await using screen = new TestScreen({ ...size, commands: () => ({ kind: "done" }) });
    await screen.shows("ready");
    await screen.type("/");
    const text = await screen.shows("/model");
    assert.equal(rules(text), 2);
    assert.ok(text.indexOf("/model") < text.indexOf("────"));
    assertScreen(`menu_${at}`, text);
  });
}

const confirmYolo: TestScreenOptions["ports"] = { confirmYolo: () => Promise.resolve() };

Deno.test("YOLO is confirmed once, with the careful answer chosen", async () => {
  await using screen = new TestScreen({ ports: confirmYolo });
  assertScreen("confirm_80x24", await screen.shows("Run without asking?"));
  screen.keys("\r");
  await screen.hides("Run without asking?");
  assert.deepEqual(screen.sent, [{ kind: "set_posture", posture: "ask" }]);
});

Deno.test("each key of an approval gives the answer its row promises", async () => {
  for (
    const [key, answer] of [["y", "once"], ["a", "session"], ["p", "always"], ["s", "session_prefix"], ["n", "deny"], [
      "\x1b",
      "deny",
    ], ["\r", "once"]]
  ) {
    await using screen = new TestScreen();
    screen.begin("go");
    screen.emit({ kind: "approval_request", approval });
    await screen.shows("Allow bash?");
    screen.keys(key!);
    assert.deepEqual(screen.sent, [{ kind: "approve", id: "a1", answer }]);
    screen.emit({ kind: "approval_settled", id: "a1", answer: answer! });
    await screen.hides("Allow bash?");
  }
});

Deno.test("a question that was answered elsewhere goes, and the next one takes its place", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.emit({ kind: "approval_request", approval }, {
    kind: "approval_request",
    approval: { ...approval, id: "a2", tool: "write_file" },
  });
  await screen.shows("+1 waiting");
  screen.emit({ kind: "approval_settled", id: "a1", answer: "deny" });
  await screen.shows("Allow write_file?");
  screen.emit({ kind: "approval_settled", id: "a2", answer: "once" });
  await screen.hides("Allow write_file?");
});

Deno.test("Ctrl+C in a question stops the turn instead of answering", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.emit({ kind: "approval_request", approval });
  await screen.shows("Allow bash?");
  screen.keys("\x03");
  assert.deepEqual(screen.sent, [{ kind: "cancel" }]);
  screen.emit({ kind: "approval_settled", id: "a1", answer: "parked" });
  screen.done("cancelled");
  await screen.shows("Stopped.");
});

Deno.test("a plan is started, left, or sent back with words", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.emit({ kind: "plan_request", plan });
  await screen.shows("start: carry it out");
  screen.keys("\x1b");
  await screen.shows("What should be different");
  await screen.type("smaller");
  await screen.type("\r");
  assert.deepEqual(screen.sent, [{ kind: "decide_plan", id: "p1", decision: { kind: "revise", feedback: "smaller" } }]);
  screen.emit({ kind: "plan_settled", id: "p1", decision: "revise" }, {
    kind: "plan_request",
    plan: { ...plan, id: "p2" },
  });
  await screen.shows("start: carry it out");
  screen.keys("\r");
  assert.deepEqual(screen.sent.at(-1), { kind: "decide_plan", id: "p2", decision: { kind: "start" } });
  screen.emit({ kind: "plan_settled", id: "p2", decision: "start" });
  await screen.hides("carry it out");
});

Deno.test("several questions are looked over before they are sent", async () => {
  await using screen = new TestScreen();
  screen.begin("go");
  screen.emit({ kind: "ask_request", ask });
  await screen.shows("Which database");
  screen.keys("2");
  await screen.shows("What else?");
  screen.keys(" ", "j", " ", "\r");
  await screen.shows("Extras: Tests, Docs");
  screen.keys("\r");
  assert.deepEqual(screen.sent, [{
    kind: "answer",
    id: "q1",
    answer: { choices: [["PostgreSQL"], ["Tests", "Docs"]] },
  }]);
  screen.emit({ kind: "ask_settled", id: "q1", answer: "…" });
  await screen.hides("send the answers");
});
