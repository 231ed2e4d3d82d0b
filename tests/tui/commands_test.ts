/** What the screen does with the answers of commands that only it can carry out. */
import assert from "node:assert/strict";
import type { CommandAnswer } from "../../src/controller/mod.ts";
import { TestScreen } from "../support/test_screen.ts";

const queue = (line: string): CommandAnswer => ({
  kind: "frontend",
  action: "queue",
  argument: line.replace(/^\/queue ?/, ""),
});

Deno.test("/queue lists what waits; one is edited, another dropped", async () => {
  await using screen = new TestScreen({ commands: queue });
  screen.begin("go");
  await screen.type("first wait\r");
  await screen.type("second wait\r");
  await screen.shows("2 queued");
  await screen.type("/queue \r");
  await screen.shows("❯   first wait");
  screen.keys("d");
  await screen.shows("1 queued");
  await screen.type("/queue edit 1\r");
  await screen.hides("1 queued");
  await screen.shows("second wait");
  screen.done();
  assert.deepEqual(screen.sent, []);
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
