/** What the screen does with the answers of commands that only it can carry out. */
import assert from "node:assert/strict";
import type { CommandAnswer } from "../../src/controller/mod.ts";
import { TestScreen } from "../support/test_screen.ts";

const queue = (line: string): CommandAnswer =>
  /^\/queue(?: edit .*)?$/.test(line)
    ? { kind: "frontend", action: "queue", argument: line.replace(/^\/queue ?/, "") }
    : { kind: "done", text: `ran ${line}` };

Deno.test("/queue lists what waits; a choice is a command line", async () => {
  await using screen = new TestScreen({ commands: queue });
  screen.begin("go");
  screen.waits(["first wait", { text: "second wait", state: "failed", failure: "no answer" }]);
  await screen.type("/queue\r");
  await screen.shows("❯   first wait");
  await screen.shows("failed: no answer");
  await screen.shows("d drop");
  screen.keys("+");
  await screen.shows("ran /queue move q1 2");
  await screen.type("/queue\r");
  await screen.shows("❯   first wait");
  screen.keys("\x1b[B", "r");
  await screen.shows("ran /queue retry q2");
  await screen.type("/queue\r");
  await screen.shows("❯   first wait");
  screen.keys("\x1b[A", "\r");
  await screen.shows("ran /queue pause");
});

Deno.test("/queue edit takes a message up into the composer, also between turns", async () => {
  await using screen = new TestScreen({ commands: queue });
  screen.waits(["first wait"], "stopped");
  await screen.type("/queue edit q1\r");
  await screen.shows(/queued message 1 ─+\nfirst wait/);
  await screen.type("ed\r");
  assert.deepEqual(screen.sent, [
    { kind: "inbox", order: { do: "hold", id: "q1" } },
    { kind: "inbox", order: { do: "edit", id: "q1", text: "first waited" } },
  ]);
});

Deno.test("/queue with nothing to show says so", async () => {
  await using screen = new TestScreen({ commands: queue });
  await screen.type("/queue\r");
  await screen.shows("nothing waits");
});

Deno.test("going back puts the person's words into the composer again", async () => {
  await using screen = new TestScreen({ commands: () => ({ kind: "done", draft: "what I had said" }) });
  await screen.shows("ready");
  await screen.type("/rewind 1 both\r");
  await screen.shows("what I had said");
  screen.emit({
    kind: "rewound",
    scope: "both",
    turn: 1,
    text: "Back to before turn 1: the conversation, 1 file restored.",
    changes: [],
    conflicts: [],
    messages: 2,
  });
  await screen.shows("Back to before turn 1");
});

Deno.test("/diff-fold shows only the counts of edits that follow, and the diffs again", async () => {
  await using screen = new TestScreen({
    commands: () => ({ kind: "frontend", action: "diff-fold", argument: "" }),
  });
  const edit = (id: string) =>
    screen.emit({
      kind: "tool_result",
      tool: {
        id,
        name: "edit_file",
        args: `{"file_path":"${id}.ts"}`,
        readOnly: false,
        runState: "completed",
        output: "",
        diff: `@@ -1,2 +1,2 @@\n a\n-old ${id}\n+new ${id}\n`,
      },
    });
  await screen.shows("ready");
  await screen.type("/diff-fold \r");
  await screen.shows("how many lines changed, from here on");
  screen.begin("go");
  edit("one");
  await screen.shows("+1 −1 lines (/diff-fold shows them)");
  screen.done();
  await screen.type("/diff-fold \r");
  screen.begin("go on");
  edit("two");
  const text = await screen.shows("+new two");
  assert.doesNotMatch(text, /new one/);
});
