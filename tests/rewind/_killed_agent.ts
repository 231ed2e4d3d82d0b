/**
 * An agent at work, to be killed: edits, moves and removes files turn by turn, or goes back and forth, until it is ended.
 * Arguments: what to do, and the folder that holds `ws` and the store. Prints one line when it has begun.
 */
import { SessionCheckpoints } from "../../src/sessions/checkpoints/checkpoints.ts";
import { snapshotFiles } from "../../src/safety/mod.ts";
import { createLocalFiles } from "../../src/workspace/mod.ts";
import { MemoryTranscript } from "../support/memory_transcript.ts";

const [task, parent] = Deno.args as [string, string];
const root = `${parent}/ws`;
const { checkpoints } = await SessionCheckpoints.open({
  transcript: Object.assign(new MemoryTranscript(), { path: `${parent}/s.jsonl` }),
  roots: [root],
  retention: { turns: 1000, bytes: 1 << 30 },
  hooksRun: false,
  running: () => [],
  now: () => 1,
});
if (task === "work") {
  const files = snapshotFiles(createLocalFiles(root), checkpoints);
  const messages = new MemoryTranscript().messages;
  console.log("begun");
  for (let turn = 0;; turn++) {
    messages.push({ role: "user", content: "work", createdAt: 1000 + turn });
    await checkpoints.begin(0);
    for (let file = 0; file < 5; file++) {
      await files.write(`f${file}`, new TextEncoder().encode(`${turn} ${file}`.repeat(500)), { kind: "whole" });
    }
    await files.write("new/made", new TextEncoder().encode(`${turn}`), { kind: "whole" });
    await files.move("new/made", "moved");
    await files.remove("moved");
  }
}
console.log("begun");
for (;;) {
  const plan = await checkpoints.plan({ message: 0, at: 0 });
  await checkpoints.commit(plan, { force: true });
  const undo = await checkpoints.planUndo();
  if (undo) await checkpoints.commit(undo);
}
