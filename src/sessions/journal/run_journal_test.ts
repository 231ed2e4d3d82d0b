import assert from "node:assert/strict";
import type { LoopObserver, ObservedCall } from "../../contract/observer.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { readJournal } from "./load.ts";
import { recordRun } from "./record_run.ts";
import type { RunRecorder } from "./record_run.ts";

const signal = new AbortController().signal;

interface Bed {
  readonly directory: string;
  readonly file: string;
  place: { path: string };
  /** Another start of the program. */
  start(): RunRecorder;
}

async function withBed(body: (bed: Bed) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "reasonix-journal-" });
  const started: RunRecorder[] = [];
  const bed: Bed = {
    directory,
    file: `${directory}/s.run-journal.ndjson`,
    place: { path: `${directory}/s.jsonl` },
    start: () => {
      const recorder = recordRun({ place: bed.place, now: () => 1_000 });
      started.push(recorder);
      return recorder;
    },
  };
  try {
    await body(bed);
  } finally {
    for (const recorder of started) recorder.close();
    await Deno.remove(directory, { recursive: true });
  }
}

const call = (callId: string, more: Partial<ObservedCall> = {}): ObservedCall => ({
  callId,
  tool: "write_file",
  args: { path: `${callId}.ts` },
  readOnly: false,
  ...more,
});
const reading = (callId: string) => call(callId, { tool: "read_file", readOnly: true });
const check = (callId: string, command = "npm test") =>
  [call(callId, { tool: "bash", args: { command, verifies: "tests" } }), {
    text: "ok",
    execution: { state: "completed", exit_code: 0, verifies: "tests" },
  }] as const;

const begin = (observer: LoopObserver, id = "t1") =>
  observer.turnBegins!({ id, text: "secret words", first: true }, signal);
const end = (observer: LoopObserver) => observer.turnEnded!({ outcome: "completed", answer: "secret answer" });
const run = async (observer: LoopObserver, one: ObservedCall, output: ToolOutput = { text: "done" }) => {
  assert.equal(await observer.callBegins!(one, signal), undefined);
  await observer.callEnded!(one, output, signal);
};
const linesOf = (path: string) => Deno.readTextFileSync(path).trimEnd().split("\n").map((line) => JSON.parse(line));

Deno.test("a run leaves a line for its turn, requests and calls; names, ids and digests, for its owner alone", () =>
  withBed(async (bed) => {
    const { observer } = bed.start();
    await begin(observer);
    observer.requestEnded!({ digest: "00ff00ff00ff00ff", messages: 4 });
    await run(observer, reading("a"), { text: "secret content" });
    await run(observer, call("b", { args: { path: "secret path", content: "secret text" } }), {
      text: "secret result",
    });
    await run(observer, ...check("c", "secret command"));
    await end(observer);
    const digest = (at: number) => lines[at].digest;
    const lines = linesOf(bed.file);
    assert.deepEqual(lines, [
      { kind: "snapshot", generation: 0, evidence: [] },
      { kind: "turn", id: "t1", at: 1_000 },
      { kind: "request", digest: "00ff00ff00ff00ff", messages: 4 },
      { kind: "call", id: "a", name: "read_file", digest: digest(3), writer: false, mutationGeneration: 0 },
      { kind: "end", id: "a", digest: digest(4), outcome: "completed", check: false, mutationGeneration: 0 },
      { kind: "call", id: "b", name: "write_file", digest: digest(5), writer: true, mutationGeneration: 0 },
      { kind: "end", id: "b", digest: digest(6), outcome: "completed", check: false, mutationGeneration: 1 },
      { kind: "call", id: "c", name: "bash", digest: digest(7), writer: true, mutationGeneration: 1 },
      { kind: "end", id: "c", digest: digest(8), outcome: "completed", check: true, mutationGeneration: 1 },
      { kind: "turn_end", outcome: "completed" },
    ]);
    for (const { digest } of lines.slice(3, 9)) assert.match(digest, /^[0-9a-f]{16}$/);
    assert.doesNotMatch(Deno.readTextFileSync(bed.file), /secret/);
    if (Deno.build.os !== "windows") assert.equal(Deno.statSync(bed.file).mode! & 0o777, 0o600);
  }));

Deno.test("an id that is no id is told by its digest", () =>
  withBed(async (bed) => {
    const { observer } = bed.start();
    await begin(observer);
    await run(observer, call("the secret is in here"));
    await end(observer);
    assert.doesNotMatch(Deno.readTextFileSync(bed.file), /secret/);
  }));

Deno.test("what may change something is in the file before it begins and when it has ended", () =>
  withBed(async (bed) => {
    const { observer } = bed.start();
    await begin(observer);
    await observer.callBegins!(call("a"), signal);
    const open = () => readJournal(bed.place.path)!.turn!.calls.get("a");
    assert.equal(open()!.end, undefined);
    await observer.callEnded!(call("a"), { text: "done" }, signal);
    assert.equal(open()!.end!.outcome, "completed");
  }));

Deno.test("a turn that calls nothing writes nothing, and one that only reads writes once, at its end", () =>
  withBed(async (bed) => {
    const { observer } = bed.start();
    await begin(observer);
    await end(observer);
    assert.throws(() => Deno.statSync(bed.file), Deno.errors.NotFound);
    await begin(observer, "t2");
    await run(observer, reading("a"));
    assert.throws(() => Deno.statSync(bed.file), Deno.errors.NotFound);
    await end(observer);
    assert.deepEqual(linesOf(bed.file).map(({ kind }) => kind), ["snapshot", "turn", "call", "end", "turn_end"]);
  }));

Deno.test("the next start goes on with what was counted and checked, and with no line of what is past", () =>
  withBed(async (bed) => {
    const first = bed.start();
    await begin(first.observer);
    await run(first.observer, call("a"));
    await run(first.observer, ...check("b"));
    await end(first.observer);
    first.close();
    const second = bed.start();
    await begin(second.observer, "t2");
    await run(second.observer, call("c"));
    await end(second.observer);
    const [snapshot, ...lines] = linesOf(bed.file);
    assert.deepEqual([snapshot.generation, snapshot.evidence.length], [1, 1]);
    assert.deepEqual(
      [snapshot.evidence[0].call, snapshot.evidence[0].mutationGeneration, snapshot.evidence[0].closedGeneration],
      ["b", 1, 1],
    );
    assert.deepEqual(lines.map(({ kind, mutationGeneration: at }) => [kind, at]), [
      ["turn", undefined],
      ["call", 1],
      ["end", 2],
      ["turn_end", undefined],
    ]);
  }));

Deno.test("a writer that a dead program had begun counts as a change", () =>
  withBed(async (bed) => {
    const first = bed.start();
    await begin(first.observer);
    await run(first.observer, ...check("a"));
    await first.observer.callBegins!(call("b"), signal);
    const second = bed.start();
    await begin(second.observer, "t2");
    await run(second.observer, call("c"));
    const [snapshot] = linesOf(bed.file);
    assert.deepEqual([snapshot.generation, snapshot.evidence[0].closedGeneration], [1, 0]);
  }));

Deno.test("a check that fails, or is cut short, or goes on by itself, is none", () =>
  withBed(async (bed) => {
    const { observer } = bed.start();
    await begin(observer);
    await run(observer, ...check("a"));
    const [again] = check("b");
    await run(observer, again, {
      text: "no",
      failed: true,
      execution: { state: "failed", exit_code: 1, verifies: "tests" },
    });
    const state = () => readJournal(bed.place.path)!.ledger;
    assert.deepEqual(state(), { generation: 0, evidence: [] });
    for (const state of ["timed_out", "cancelled", "background"] as const) {
      await run(observer, check(state)[0], { text: "", execution: { state, verifies: "tests" } });
    }
    await end(observer);
    assert.deepEqual(state(), { generation: 3, evidence: [] });
  }));

Deno.test("it does not grow for ever", () =>
  withBed(async (bed) => {
    const { observer } = bed.start();
    let largest = 0;
    for (let turn = 0; turn < 60; turn++) {
      await begin(observer, `t${turn}`);
      for (let n = 0; n < 40; n++) await run(observer, call(`${turn}-${n}`));
      await end(observer);
      largest = Math.max(largest, Deno.statSync(bed.file).size);
    }
    assert.ok(largest < 300 * 1024, `${largest} bytes`);
    assert.equal(readJournal(bed.place.path)!.ledger.generation, 60 * 40);
  }));

Deno.test("it goes on beside the recovery branch that a conversation moved to", () =>
  withBed(async (bed) => {
    const { observer } = bed.start();
    await begin(observer);
    await run(observer, call("a"));
    bed.place.path = `${bed.directory}/branch.jsonl`;
    await observer.callBegins!(call("b"), signal);
    const { ledger, turn } = readJournal(bed.place.path)!;
    assert.deepEqual([ledger.generation, [...turn!.calls.keys()], turn!.id], [1, ["a", "b"], "t1"]);
  }));

Deno.test("one that cannot be written stops nothing and leaves nothing that is not so", () =>
  withBed(async (bed) => {
    const { observer } = bed.start();
    await begin(observer);
    await run(observer, call("a"));
    bed.place.path = `${bed.directory}/gone/s.jsonl`;
    await run(observer, call("b"));
    await end(observer);
    bed.place.path = `${bed.directory}/s.jsonl`;
    Deno.writeTextFileSync(bed.file, "\u0000 not a journal\n");
    const other = bed.start();
    await begin(other.observer, "t2");
    await run(other.observer, call("c"));
    assert.equal(readJournal(bed.place.path)!.ledger.generation, 1);
  }));
