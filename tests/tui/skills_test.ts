// The panel of /skills: what its keys do, and that it fits, in both languages.
import assert from "node:assert/strict";
import type { CommandAnswer, SkillRow } from "../../src/controller/mod.ts";
import { assertScreen } from "../support/screen_fixture.ts";
import { TestScreen, type TestScreenOptions } from "../support/test_screen.ts";

const row = (name: string, more: Partial<SkillRow> = {}): SkillRow => ({
  name,
  description: `What ${name} is good for, in a line that does not always fit`,
  scope: "project",
  place: `/home/site/.reasonix/skills/${name}/SKILL.md`,
  on: true,
  use: "model",
  ...more,
});

const SKILLS: readonly SkillRow[] = [
  row("deploy"),
  row("explore", { use: "nobody", scope: "global", place: "/home/ann/.agents/skills/explore.md" }),
  row("init", { use: "person", scope: "built_in", place: "comes with reasonix" }),
  row("review", { on: false, scope: "custom" }),
  row("\u6574\u7406", { description: "" }),
  ...Array.from({ length: 20 }, (_, n) => row(`skill-${n}`)),
];

async function open(options: TestScreenOptions = {}, skills = SKILLS) {
  const lines: string[] = [];
  const answer = (line: string): CommandAnswer => {
    lines.push(line);
    if (line === "/skills sources") return { kind: "text", text: "Where they lie." };
    if (line.startsWith("/skills enable") || line.startsWith("/skills disable")) {
      return { kind: "done", text: "Saved." };
    }
    const notices = line === "/skills rescan" ? { notices: ["one is broken"] } : {};
    return { kind: "skills", skills: line === "/skills rescan" ? skills.slice(0, 2) : skills, text: "", ...notices };
  };
  const screen = new TestScreen({ ...options, commands: answer });
  await screen.shows(/ready|就绪/);
  await screen.type("/skills ");
  await screen.type("\r");
  await screen.shows(/Skills ·|技能 ·/);
  return { screen, lines };
}

const rules = (text: string) => text.split("\n").filter((line) => /^─+$/.test(line)).length;

for (const [language, columns, rows] of [["en", 80, 24], ["en", 40, 15], ["zh", 80, 24], ["zh", 40, 15]] as const) {
  // proves CMD-15 CMD-18
  Deno.test(`the skills at ${columns}x${rows} in ${language}: panel and status, no composer, all of it fits`, async () => {
    const { screen } = await open({ columns, rows, settings: { language } });
    await using _ = screen;
    const text = await screen.shows("deploy");
    assert.equal(rules(text), 1);
    assertScreen(`skills_${language}_${columns}x${rows}`, text);
  });
}

Deno.test("Space switches, nothing is saved before Enter, and Enter saves what is switched in one line", async () => {
  const { screen, lines } = await open();
  await using _ = screen;
  screen.keys(" ", "j", "j", "j", " ", "\x1b[A", " ", " ");
  const text = await screen.shows("[x]* review");
  assert.match(text, /\[ \]\* deploy/);
  assert.match(text, /Skills · 24 of 25 on/);
  assert.deepEqual(lines, ["/skills"]);
  screen.keys("\r");
  await screen.shows("Saved.");
  assert.deepEqual(lines, ["/skills", "/skills enable review disable deploy"]);
});

Deno.test("Escape leaves everything as it was", async () => {
  const { screen, lines } = await open();
  await using _ = screen;
  screen.keys(" ", "\x1b");
  await screen.hides("Skills ·");
  assert.deepEqual(lines, ["/skills"]);
});

Deno.test("/ searches, Escape ends the search first, and keys are letters meanwhile", async () => {
  const { screen, lines } = await open();
  await using _ = screen;
  screen.keys("/");
  await screen.type("rsk");
  await screen.shows("nothing fits");
  screen.keys("\x7f", "\x7f", "\x7f");
  await screen.type("review");
  await screen.shows(/❯ \[ \] {2}review/);
  screen.keys("\r", " ");
  await screen.shows("[x]* review");
  screen.keys("\x1b");
  await screen.shows("deploy");
  screen.keys("\r");
  await screen.shows("Saved.");
  assert.deepEqual(lines, ["/skills", "/skills enable review"]);
});

Deno.test("r looks again and tells what it met, s shows where skills lie", async () => {
  const { screen, lines } = await open();
  await using _ = screen;
  screen.keys("r");
  await screen.shows("Skills · 2 of 2 on");
  await screen.shows("one is broken");
  screen.keys("s");
  await screen.shows("Where they lie.");
  assert.deepEqual(lines, ["/skills", "/skills rescan", "/skills sources"]);
});

Deno.test("where there are none the panel says so", async () => {
  const { screen } = await open({}, []);
  await using _ = screen;
  await screen.shows("There are no skills.");
  screen.keys(" ", "\r");
  await screen.hides("There are no skills.");
});
