// Commands, flags, settings, variables and tasks that pages name exist in the code, and those that people can use are
// named in a page.
import assert from "node:assert/strict";
import { ROOT as SETTINGS } from "../../src/config/keys/root.ts";
import type { Fields, Node } from "../../src/config/schema.ts";
import { BUILT_IN } from "../../src/controller/commands/table.ts";
import { BUILT_IN_SKILLS } from "../../src/extensions/skills/built_in/built_in.ts";
import { findCommand } from "../../src/frontends/cli/commands.ts";
import { readSources, ROOT } from "../architecture/tree.ts";
import { commandLineFault, everyFlag, PLANNED } from "./_command_line.ts";
import { PAGES, type Piece } from "./_markdown.ts";

/** Every piece of code of every page that fits, with what is wrong with it; as `file:line: …`. */
function wrong(check: (piece: Piece, path: string) => string | undefined): string[] {
  return PAGES.flatMap((page) =>
    page.code.flatMap((piece) => {
      const fault = check(piece, page.path);
      return fault === undefined ? [] : [`${page.path}:${piece.line}: ${fault}`];
    })
  );
}

// --- commands and flags ----------------------------------------------------------------------------------------------

Deno.test("what pages may speak of before it is there is not there", () => {
  assert.deepEqual(PLANNED.filter((name) => findCommand(name) !== undefined), []);
});

Deno.test("command lines of reasonix in pages are ones the program would take", () => {
  assert.deepEqual(
    wrong(({ text }) => /^reasonix( |$)/.test(text) && !/^reasonix-/.test(text) ? commandLineFault(text) : undefined),
    [],
  );
});

/** Flags of other programs. */
const FOREIGN = ["--no-sparkplug", "--hard", "-f", "-c", "-e", "-exec", "--"];

Deno.test("flags that pages name by themselves are flags of some command", () => {
  assert.deepEqual(
    wrong(({ text }, path) => {
      const [flag = ""] = text.split(/[ =]/);
      if (!/^--?[a-z]/i.test(flag) || path.startsWith("docs/decisions/")) return undefined;
      return everyFlag.has(flag) || FOREIGN.includes(flag) ? undefined : text;
    }),
    [],
  );
});

const slashes = new Set([
  ...BUILT_IN.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  ...BUILT_IN_SKILLS.map((text) => /^name: (.+)$/m.exec(text)![1]!),
  // The guide's example of a skill.
  "deploy",
]);

/** Places of a file system or of an address that begin like a command. */
const PLACES = ["run", "tmp", "authorize", "token", "register", "dev", "proc", "usr", "etc", "home"];

/** Those of which docs/SPEC.md says that they are not there. What it says in brackets is about others. */
const missing = (/Commands inside a session that are not there[^.]*\./.exec(
  Deno.readTextFileSync(`${ROOT}docs/SPEC.md`).replace(/\([^)]*\)/g, ""),
)?.[0].match(/(?<=`\/)[a-z-]+(?=`)/g)) ?? [];

Deno.test("the slash commands that docs/SPEC.md says are missing are", () => {
  assert.deepEqual(missing.filter((name) => slashes.has(name)), []);
});

Deno.test("slash commands that pages name are built in", () => {
  assert.deepEqual(
    wrong(({ text }) => {
      const name = /^\/([a-z][a-z-]*)(?: |$)/.exec(text)?.[1];
      return name === undefined || slashes.has(name) || [...PLACES, ...missing].includes(name) ? undefined : text;
    }),
    [],
  );
});

Deno.test("tasks of deno that pages name are in deno.json", () => {
  const { tasks } = JSON.parse(Deno.readTextFileSync(ROOT + "deno.json"));
  const named = PAGES.flatMap(({ path, code, blocks }) =>
    [...code, ...blocks].flatMap(({ text }) =>
      [...text.matchAll(/(?:\bdeno|@\d[\d.]*) task ([a-z:]+)/g)].map(([, task]) => [path, task!] as const)
    )
  );
  assert.ok(named.length > 5);
  assert.deepEqual(named.filter(([, task]) => !(task in tasks)), []);
});

// --- settings --------------------------------------------------------------------------------------------------------

/** Looks a dotted name up; entries and tables with free names are passed through. */
function nodeAt(path: string): Node | undefined {
  let fields: Fields | undefined = SETTINGS.fields;
  let found: Node | undefined;
  for (const part of path.split(".")) {
    if (fields === undefined) return undefined;
    found = Object.hasOwn(fields, part) ? fields[part] : undefined;
    if (found === undefined) return undefined;
    fields = found.node === "table" || found.node === "entries"
      ? found.fields
      : found.node === "dictionary" && found.of.node === "table"
      ? found.of.fields
      : undefined;
  }
  return found;
}

const codes = new Set(
  [...readSources(["src"]).values()].flatMap((text) => text.match(/"[a-z_]+\.[a-z_]+"/g) ?? [])
    .map((code) => code.slice(1, -1)),
);

Deno.test("settings that pages name are in the table of settings", () => {
  assert.deepEqual(
    wrong(({ text }) => {
      // Marks of a message, not of a file.
      if (/^\[?\[keep\]\]?$/.test(text)) return undefined;
      const section = /^\[\[?([a-z_.]+)\]\]?(?: ([a-z_]+)(?: =.*)?)?$/.exec(text);
      if (section) {
        const [, path, key] = section;
        return nodeAt(key === undefined ? path! : `${path}.${key}`) ? undefined : text;
      }
      const dotted = /^([a-z_]+)(?:\.[a-z_]+)+$/.exec(text);
      if (dotted === null || !Object.hasOwn(SETTINGS.fields, dotted[1]!) || codes.has(text)) return undefined;
      // Files such as memory.md are no settings.
      if (/\.(?:md|ts|json|toml)$/.test(text)) return undefined;
      return nodeAt(text) ? undefined : text;
    }),
    [],
  );
});

// --- variables of the environment ------------------------------------------------------------------------------------

const sources = readSources(["main.ts", "src"]);
const program = [...sources.values()].join("\n");
const everything = [
  ...readSources(["main.ts", "src", "tests", "scripts"], { tests: true }).values(),
  Deno.readTextFileSync(`${ROOT}.ci/run`),
].join("\n");

Deno.test("variables of the environment that pages name are known to the code", () => {
  assert.deepEqual(
    wrong(({ text }, path) => {
      const name = /^\$?\{?([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=.*|\}|:-.*)?$/.exec(text)?.[1];
      if (name === undefined) return undefined;
      // Those of Reasonix do something in the program, but for the tests' own.
      const isOwn = name.startsWith("REASONIX_") && path !== "docs/CONTRIBUTING.md";
      return (isOwn ? program : everything).includes(name) ? undefined : text;
    }),
    [],
  );
});

/** Read to find out what the machine is like; nothing for people to set for this program. */
const OF_THE_MACHINE =
  /^(?:HOME|PATH|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|TERM|TERM_PROGRAM|COLORFGBG|XTERM_VERSION|COLORTERM|TMPDIR|TMP|TEMP|SHELL|USER|LOGNAME|PWD|WSL_DISTRO_NAME|TMUX|STY|SSH_[A-Z]+|DISPLAY|WAYLAND_DISPLAY|XDG_[A-Z_]+|SYSTEMROOT|COMSPEC|SystemRoot|ProgramFiles)$/;

Deno.test("each variable that the program reads is named in a page", () => {
  const read = new Set(
    [...sources.values()].flatMap((text) =>
      [...text.matchAll(/\b(?:env|read|get|environment)\(\s*"([A-Z][A-Z0-9]*_[A-Z0-9_]+|LANG|VISUAL|EDITOR)"/g)].map((
        [, name],
      ) => name!)
    ),
  );
  assert.ok(read.size > 8, [...read].join(" "));
  const named = PAGES.flatMap(({ code }) => code.map(({ text }) => text)).join(" ");
  assert.deepEqual([...read].filter((name) => !OF_THE_MACHINE.test(name) && !named.includes(name)), []);
});
