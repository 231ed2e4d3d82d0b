import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type EvidenceLedger,
  KEPT_EVIDENCE,
  NO_EVIDENCE,
  noteChange,
  noteFailure,
  notePass,
  stands,
} from "./evidence.ts";

const pass = (ledger: EvidenceLedger, identity: string) =>
  notePass(ledger, { identity, call: `call of ${identity}`, mutationGeneration: ledger.generation });
const standing = (ledger: EvidenceLedger) =>
  ledger.evidence.filter((one) => stands(ledger, one)).map(({ identity }) => identity);

Deno.test("a check stands until something is changed, and again when it is made again", () => {
  const checked = pass(NO_EVIDENCE, "tests");
  assert.deepEqual(standing(checked), ["tests"]);
  const changed = noteChange(checked);
  assert.deepEqual([standing(changed), changed.evidence.length], [[], 1]);
  assert.deepEqual(standing(pass(changed, "tests")), ["tests"]);
});

Deno.test("checks do not undo each other; one that fails takes its own word back", () => {
  const both = pass(pass(NO_EVIDENCE, "tests"), "lint");
  assert.deepEqual(standing(both), ["tests", "lint"]);
  assert.deepEqual(standing(noteFailure(both, "tests")), ["lint"]);
});

Deno.test("a check during which something was changed never stands", () => {
  const changed = noteChange(NO_EVIDENCE);
  const checked = notePass(changed, { identity: "tests", call: "c", mutationGeneration: 0 });
  assert.deepEqual(checked.evidence, [{ identity: "tests", call: "c", mutationGeneration: 0, closedGeneration: 1 }]);
  assert.deepEqual(standing(checked), []);
});

Deno.test("the newest 64 checks are kept, each once, and only what no change came after stands", () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("change") }),
    fc.record({ do: fc.constantFrom("pass", "fail"), identity: fc.integer({ min: 0, max: 90 }).map(String) }),
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 300, size: "max" }), (steps) => {
    let ledger = NO_EVIDENCE;
    let passed: string[] = [];
    let since: string[] = [];
    for (const one of steps) {
      if (!("identity" in one)) {
        ledger = noteChange(ledger);
        since = [];
        continue;
      }
      const others = (list: string[]) => list.filter((identity) => identity !== one.identity);
      ledger = one.do === "pass" ? pass(ledger, one.identity) : noteFailure(ledger, one.identity);
      passed = [...others(passed), ...(one.do === "pass" ? [one.identity] : [])].slice(-KEPT_EVIDENCE);
      since = [...others(since), ...(one.do === "pass" ? [one.identity] : [])].slice(-KEPT_EVIDENCE);
    }
    assert.deepEqual(ledger.evidence.map(({ identity }) => identity), passed);
    assert.deepEqual(standing(ledger), since);
  }));
});
