/** `--preset delivery`: what the model is told, what the host checks, and what is told of work that stays unchecked. */
import assert from "node:assert/strict";
import { Harness, type HarnessOptions } from "../support/harness.ts";
import type { WireStep } from "../support/model_server.ts";

const write = { calls: [{ name: "write_file", args: { path: "a.txt", content: "new" } }] };
const run = (command: string) => ({ calls: [{ name: "bash", args: { command } }] });

function start(script: readonly WireStep[], options: HarnessOptions = {}): Promise<Harness> {
  return Harness.start(script, { ...options, request: { preset: "delivery", ...options.request } });
}

const lastWords = (harness: Harness): string => harness.model.requests.at(-1)!.body.messages.at(-1).content;

const unchecked = ({ events }: Harness) =>
  events.flatMap((event) => event.kind === "notice" && event.code === "delivery.unchecked" ? [event.text] : []);

Deno.test("balanced tells the model nothing and checks nothing", async () => {
  await using harness = await start([write, { text: "written" }], { request: { preset: "balanced" } });
  await harness.prompt("write it");
  assert.equal(harness.controller.messages[2]?.content, "write it");
  assert.equal(harness.model.requests.length, 2);
  assert.deepEqual(unchecked(harness), []);
});

Deno.test("delivery is told with each message, and the person's words are kept apart", async () => {
  await using harness = await start([{ text: "1" }, { text: "2" }]);
  await harness.prompt("what is this?");
  assert.match(lastWords(harness), /^<delivery>\n[^]*\n<\/delivery>\n\nwhat is this\?$/);
  assert.equal(harness.controller.messages[2]?.raw_content, "what is this?");
  await harness.prompt("and that?");
  assert.match(lastWords(harness), /<delivery>/);
});

Deno.test("a turn that would end with unchecked changes is sent back once, and then told", async () => {
  await using harness = await start([write, { text: "done" }, { text: "really done" }]);
  const { answer } = await harness.prompt("write it");
  assert.equal(answer, "really done");
  assert.match(
    lastWords(harness),
    /^<host-notice>Nothing was run after the last change of .*\/a\.txt\. Mend and check it now\..*<\/host-notice>$/,
  );
  assert.deepEqual(unchecked(harness), [`Nothing was run after the last change of ${harness.root}/a.txt.`]);
});

Deno.test("a check that passed after the last change is enough, one that failed is not", async () => {
  await using passed = await start([write, run("make -f checks test"), { text: "done" }], {
    files: { checks: "test:\n\ttrue\n" },
  });
  await passed.prompt("write it");
  assert.equal(passed.model.requests.length, 3);
  assert.deepEqual(unchecked(passed), []);
  await using failed = await start([write, run("make -f checks test"), { text: "done" }, { text: "it fails" }], {
    files: { checks: "test:\n\tfalse\n" },
  });
  await failed.prompt("write it");
  assert.deepEqual(unchecked(failed), ["The last check after the changes failed: make -f checks test."]);
});

Deno.test("/preset changes it between turns, by its other names too, and another conversation keeps it", async () => {
  await using harness = await start([{ text: "1" }], { request: { preset: "balanced", interactive: true } });
  const say = (line: string) => harness.controller.commands!.run(line);
  const shown = await say("/preset");
  assert.deepEqual(
    shown.kind === "screen" && shown.screen.rows.map(({ label, current }) => [label, current === true]),
    [["balanced", true], ["delivery", false]],
  );
  assert.deepEqual(await say("/work-mode delivery"), { kind: "done", text: "Preset: delivery" });
  assert.deepEqual(harness.events.at(-1)?.kind, "preset_changed");
  await say("/new");
  assert.equal(harness.controller.preset, "delivery");
  assert.deepEqual(await say("/profile economy"), { kind: "done", text: "Preset: balanced" });
  assert.equal((await say("/preset thorough")).kind, "error");
  const turn = harness.prompt("go");
  assert.deepEqual(await say("/preset delivery"), {
    kind: "error",
    text: "a turn is running; stop it or wait for its end",
  });
  await turn;
});
