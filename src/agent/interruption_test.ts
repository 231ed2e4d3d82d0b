import assert from "node:assert/strict";
import { recoveryBlock } from "./interruption.ts";

Deno.test("the model is told what ended, what may have happened, what did not, and which checks still count", () => {
  const block = recoveryBlock({
    reason: "pending",
    completed_tools: [{ id: "a", name: "edit_file", files: ["x.ts"] }, { id: "b", name: "bash", files: [] }],
    interrupted_tools: [{ id: "c", name: "bash" }],
    harmless_tools: [{ id: "d", name: "write_file" }, { id: "e", name: "grep" }],
    checks: [{ what: "the tests", stands: false }, { what: "the\n types", stands: true }],
    dropped_partial_text: false,
  });
  assert.deepEqual(block?.split("\n"), [
    "<interrupted-turn-recovery>",
    "The program died during the previous turn.",
    "Finished before that: edit_file (x.ts); bash.",
    "Cut off with unknown effect, look before you redo: bash.",
    "Without a result, but not begun or only reading, by the journal of the run: write_file, grep.",
    "Checked with success, and nothing changed since: the types.",
    "Checked before a later change, so it counts no more: the tests.",
    "What the person says next comes first.",
    "</interrupted-turn-recovery>",
  ]);
});

Deno.test("a turn that ended well leaves nothing to tell", () => {
  assert.equal(recoveryBlock(undefined), undefined);
});
