// Every block that a page shows is tried or compared; one that no rule covers fails.
import assert from "node:assert/strict";
import { loadConfig, resolveModel, resolvePaths } from "../../src/config/mod.ts";
import { loadHooks } from "../../src/extensions/mod.ts";
import { parseSkill } from "../../src/extensions/skills/skill_head.ts";
import { commandReference } from "../../scripts/docs_commands.ts";
import { ROOT } from "../architecture/tree.ts";
import { type Block, type MarkdownPage, page, PAGES } from "./_markdown.ts";
import { Reader, scriptOf } from "./_reader.ts";

interface Rule {
  readonly what: string;
  fits(block: Block, path: string): boolean;
  check(block: Block): void | Promise<void>;
}

/** Tried together, page by page, below. */
const elsewhere = () => {};

const RULES: readonly Rule[] = [
  { what: "commands", fits: ({ language }) => language === "sh", check: elsewhere },
  { what: "a skill", fits: ({ language }) => language === "markdown", check: checkSkill },
  { what: "settings", fits: ({ language }) => language === "toml", check: checkSettings },
  { what: "hooks", fits: ({ language, text }) => language === "json" && text.includes('"hooks"'), check: checkHooks },
  {
    what: "what a run writes",
    fits: ({ language }, path) => language.startsWith("json") && path === "docs/EVENTS.md",
    check: elsewhere,
  },
  {
    what: "a transcript",
    fits: ({ language, text }) => language === "text" && text.startsWith("$ reasonix "),
    check: checkTranscript,
  },
  {
    what: "a screen of the tests",
    fits: ({ language }, path) => language === "screen" && path !== "docs/GUIDE.md",
    check: checkScreen,
  },
  {
    what: "a screen of the first hour",
    fits: ({ language }, path) => language === "screen" && path === "docs/GUIDE.md",
    check: elsewhere,
  },
  {
    what: "usage lines",
    fits: ({ language }) => language === "usage",
    check: ({ text }) => assert.ok(commandReference().includes(text)),
  },
  {
    what: "a schema",
    fits: ({ language }, path) => language === "text" && path === "docs/TOOL_CONTRACT.md",
    check: ({ text }) => void JSON.parse(text),
  },
  { what: "a drawing", fits: ({ language }) => language === "", check: checkDrawing },
];

for (const { path, blocks } of PAGES) {
  for (const block of blocks) {
    const rule = RULES.find(({ fits }) => fits(block, path));
    const name = `${path}:${block.line} is ${rule?.what ?? "of a kind that no rule covers"}`;
    if (rule?.check === elsewhere) continue;
    Deno.test(name, async () => {
      assert.ok(rule, "give it a language that says what it is, or add a rule");
      await rule.check(block);
    });
  }
}

for (const one of PAGES.filter(({ blocks }) => blocks.some(({ language }) => language === "sh"))) {
  // Its blocks are those of the other README.
  if (one.path === "README.zh-CN.md") continue;
  Deno.test(`the commands of ${one.path} do what they should, one after the other`, async () => {
    const { script, faults } = scriptOf(one);
    assert.deepEqual(faults, []);
    await using reader = await Reader.create();
    const { code, err } = await reader.shell(script);
    assert.equal(code, 0, err);
  });
}

Deno.test("the README in Chinese shows the blocks of the README", () => {
  const shown = ({ blocks }: MarkdownPage) => blocks.map(({ language, text }) => `${language}\n${text}`);
  assert.deepEqual(shown(page("README.zh-CN.md")), shown(page("README.md")));
});

Deno.test("no page has code that is set off by blanks alone: no rule sees it", () => {
  const found = PAGES.flatMap(({ path, prose }) =>
    [...prose.matchAll(/\n\n {4}(?! *[-*\d])(\S.*)/g)].filter(({ index }) =>
      !/^ *(?:[-*]|\d+\.) [^\n]*$/m.test(lastParagraph(prose, index))
    )
      .map(([, line]) => `${path}: ${line}`)
  );
  assert.deepEqual(found, []);
});

function lastParagraph(text: string, end: number): string {
  return text.slice(text.lastIndexOf("\n\n", end - 1) + 2, end);
}

async function checkSettings({ text }: Block): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    const env = (name: string) => name === "HOME" ? home : undefined;
    const paths = resolvePaths(env, { os: "linux", cwd: home });
    await Deno.mkdir(paths.home);
    await Deno.writeTextFile(paths.userConfig, text);
    const { config, notices } = await loadConfig({ paths, workspace: home, trusted: false, env });
    assert.deepEqual(notices, []);
    if (text.includes("default_model")) assert.ok(resolveModel(config, config.defaultModel).model);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function checkHooks({ text }: Block): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${home}/settings.json`, text);
    const { hooks, problems } = await loadHooks([{ file: `${home}/settings.json`, scope: "user" }]);
    assert.deepEqual([hooks.length > 0, problems], [true, []]);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Lines of a real run, in order; a line that is only `…` stands for some that are left out. */
async function checkTranscript({ text }: Block): Promise<void> {
  const [first = "", ...shown] = text.trimEnd().split("\n");
  await using reader = await Reader.create();
  const { code, out, err } = await reader.shell(first.slice(2));
  assert.equal(code, 0, err);
  const printed = out.split("\n").map((line) => line.trimEnd());
  const missing = shown.filter((line) => {
    if (line.trim() === "…") return false;
    const at = printed.indexOf(line);
    if (at >= 0) printed.splice(0, at + 1);
    return at < 0;
  });
  assert.deepEqual(missing, []);
}

/** Lines that stand together, in this order, on a screen that the tests of the terminal hold. */
function checkScreen({ text }: Block): void {
  const folder = `${ROOT}tests/fixtures/screens`;
  const screens = [...Deno.readDirSync(folder)].map(({ name }) => Deno.readTextFileSync(`${folder}/${name}`));
  const shown = text.split("\n").map((line) => line.trimEnd()).join("\n").trimEnd();
  assert.ok(screens.some((screen) => screen.includes(shown)), "no screen of tests/fixtures/screens holds these lines");
}

function checkSkill({ text }: Block): void {
  const skill = parseSkill(text);
  assert.ok(!("problem" in skill), JSON.stringify(skill));
}

/** Nothing in it can be typed; the parts of the program it names are there. */
function checkDrawing({ text }: Block): void {
  assert.doesNotMatch(text, /^\s*(?:\$|reasonix|deno) /m);
  const folders = new Set([
    "settings",
    "events",
    "intents",
    ...[...Deno.readDirSync(`${ROOT}src`)].map(({ name }) => name),
  ]);
  if (text.includes("─▶")) assert.deepEqual((text.match(/[a-z]+/g) ?? []).filter((word) => !folders.has(word)), []);
}
