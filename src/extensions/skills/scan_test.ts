import assert from "node:assert/strict";
import { createTempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { skillRoots } from "./roots.ts";
import { scanSkills } from "./scan.ts";
import type { SkillProblem } from "./skill.ts";

const head = (more: string) => `---\n${more}\n---\nText.\n`;
const described = (text: string) => head(`description: ${text}`);

interface Look {
  readonly custom?: readonly string[];
  readonly excluded?: readonly string[];
  readonly maxDepth?: number;
  readonly alone?: boolean;
  readonly isForbidden?: (real: string) => boolean;
}

/** The workspace is `ws/project`; the homes lie beside it. */
function look(base: string, { custom = [], excluded = [], maxDepth = 3, alone, isForbidden }: Look = {}) {
  const roots = skillRoots({
    root: `${base}/project`,
    home: `${base}/home`,
    ...(alone ? {} : { userHome: `${base}/user` }),
    custom: custom.map((path) => `${base}/${path}`),
    excluded: excluded.map((path) => `${base}/${path}`),
  });
  const found = scanSkills({ roots, excluded: excluded.map((path) => `${base}/${path}`), maxDepth }, { isForbidden });
  const own = found.skills.filter(({ scope }) => scope !== "built_in");
  return {
    ...found,
    own: own.map(({ name, description, scope }) => `${scope} ${name}: ${description}`),
    told: found.problems.map(({ code, file, loud }: SkillProblem) =>
      `${code} ${file.replace(`${base}/`, "")}${loud ? "" : " (quiet)"}`
    ),
  };
}

Deno.test("every root is looked into, and the one of higher rank wins a name", async () => {
  await using ws = await createTempWorkspace({
    "project/.reasonix/skills/a/SKILL.md": described("own"),
    "project/.agents/skills/b/SKILL.md": described("agents"),
    "project/.agent/skills/c.md": described("agent, flat"),
    "project/.claude/skills/d/SKILL.md": described("claude"),
    "more/a/SKILL.md": described("custom"),
    "more/e/SKILL.md": described("custom"),
    "home/skills/e/SKILL.md": described("home"),
    "home/skills/f/SKILL.md": described("home"),
    "user/.agents/skills/f/SKILL.md": described("user"),
    "user/.agent/skills/g/SKILL.md": described("user"),
    "user/.claude/skills/h/SKILL.md": described("user"),
  });
  const { own, told } = look(ws.root, { custom: ["more"] });
  assert.deepEqual(own, [
    "project a: own",
    "project b: agents",
    "project c: agent, flat",
    "project d: claude",
    "custom e: custom",
    "global f: home",
    "global g: user",
    "global h: user",
  ]);
  assert.deepEqual(told, [
    "skill.shadowed more/a/SKILL.md",
    "skill.shadowed home/skills/e/SKILL.md",
    "skill.shadowed user/.agents/skills/f/SKILL.md",
  ]);
  assert.match(
    look(ws.root, { custom: ["more"] }).problems[0]!.text,
    /more\/a\/SKILL\.md: not used: the skill a is the one of .*project\/\.reasonix\/skills\/a\/SKILL\.md$/,
  );
});

Deno.test("the folders of other programs in the person's home are left alone when that is asked for", async () => {
  await using ws = await createTempWorkspace({ "user/.agents/skills/a/SKILL.md": described("user") });
  assert.deepEqual(look(ws.root, { alone: true }).own, []);
});

Deno.test("an excluded place is not looked into, nor what lies below it, and everything is still there", async () => { // proves CFG-37
  await using ws = await createTempWorkspace({
    "user/.agents/skills/a/SKILL.md": described("user"),
    "user/.claude/skills/b/SKILL.md": described("user"),
    "home/skills/c/SKILL.md": described("home"),
    "home/skills/d/SKILL.md": described("home"),
  });
  const excluded = ["user/.agents/skills", "home/skills/d"];
  assert.deepEqual(look(ws.root, { excluded }).own, ["global b: user", "global c: home"]);
  assert.equal(await ws.text("user/.agents/skills/a/SKILL.md"), described("user"));
});

Deno.test("skills lie in folders down to the depth that is set, and not within one another", async () => {
  await using ws = await createTempWorkspace({
    "home/skills/one/SKILL.md": described("1"),
    "home/skills/x/two/SKILL.md": described("2"),
    "home/skills/x/y/three/SKILL.md": described("3"),
    "home/skills/x/y/z/four/SKILL.md": described("4"),
    "home/skills/one/inner/SKILL.md": described("inner"),
    "home/skills/.hidden/SKILL.md": described("hidden"),
    "home/skills/node_modules/p/SKILL.md": described("p"),
  });
  const names = (maxDepth: number) => look(ws.root, { maxDepth }).own.map((one) => one.split(/[ :]/)[1]);
  assert.deepEqual(names(3), ["one", "three", "two"]);
  assert.deepEqual(names(1), ["one"]);
  assert.deepEqual(names(4), ["four", "one", "three", "two"]);
});

Deno.test("a place of the settings may be one skill; one that is not there is told", async () => {
  await using ws = await createTempWorkspace({ "more/tidy/SKILL.md": described("one") });
  const { own, told } = look(ws.root, { custom: ["more/tidy", "gone"] });
  assert.deepEqual([own, told], [["custom tidy: one"], ["skill.read_failed gone"]]);
});

Deno.test("files that lie loose count where skills are kept, and elsewhere with a head that names them skills", async () => {
  await using ws = await createTempWorkspace({
    "home/skills/loose.md": "Just text.",
    "home/skills/README.md": "About these.",
    "home/skills/notes.txt": "no",
    "home/skills/group/notes.md": "Just text.",
    "home/skills/group/named.md": head("name: renamed\ndescription: d"),
    "user/.claude/skills/other.md": described("not marked"),
    "user/.claude/skills/broken.md": "---\nopen",
    "user/.claude/skills/marked.md": head("runAs: inline\ndescription: d"),
  });
  const { own, told } = look(ws.root);
  assert.deepEqual(own, ["global loose: ", "global marked: d", "global renamed: d"]);
  assert.deepEqual(told, ["skill.missing_description home/skills/loose.md (quiet)"]);
});

Deno.test("a file that cannot be used is named once and the others load", async () => {
  await using ws = await createTempWorkspace({
    "home/skills/good/SKILL.md": described("good"),
    "home/skills/open/SKILL.md": "---\nname: x",
    "home/skills/two words/SKILL.md": described("d"),
    "home/skills/huge/SKILL.md": described("d") + "x".repeat(300_000),
    "home/skills/headless/SKILL.md": `---\nx: ${"y".repeat(20_000)}\n---\n`,
  });
  await ws.put("home/skills/binary/SKILL.md", new Uint8Array([0, 1, 2]));
  await new Deno.Command("mkfifo", { args: [`${ws.root}/home/skills/pipe.md`] }).output();
  const { own, told, problems } = look(ws.root);
  assert.deepEqual(own, ["global good: good"]);
  assert.deepEqual(told.sort(), [
    "skill.read_failed home/skills/binary/SKILL.md",
    "skill.read_failed home/skills/headless/SKILL.md",
    "skill.read_failed home/skills/huge/SKILL.md",
    "skill.read_failed home/skills/open/SKILL.md",
    "skill.read_failed home/skills/pipe.md",
    "skill.read_failed home/skills/two words/SKILL.md",
  ]);
  assert.match(problems.find(({ file }) => file.includes("headless"))!.text, /in its first 16 KiB$/);
});

Deno.test("what is reached by two names is there once, and a copy in two places is no news", async () => {
  await using ws = await createTempWorkspace({
    "project/.agents/skills/a/SKILL.md": described("same"),
    "project/.claude/skills/b/SKILL.md": described("same"),
    "home/skills/b/SKILL.md": described("same"),
  });
  await Deno.symlink("../../.agents/skills/a", `${ws.root}/project/.claude/skills/a`);
  await Deno.symlink("skills", `${ws.root}/project/.claude/skills/loop`);
  const { own, told } = look(ws.root);
  assert.deepEqual(own, ["project a: same", "project b: same"]);
  assert.deepEqual(told, ["skill.shadowed home/skills/b/SKILL.md (quiet)"]);
});

Deno.test("links of a repository lead nowhere outside of it, links of the person's own do", async () => {
  await using ws = await createTempWorkspace({ "outside/s/SKILL.md": described("outside") });
  await Deno.mkdir(`${ws.root}/project/.reasonix/skills/leak`, { recursive: true });
  await Deno.symlink(`${ws.root}/outside`, `${ws.root}/project/.agents`);
  await Deno.symlink(`${ws.root}/outside/s`, `${ws.root}/project/.reasonix/skills/s`);
  await Deno.symlink(`${ws.root}/outside/s/SKILL.md`, `${ws.root}/project/.reasonix/skills/leak/SKILL.md`);
  assert.deepEqual([look(ws.root).own, look(ws.root).told], [[], []]);
  await Deno.mkdir(`${ws.root}/home`);
  await Deno.symlink(`${ws.root}/outside`, `${ws.root}/home/skills`);
  assert.deepEqual(look(ws.root).own, ["global s: outside"]);
});

Deno.test("what may not be read is no skill, by whatever name, and nothing is told of it", async () => {
  await using ws = await createTempWorkspace({ "project/hidden/s/SKILL.md": described("secret") });
  await Deno.mkdir(`${ws.root}/project/.agents/skills`, { recursive: true });
  await Deno.symlink("../../hidden/s", `${ws.root}/project/.agents/skills/s`);
  await Deno.symlink("../../hidden/s/SKILL.md", `${ws.root}/project/.agents/skills/t.md`);
  const isForbidden = (real: string) => real.includes("/hidden");
  const { own, told } = look(ws.root, { isForbidden });
  assert.deepEqual([own, told], [[], []]);
});

Deno.test("a folder of thousands is looked at in part, and that is told", async () => {
  await using ws = await createTempWorkspace();
  await Deno.mkdir(`${ws.root}/home/skills`, { recursive: true });
  for (let n = 0; n < 320; n++) Deno.writeTextFileSync(`${ws.root}/home/skills/s${n}.md`, described("d"));
  const { own, told } = look(ws.root);
  assert.deepEqual([own.length, told], [300, ["skill.read_failed home/skills"]]);
});

Deno.test("a place with more in it than anybody keeps there is looked at in part, and that is told", async () => {
  await using ws = await createTempWorkspace({
    "home/skills/a/SKILL.md": described("d"),
    "home/skills/z/SKILL.md": described("z"),
  });
  for (const folder of ["f", "g", "h"]) await fill(`${ws.root}/home/skills/${folder}`, 1_800);
  const { own, told } = look(ws.root);
  assert.deepEqual([own, told], [["global a: d"], ["skill.read_failed home/skills"]]);
});

async function fill(folder: string, files: number): Promise<void> {
  await Deno.mkdir(folder);
  const { success } = await new Deno.Command("sh", { args: ["-c", `seq ${files} | xargs touch`], cwd: folder })
    .output();
  assert.ok(success);
}
