/** `/skills` and skills as commands, in a whole session. */
import assert from "node:assert/strict";
import { Harness, type HarnessOptions } from "../support/harness.ts";
import type { CommandAnswer } from "../../src/controller/mod.ts";
import type { WireStep } from "../support/model_server.ts";

const skill = (head: string, text = "Text.") => `---\n${head}\n---\n${text}\n`;

async function start(files: Record<string, string>, options: HarnessOptions = {}, script: readonly WireStep[] = []) {
  const harness = await Harness.start(script, { files, ...options, request: { interactive: true } });
  await harness.controller.commands!.run("/reload-cmd");
  return harness;
}

const run = (harness: Harness, line: string): Promise<CommandAnswer> => harness.controller.commands!.run(line);
const textOf = (answer: CommandAnswer): string => "text" in answer ? answer.text ?? "" : "";
const commandsOf = (harness: Harness) =>
  harness.controller.commands!.list().filter(({ group }) => group !== "built_in").map(({ name, group }) =>
    `${group} ${name}`
  );

const FILES = {
  ".reasonix/skills/deploy/SKILL.md": skill("description: Ship it\nargument-hint: [WHERE]"),
  ".reasonix/skills/by-hand.md": skill("description: By hand\ninvocation: manual"),
  ".reasonix/skills/child.md": skill("description: Child\nrunAs: subagent"),
  ".reasonix/skills/hidden.md": skill("description: For the model\nuser-invocable: false"),
  ".reasonix/skills/review.md": skill("description: A skill"),
  ".reasonix/skills/status.md": skill("description: Not the built-in one"),
  ".reasonix/commands/review.md": "A command.",
};

Deno.test("skills are commands behind the custom ones, and take the name of none", async () => {
  await using harness = await start(FILES);
  assert.deepEqual(commandsOf(harness), [
    "custom review",
    "skill by-hand",
    "skill deploy",
    "skill init",
    "skill test",
  ]);
  const deploy = harness.controller.commands!.list().find(({ name }) => name === "deploy");
  assert.deepEqual(deploy, { name: "deploy", summary: "Ship it", argumentHint: "[WHERE]", group: "skill" });
  assert.deepEqual(await run(harness, "/review now"), { kind: "prompt", text: "A command." });
  assert.equal((await run(harness, "/hidden")).kind, "unknown");
  assert.deepEqual(await run(harness, "/child do it"), {
    kind: "error",
    text: "the skill child runs in a child agent (runAs: subagent), and this version has none; nothing was done.",
  });
});

Deno.test("/skills lists every skill with who may use it, and no request is made", async () => {
  await using harness = await start(FILES, { config: '[skills]\ndisabled_skills = ["review"]\n' });
  const answer = await run(harness, "/skills");
  assert.equal(answer.kind, "skills");
  const rows = answer.kind === "skills" ? answer.skills : [];
  assert.deepEqual(rows.map(({ name, scope, on, use }) => [name, scope, on, use].join(" ")), [
    "by-hand project true person",
    "child project true nobody",
    "deploy project true model",
    "hidden project true model",
    "init built_in true person",
    "review project false model",
    "status project true model",
    "test built_in true person",
  ]);
  assert.equal(rows[2]!.place, `${harness.root}/.reasonix/skills/deploy/SKILL.md`);
  assert.match(textOf(answer), /^- \[x\] by-hand \(project, for you alone\): By hand\n/);
  assert.match(textOf(answer), /\n- \[ \] review \(project\): A skill\n/);
  assert.deepEqual(harness.model.requests, []);
});

Deno.test("what is switched goes to the user's file, its comments kept, and holds at once", async () => {
  await using harness = await start(FILES, { config: '[skills] # mine\ndisabled_skills = ["review", "gone"] # why\n' });
  assert.deepEqual(await run(harness, "/skills enable review disable deploy by-hand"), {
    kind: "done",
    text: "Skills on: review; off: deploy, by-hand.",
  });
  const file = await Deno.readTextFile(`${harness.home}/config.toml`);
  assert.match(file, /\[skills\] # mine\ndisabled_skills = \["gone", "deploy", "by-hand"\] # why\n/);
  assert.deepEqual(commandsOf(harness).filter((name) => name.startsWith("skill")), ["skill init", "skill test"]);
  assert.equal((await run(harness, "/deploy")).kind, "unknown");
  await run(harness, "/skills enable deploy");
  assert.equal((await run(harness, "/deploy")).kind, "prompt");
});

Deno.test("where the folder's settings decide, that is said", async () => {
  const files = { ...FILES, "reasonix.toml": '[skills]\ndisabled_skills = ["deploy"]\n' };
  await using harness = await start(files);
  assert.deepEqual(await run(harness, "/skills enable deploy disable review"), {
    kind: "done",
    text: "Skills on: deploy; off: review. The settings of this folder keep as they were: deploy.",
  });
});

Deno.test("/skills rescan finds what came since, and tells what does not load once", async () => {
  await using harness = await start({});
  await harness.put(".agents/skills/late/SKILL.md", skill("description: late"));
  await harness.put(".agents/skills/broken.md", "---\nopen");
  const answer = await run(harness, "/skills rescan");
  assert.ok(answer.kind === "skills");
  assert.deepEqual(answer.skills.map(({ name }) => name), ["init", "late", "test"]);
  assert.equal(answer.notices?.length, 1);
  assert.match(answer.text, /\n\n.*broken\.md: not a skill: /);
  assert.ok(!("notices" in await run(harness, "/skills rescan")));
  assert.ok(commandsOf(harness).includes("skill late"));
});

Deno.test("/skills sources shows the folders that are looked into, in their order", async () => {
  await using harness = await start(FILES, { config: '[skills]\npaths = ["more"]\nexcluded_paths = [".agent"]\n' });
  const rows = textOf(await run(harness, "/skills sources")).split("\n").filter((line) => line.startsWith("| `"));
  assert.deepEqual(rows.map((line) => line.replace(harness.root, "<ws>").replace(harness.home, "<home>")), [
    "| `<ws>/.reasonix/skills` | project | 6 |",
    "| `<ws>/.agents/skills` | project | - |",
    "| `<ws>/.claude/skills` | project | - |",
    "| `<ws>/more` | custom | - |",
    "| `<home>/skills` | global | - |",
  ]);
});

Deno.test("wrong words behind /skills get the usage, an unknown name is named", async () => {
  await using harness = await start(FILES);
  for (const line of ["/skills deploy", "/skills enable", "/skills disable"]) {
    const answer = await run(harness, line);
    assert.equal(answer.kind, "error", line);
    assert.match(textOf(answer), /\nUsage: \/skills \[/, line);
  }
  assert.deepEqual(await run(harness, "/skills enable nothing"), {
    kind: "error",
    text: 'There is no skill "nothing".',
  });
});

Deno.test("a skill that comes with the program is the person's to name, and no prompt tells of it", async () => {
  await using harness = await start({}, {}, [{ text: "ok" }]);
  assert.deepEqual(await run(harness, "/init tests only"), { kind: "prompt", text: "/init tests only" });
  await harness.prompt("/init tests only");
  const { messages, tools } = harness.model.requests[0]!.body;
  assert.ok(!/skill/i.test(messages[0].content));
  assert.ok(!tools.some((tool: { function: { name: string } }) => tool.function.name === "run_skill"));
  assert.match(messages.at(-1).content, /<skill-pin name="init">\n[^]*AGENTS\.md[^]*Arguments: tests only\n\n\/init/);
});
