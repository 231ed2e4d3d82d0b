import assert from "node:assert/strict";
import type { Event } from "../../../contract/event.ts";
import { RunTotals } from "./run_totals.ts";

Deno.test("a fold counts when it was applied", () => {
  const totals = new RunTotals(0);
  for (const outcome of ["applied", "noop", "failed", "applied"]) {
    totals.add({ kind: "compaction_done", outcome } as Event, 1);
  }
  assert.equal(totals.compactions, 2);
});
