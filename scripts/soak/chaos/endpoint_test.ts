// Each prompt gets the answers that were planned for it, whatever became of those before it.
import assert from "node:assert/strict";
import { type Seen, Served } from "./endpoint.ts";
import { makeEpisode } from "./plan.ts";
import type { Round } from "./rounds.ts";
import type { WireFault } from "./wire_faults.ts";

const request: Seen = { wire: "openai", head: "", text: "{}", body: { tools: [] }, isSummary: false };
const round = (text: string, more: Partial<Round> = {}): Round => ({
  ...{ faults: [], text, reasoning: "", calls: [], sameIds: false, hangs: false },
  ...more,
});
const answers = (served: Served, times: number): (string | WireFault)[] =>
  Array.from({ length: times }, () => {
    const { fault, round } = served.take(request);
    return fault ?? round.text;
  });

Deno.test("an answer is given after the requests that went wrong, and what is left answers no later prompt", () => {
  const served = new Served([round("one", { faults: ["silent", "broken"] }), round("two", { faults: ["drip"] })]);
  assert.deepEqual(answers(served, 4), ["silent", "broken", "one", "drip"]);
  served.next([round("three"), round("four")]);
  assert.deepEqual(answers(served, 1), ["three"]);
  served.next([round("five")]);
  assert.deepEqual(answers(served, 2), ["five", "There is nothing more to say."]);
});

Deno.test("an answer that never comes hangs as often as it is asked for; one whose call hangs is given once", () => {
  const calls = [{ name: "bash", args: { command: "sleep 600" } }];
  const served = new Served([round("calls", { hangs: true, calls }), round("never", { hangs: true }), round("after")]);
  assert.deepEqual(answers(served, 3), ["calls", "never", "never"]);
  served.next([round("next")]);
  assert.deepEqual(answers(served, 1), ["next"]);
});

Deno.test("a blow for what hangs falls when it hangs, whatever went wrong before", () => {
  const steps = Array.from({ length: 300 }, (_, at) => makeEpisode(25, at + 1).steps).flat();
  const hanging = steps.filter((step) => step.kind === "run").filter(({ rounds, trouble }) =>
    rounds.some(({ hangs }) => hangs) && trouble?.kind !== "reader"
  );
  assert.ok(hanging.length > 100);
  for (const { name, rounds, blow } of hanging) {
    const served = new Served(rounds);
    let requests = 1;
    while (!served.take(request).round.hangs) requests++;
    assert.deepEqual({ name, ...blow!.at }, { name, of: "request", count: requests, ms: blow!.at.ms });
  }
});
