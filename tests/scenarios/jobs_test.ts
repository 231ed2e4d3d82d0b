/** Work in the background as a screen counts it, from the call that starts it to its own end, after the turn. */
import assert from "node:assert/strict";
import { createViewState, fold } from "../../src/frontends/view/mod.ts";
import { Harness } from "../support/harness.ts";

function jobsOf({ events, controller }: Harness): readonly string[] {
  const { sessionId, model, posture } = controller;
  return events.reduce(fold, createViewState({ sessionId, model, posture })).jobs.map(({ id, label }) =>
    `${id}: ${label}`
  );
}

function jobEnds({ controller }: Harness): Promise<void> {
  return new Promise((ended) => {
    const unsubscribe = controller.subscribe(({ kind }) => {
      if (kind !== "job_ended") return;
      unsubscribe();
      ended();
    });
  });
}

const background = (command: string) => ({ calls: [{ name: "bash", args: { command, run_in_background: true } }] });
const UNTIL_GO = "until [ -e go ]; do sleep 0.05; done";

Deno.test("a job counts as running until it ends by itself, long after the turn", async () => {
  await using harness = await Harness.start([background(UNTIL_GO), { text: "it runs" }], {
    request: { interactive: true },
  });
  await harness.prompt("start it");
  assert.deepEqual(jobsOf(harness), [`bash-1: ${UNTIL_GO}`]);
  const status = await harness.controller.commands!.run("/status");
  assert.match("text" in status ? status.text! : "", /- in the background: bash-1 `until \[ -e go \]/);
  const ended = jobEnds(harness);
  await harness.put("go", "");
  await ended;
  assert.deepEqual(jobsOf(harness), []);
  assert.deepEqual(
    harness.events.filter(({ kind }) => kind.startsWith("job_")).map((event) => ({ ...event, sessionId: "", seq: 0 })),
    [
      { sessionId: "", turnId: "t1", seq: 0, kind: "job_started", job: "bash-1", label: UNTIL_GO },
      { sessionId: "", turnId: "t1", seq: 0, kind: "job_ended", job: "bash-1", status: "done" },
    ],
  );
});

Deno.test("another conversation begins without the jobs of the one before", async () => {
  await using harness = await Harness.start([background(UNTIL_GO), { text: "it runs" }]);
  await harness.prompt("start it");
  const receipt = harness.controller.send({ kind: "open_session", session: "new" });
  assert.ok(receipt.accepted);
  await receipt.done;
  assert.deepEqual(jobsOf(harness), []);
});
