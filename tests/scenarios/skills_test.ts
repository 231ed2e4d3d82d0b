/** Skills in a whole session: what the model is told of them, how it reads one, and what a person may name. */
import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";

const DEPLOY = "---\ndescription: Ship this service to staging\n---\nRun ./ship.sh $ARGUMENTS.\n";
const FILES = { ".reasonix/skills/deploy/SKILL.md": DEPLOY };

const skill = (head: string, text = "Text.") => `---\n${head}\n---\n${text}\n`;
const systemOf = (harness: Harness) => harness.model.requests.at(-1)!.body.messages[0].content as string;
const toolsOf = (harness: Harness) =>
  harness.model.requests.at(-1)!.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, args }] });

Deno.test("without skills nothing about them is in a request", async () => {
  await using harness = await Harness.start([{ text: "ok" }], { files: { ".claude/skills/notes.md": "no skill" } });
  await harness.prompt("hi");
  assert.ok(!/skill/i.test(systemOf(harness)));
  assert.ok(!toolsOf(harness).includes("run_skill"));
  assert.deepEqual(harness.controller.notices.filter((text) => /skill/.test(text)), []);
});

Deno.test("the model is told of a skill, reads it with its arguments, and the prompt stays as it was", async () => {
  await using harness = await Harness.start([
    call("run_skill", { name: "deploy", arguments: "--to eu" }),
    { text: "done" },
    { text: "again" },
  ], { files: FILES });
  await harness.prompt("ship it to the EU");
  assert.match(systemOf(harness), /\n\n# Skills kept ready\n\n[^\n]+\n\n- deploy: Ship this service to staging$/);
  assert.equal(toolsOf(harness).at(-1), "run_skill");
  assert.equal(
    harness.results[0],
    `<skill-pin name="deploy">\nThe files of this skill lie in ${harness.root}/.reasonix/skills/deploy\n\n` +
      "Run ./ship.sh --to eu.\n</skill-pin>",
  );
  const before = systemOf(harness);
  await harness.put(".reasonix/skills/later.md", skill("description: later"));
  await harness.prompt("go on");
  assert.equal(systemOf(harness), before);
});

Deno.test("a resumed session keeps its prompt and its tools, whatever became of the skills", async () => {
  await using harness = await Harness.start([{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }], {
    files: FILES,
  });
  await harness.prompt("with skills");
  const [system, tools] = [systemOf(harness), toolsOf(harness)];
  const { sessionId } = harness.controller;
  await harness.controller.close();
  await Deno.remove(`${harness.root}/.reasonix`, { recursive: true });
  await harness.open({ resume: { ref: sessionId } });
  await harness.prompt("on");
  assert.deepEqual([systemOf(harness), toolsOf(harness)], [system, tools]);
  await harness.controller.close();

  await harness.open({});
  harness.model.allowNextReset = true;
  await harness.prompt("without skills");
  const bare = toolsOf(harness);
  const { sessionId: second } = harness.controller;
  await harness.controller.close();
  await harness.put(".reasonix/skills/deploy/SKILL.md", DEPLOY);
  await harness.open({ resume: { ref: second } });
  await harness.prompt("on");
  assert.ok(!bare.includes("run_skill"));
  assert.deepEqual(toolsOf(harness), bare);
});

Deno.test("manual skills, those of child agents and those without a description are not in the prompt", async () => { // proves SUB-03 SUB-16
  await using harness = await Harness.start([
    call("run_skill", { name: "by-hand" }),
    call("run_skill", { name: "child" }),
    call("run_skill", { name: "deplyo" }),
    { text: "ok" },
  ], {
    files: {
      ...FILES,
      ".reasonix/skills/by-hand.md": skill("description: d\ninvocation: manual"),
      ".reasonix/skills/child.md": skill("description: d\nrunAs: subagent"),
      ".reasonix/skills/silent.md": "Just text.",
    },
  });
  await harness.prompt("go");
  assert.deepEqual(systemOf(harness).match(/^- [\w-]+: /gm)?.slice(-1), ["- deploy: "]);
  const { messages: [system], tools } = harness.model.requests[0]!.body;
  assert.ok(!/by-hand|child|silent/.test(system.content));
  assert.ok(!/by-hand|"child"|silent/.test(JSON.stringify(tools)));
  assert.deepEqual(harness.results, [
    '<skill-pin name="by-hand">\nText.\n</skill-pin>',
    "error: the skill child runs in a child agent (runAs: subagent), and this version has none; nothing was done",
    'error: there is no skill "deplyo"; did you mean deploy?',
  ]);
});

Deno.test("a skill is reached through use_capability as well, by the same name for every rule", async () => {
  await using harness = await Harness.start([
    call("use_capability", { action: "search", query: "ship staging" }),
    call("use_capability", { action: "inspect", capability_id: "skill:deploy" }),
    call("use_capability", { action: "call", capability_id: "skill:deploy", arguments: { arguments: "now" } }),
    call("use_capability", { action: "call", capability_id: "skill:nothing" }),
    { text: "ok" },
  ], { files: FILES });
  await harness.prompt("go");
  const [search, inspect, ran, missing] = harness.results;
  assert.equal(search, "skill:deploy (read-only): Ship this service to staging");
  assert.match(inspect!, /^skill:deploy \(read-only\)\nShip this service to staging\n\{.*"arguments"/);
  assert.match(ran!, /Run \.\/ship\.sh now\./);
  assert.equal(missing, 'error: unknown capability_id "skill:nothing": there is no such skill');

  await using denied = await Harness.start([
    call("use_capability", { action: "call", capability_id: "skill:deploy" }),
    { text: "ok" },
  ], { files: FILES, config: '[permissions]\ndeny = ["run_skill"]\n' });
  await denied.prompt("go");
  assert.match(denied.results[0]!, /^blocked: /);
});

Deno.test("a skill that is switched off is there for nobody", async () => { // proves CFG-38
  await using harness = await Harness.start([call("run_skill", { name: "deploy" }), { text: "ok" }], {
    files: { ...FILES, ".reasonix/skills/other.md": skill("description: another") },
    config: '[skills]\ndisabled_skills = ["deploy"]\n',
    request: { interactive: true },
  });
  assert.equal((await harness.controller.commands!.run("/deploy now")).kind, "unknown");
  assert.ok(!harness.controller.commands!.list().some(({ name }) => name === "deploy"));
  await harness.prompt("go");
  assert.ok(!systemOf(harness).includes("deploy"));
  assert.equal(harness.results[0], 'error: there is no skill "deploy"; there are: other');
});

Deno.test("where the model is not to choose, or the tool is left out, the prompt tells of no skill", async () => {
  for (const config of ["[skills]\ndisable_implicit_invocation = true\n", '[tools]\nenabled = ["read_file"]\n']) {
    await using harness = await Harness.start([{ text: "ok" }], { files: FILES, config });
    await harness.prompt("go");
    assert.ok(!/skill/i.test(systemOf(harness)), config);
    assert.ok(!toolsOf(harness).includes("run_skill"), config);
    assert.deepEqual(harness.controller.notices, []);
  }
});

Deno.test("more folders are looked into, others not, and the settings say which", async () => { // proves CFG-37
  await using harness = await Harness.start([{ text: "ok" }], {
    files: {
      ...FILES,
      "tools/skills/mine/SKILL.md": skill("description: mine"),
      ".agents/skills/theirs/SKILL.md": skill("description: theirs"),
    },
    config: '[skills]\npaths = ["tools/skills"]\nexcluded_paths = [".agents/skills"]\n',
  });
  await harness.prompt("go");
  assert.match(systemOf(harness), /\n- deploy: .*\n- mine: mine$/);
  assert.equal(await harness.text(".agents/skills/theirs/SKILL.md"), skill("description: theirs"));
});

Deno.test("a skill that does not load is told once, and not at all where that is asked for", async () => { // proves CFG-39
  const files = { ".reasonix/skills/broken.md": "---\nopen", ...FILES };
  await using harness = await Harness.start([{ text: "ok" }], { files });
  assert.deepEqual(harness.controller.notices, [
    `${harness.root}/.reasonix/skills/broken.md: not a skill: its head is not closed: a line of "---" is missing`,
  ]);
  await using quiet = await Harness.start([{ text: "ok" }], { files, config: "[skills]\nsuppress_warnings = true\n" });
  assert.deepEqual(quiet.controller.notices, []);
});

Deno.test("a person names a skill: the words stay as typed, and its text goes before them", async () => {
  await using harness = await Harness.start([{ text: "ok" }, { text: "ok" }], {
    files: {
      ...FILES,
      ".reasonix/skills/by-hand.md": skill("invocation: manual", "Read @secret.txt first."),
      "secret.txt": "s",
    },
    request: { interactive: true },
  });
  const { commands } = harness.controller;
  assert.deepEqual(await commands!.run("/deploy  to\teu"), { kind: "prompt", text: "/deploy to\teu" });
  assert.deepEqual(await commands!.run("/by-hand"), { kind: "prompt", text: "/by-hand" });
  assert.equal(harness.model.requests.length, 0);
  await harness.prompt("/deploy to\teu");
  const message = harness.model.requests[0]!.body.messages.at(-1).content;
  assert.match(
    message,
    /^The user asks for the skill deploy\. Its instructions:\n\n<skill-pin name="deploy">\n.*\n\nRun \.\/ship\.sh to\teu\.\n<\/skill-pin>\n\n\/deploy to\teu$/,
  );
  assert.equal(harness.controller.messages.findLast(({ role }) => role === "user")?.raw_content, "/deploy to\teu");
  await harness.prompt("/by-hand");
  const second = harness.model.requests[1]!.body.messages.at(-1).content;
  assert.ok(second.includes("Read @secret.txt first.") && !second.includes("<file"));
});

Deno.test("headless, a line is a message and names no skill", async () => { // proves SUB-08
  await using harness = await Harness.start([{ text: "ok" }], { files: FILES });
  await harness.prompt("/deploy now");
  assert.equal(harness.model.requests[0]!.body.messages.at(-1).content, "/deploy now");
});

Deno.test("a folder's skills are text: what they ask for, permissions included, they do not get", async () => {
  const text = "!`touch ran.txt`\n\n$(touch ran.txt)";
  await using harness = await Harness.start([
    call("run_skill", { name: "evil" }),
    call("bash", { command: "touch ran.txt" }),
    { text: "ok" },
  ], {
    files: { ".claude/skills/evil/SKILL.md": skill("description: d\nallowed-tools: Bash, Write", text) },
    request: { posture: "ask" },
  });
  await harness.prompt("go");
  assert.match(harness.results[0]!, /!`touch ran\.txt`/);
  assert.match(harness.results[1]!, /^blocked: /);
  await assert.rejects(harness.text("ran.txt"));
});

Deno.test("nothing the agent may not read comes in as a skill", async () => {
  const files = {
    "secrets/SKILL.md": skill("description: the forbidden words"),
    ".reasonix/skills/here/references/x.md": "x",
    ".reasonix/skills/here/SKILL.md": skill("description: here"),
  };
  await using harness = await Harness.start([call("run_skill", { name: "here" }), { text: "ok" }], {
    files,
    config: '[sandbox]\nforbid_read = ["secrets"]\n',
  });
  await Deno.symlink("../../secrets", `${harness.root}/.reasonix/skills/there`);
  await Deno.symlink("../../../../secrets/SKILL.md", `${harness.root}/.reasonix/skills/here/references/y.md`);
  await harness.open({});
  await harness.prompt("go");
  assert.ok(harness.results[0]!.includes("## Reference: x"));
  assert.ok(!harness.model.requests.some(({ text }) => text.includes("forbidden words")));
});

Deno.test("an untrusted folder brings no skills from outside of itself", async () => {
  const files = {
    "reasonix.toml": '[skills]\npaths = ["~/notes", "../beside", "own"]\n',
    "own/a.md": skill("description: a"),
  };
  await using harness = await Harness.start([{ text: "ok" }], { files });
  for (const place of [`${harness.home}/notes`, `${harness.root.slice(0, -3)}/beside`]) {
    await Deno.mkdir(place);
    await Deno.writeTextFile(`${place}/diary.md`, skill("description: private words"));
  }
  await harness.open({});
  await harness.prompt("go");
  assert.ok(systemOf(harness).includes("- a: a"));
  assert.ok(!systemOf(harness).includes("private words"));
  assert.ok(
    harness.controller.notices.some((text) => text.includes("skills.paths") && text.includes("reasonix trust")),
  );
});

Deno.test("what is written to a folder of skills takes a person's word, in the places of the settings too", async () => {
  const write = (path: string) => ({ name: "write_file", args: { path, content: "x" } });
  await using harness = await Harness.start([
    { calls: [write("kept/skills/a/SKILL.md"), write(".claude/skills/b.md"), write("kept/other.md")] },
    { text: "ok" },
  ], { config: '[skills]\npaths = ["kept/skills"]\n' });
  await harness.prompt("go");
  assert.match(harness.results[0]!, /^blocked: .*it is part of a skill/);
  assert.match(harness.results[1]!, /^blocked: /);
  assert.equal(await harness.text("kept/other.md"), "x");
});
