import assert from "node:assert/strict";
import { BUILTIN_TOOLS } from "../../src/tools/mod.ts";
import { Harness } from "../support/harness.ts";

Deno.test("the built-in tools include those every workspace needs, from one explicit list", () => {
  // proves ARCH-04 ARCH-10
  const names = BUILTIN_TOOLS.map((kind) => kind.name);
  for (const name of ["read_file", "write_file", "edit_file", "move_file", "bash", "ls", "glob", "grep"]) {
    assert.ok(names.includes(name), name);
  }
  assert.equal(new Set(names).size, names.length);
});

Deno.test("stored messages carry role, content, calls with raw arguments, and results with id and name, and nothing empty", async () => {
  // proves DATA-01 DATA-02 DATA-03
  const args = '{ "path":"a.txt" }';
  await using harness = await Harness.start([{ calls: [{ name: "read_file", args, id: "c1" }] }, { text: "ok" }], {
    files: { "a.txt": "hello\n" },
  });
  await harness.prompt("read it");
  const stored = harness.controller.messages.map((
    { role, content, tool_calls, tool_call_id, name },
  ) => [role, content !== undefined, tool_calls, tool_call_id, name]);
  assert.deepEqual(stored, [
    ["system", true, undefined, undefined, undefined],
    ["user", true, undefined, undefined, undefined],
    ["user", true, undefined, undefined, undefined],
    ["assistant", false, [{ id: "c1", name: "read_file", arguments: args }], undefined, undefined],
    ["tool", true, undefined, "c1", "read_file"],
    ["assistant", true, undefined, undefined, undefined],
  ]);
});

Deno.test("a request holds messages, tools, a temperature when one is set, and the output limit when one is set", async () => {
  // proves DATA-04
  await using harness = await Harness.start([{ text: "ok" }], { config: "[agent]\ntemperature = 0.5\n" });
  await harness.prompt("hi");
  const { body } = harness.model.requests[0]!;
  assert.deepEqual([body.temperature, Array.isArray(body.messages), Array.isArray(body.tools)], [0.5, true, true]);
});

Deno.test("a configured system prompt replaces the built-in one", async () => {
  // proves CFG-15
  await using harness = await Harness.start([{ text: "ok" }], {
    config: '[agent]\nsystem_prompt = "You are a parrot."\n',
  });
  await harness.prompt("hi");
  assert.equal(harness.model.requests[0]!.body.messages[0].content, "You are a parrot.");
});

Deno.test("the environment summary can be left out, and says when there is no network", async () => {
  // proves CFG-25 CFG-26
  const contexts: string[] = [];
  for (const settings of ["enabled = true\noffline = true", "enabled = false"]) {
    await using harness = await Harness.start([{ text: "ok" }], { config: `[environment]\n${settings}\n` });
    await harness.prompt("hi");
    contexts.push(harness.model.requests[0]!.body.messages[1].content);
  }
  assert.match(contexts[0]!, /\nos: .*\nshell: [\s\S]*programs found: .*\n[\s\S]*network: none/);
  assert.doesNotMatch(contexts[1]!, /os: |programs found/);
});

Deno.test("the language of visible reasoning is stated where one is chosen", async () => {
  // proves CFG-17
  const contexts: string[] = [];
  for (const language of ["auto", "zh", "en"]) {
    await using harness = await Harness.start([{ text: "ok" }], {
      config: `[agent]\nreasoning_language = "${language}"\n`,
    });
    await harness.prompt("hi");
    contexts.push(/reasoning: .*/.exec(harness.model.requests[0]!.body.messages[1].content)?.[0] ?? "");
  }
  assert.deepEqual(contexts, ["", "reasoning: think in Chinese", "reasoning: think in English"]);
});

Deno.test("trusted executables are shown to the model as given, and nothing inside the workspace is taken for a program", async () => {
  // proves CFG-27
  await using harness = await Harness.start([{ text: "ok" }], {
    config: '[environment.tools]\ngo = "/opt/go/bin/go"\n',
    files: { "jq": "#!/bin/sh\ntouch marker\n" },
  });
  await harness.prompt("hi");
  assert.match(harness.model.requests[0]!.body.messages[1].content, /programs found: .*go at \/opt\/go\/bin\/go/);
  await assert.rejects(harness.text("marker"));
});

Deno.test("a whole-file write over a change made since the agent looked is refused, unless that is switched off", async () => {
  // proves CFG-30
  const written: string[] = [];
  for (const config of ["", "[tools]\nprotect_changed_files = false\n"]) {
    await using harness = await Harness.start([
      { calls: [{ name: "read_file", args: { path: "a.txt" } }] },
      { calls: [{ name: "bash", args: { command: "echo theirs > a.txt" } }] },
      { calls: [{ name: "write_file", args: { path: "a.txt", content: "mine\n" } }] },
      { text: "ok" },
    ], { config, files: { "a.txt": "old\n" } });
    await harness.prompt("go");
    written.push(await harness.text("a.txt"));
  }
  assert.deepEqual(written, ["theirs\n", "mine\n"]);
});
