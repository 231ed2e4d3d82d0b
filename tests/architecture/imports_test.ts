import assert from "node:assert/strict";
import plugin, { areaOf, MAY_IMPORT } from "../../scripts/layers.ts";
import { loadedWith, readSources, ROOT } from "./tree.ts";

const sources = readSources(["main.ts", "src", "plugins"]);
const inSrc = [...sources.keys()].filter((path) => path.startsWith("src/"));

const complaints = (path: string, text: string) =>
  Deno.lint.runPlugin(plugin, ROOT + path, text).map((one) => ({
    ...one,
    line: text.slice(0, one.range[0]).split("\n").length,
  }));

// proves ERR-01, ERR-02
// proves ERR-01 ERR-02
Deno.test("the sources keep the import, authority, door and state rules", () => {
  const found = [...sources].flatMap(([path, text]) =>
    complaints(path, text).map((one) => `${path}:${one.line} ${one.message}`)
  );
  assert.deepEqual(found, []);
});

Deno.test("no modules wait for each other to be loaded", () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path);
    if (at >= 0) return void cycles.push([...trail.slice(at), path].join(" -> "));
    if (done.has(path)) return;
    for (const next of loadedWith(path, sources.get(path) ?? "")) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of sources.keys()) visit(path, []);
  assert.deepEqual(cycles, []);
});

// proves ARCH-09
Deno.test("the table admits no cycle: each area imports only areas listed above it", () => {
  const above = new Set<string>();
  for (const [area, allowed] of MAY_IMPORT) {
    assert.deepEqual(allowed.filter((other) => !above.has(other)), [], area);
    above.add(area);
  }
});

Deno.test("every file in src/ is in an area", () => {
  assert.deepEqual(inSrc.filter((path) => areaOf(path.slice(4)) === undefined), []);
});

Deno.test("every area but the open ones has a door", () => {
  const areas = new Set(inSrc.map((path) => areaOf(path.slice(4))));
  const doorless = [...areas].filter((area) =>
    area !== undefined && area !== "lib" && area !== "contract" && !sources.has(`src/${area}/mod.ts`)
  );
  assert.deepEqual(doorless, []);
});

Deno.test("the longest files (a report, never a failure)", () => {
  const lines = [...sources].map(([path, text]) => [text.split("\n").length, path] as const).sort((a, b) =>
    b[0] - a[0]
  );
  const over = lines.filter(([count]) => count > 500).length;
  const short = lines.filter(([count]) => count <= 120).length;
  console.log(`${lines.length} files, ${short} of at most 120 lines, ${over} over 500`);
  for (const [count, path] of lines.slice(0, 8)) console.log(String(count).padStart(6), path);
});

/** [what is wrong, file it stands in, source, the one complaint] */
const objectionable: [why: string, file: string, source: string, message: string][] = [
  ["upwards", "src/tools/mod.ts", `export { run } from "../agent/mod.ts";`, `"tools" may not import "agent"`],
  ["lib of anything", "src/lib/a.ts", `import { x } from "../contract/x.ts";`, `"lib" may not import "contract"`],
  [
    "contract of a capability",
    "src/contract/a.ts",
    `import { x } from "../config/mod.ts";`,
    `"contract" may not import "config"`,
  ],
  ["sideways", "src/tools/a.ts", `import { x } from "../safety/mod.ts";`, `"tools" may not import "safety"`],
  ["sideways for types", "src/mcp/a.ts", `import type { X } from "../tools/mod.ts";`, `"mcp" may not import "tools"`],
  [
    "sideways by a type expression",
    "src/mcp/a.ts",
    `type X = import("../tools/mod.ts").X;`,
    `"mcp" may not import "tools"`,
  ],
  [
    "sideways, lazily",
    "src/workspace/a.ts",
    `await import("../safety/mod.ts");`,
    `"workspace" may not import "safety"`,
  ],
  [
    "sideways, in a worker",
    "src/tools/a.ts",
    `new URL("../config/worker.ts", import.meta.url);`,
    `"tools" may not import "config"`,
  ],
  [
    "the loop of its users",
    "src/agent/a.ts",
    `import { x } from "../controller/mod.ts";`,
    `"agent" may not import "controller"`,
  ],
  [
    "a frontend from below",
    "src/assembly/a.ts",
    `import { x } from "../frontends/view/mod.ts";`,
    `"assembly" may not import "frontends/view"`,
  ],
  [
    "between frontends",
    "src/frontends/tui/a.ts",
    `import { x } from "../serve/mod.ts";`,
    `"frontends/tui" may not import "frontends/serve"`,
  ],
  [
    "an engine part from a frontend",
    "src/frontends/acp/a.ts",
    `import { x } from "../../agent/mod.ts";`,
    `"frontends/acp" may not import "agent"`,
  ],
  [
    "past the door",
    "src/frontends/cli/a.ts",
    `import { x } from "../../controller/goal.ts";`,
    `Enter "controller" by its mod.ts`,
  ],
  [
    "a screen at start-up",
    "src/frontends/cli/a.ts",
    `import { x } from "../tui/mod.ts";`,
    `Load "frontends/tui" lazily`,
  ],
  [
    "out of src",
    "src/lib/a.ts",
    `import { x } from "../../tests/support/x.ts";`,
    `"../../tests/support/x.ts" leaves src/`,
  ],
  ["out of the project", "src/lib/a.ts", `import { x } from "../../../x.ts";`, `"../../../x.ts" leaves src/`],
  [
    "words of another area",
    "src/tools/a.ts",
    `import t from "../prompts/x.md" with { type: "text" };`,
    `"tools" may not import "prompts"`,
  ],
  ["no area", "src/stray/a.ts", `import { x } from "../lib/a.ts";`, `"stray/a.ts" is in no area`],
  ["a folder of no area", "src/agent/a.ts", `import { x } from "../stray/a.ts";`, `"stray/a.ts" is in no area`],
  ["computed", "src/lib/a.ts", "await import(`./${x}.ts`);", "Name the module literally"],
  ["for its side effects", "src/providers/a.ts", `import "./openai.ts";`, "No import for its side effects"],
  [
    "the entry going deep",
    "main.ts",
    `import { x } from "./src/agent/mod.ts";`,
    `main.ts enters "frontends/cli" by its mod.ts alone`,
  ],
  [
    "a plugin using the program",
    "plugins/example/a.ts",
    `import { x } from "../../src/lib/a.ts";`,
    "A plugin imports nothing outside its folder",
  ],
  ["printing", "src/agent/a.ts", `console.log("x");`, "Only frontends print"],
  ["printing by hand", "src/lib/a.ts", `Deno.stdout.writeSync(bytes);`, "Only frontends print"],
  [
    "setting the exit code",
    "src/frontends/tui/a.ts",
    `Deno.exit(1);`,
    `Only "frontends/cli" and main.ts set the exit code`,
  ],
  [
    "machine access",
    "src/tools/files/write.ts",
    `await Deno.remove("x");`,
    `"tools" takes a port instead of calling Deno`,
  ],
  [
    "machine access taken apart",
    "src/agent/a.ts",
    `const { env } = Deno;`,
    `"agent" takes a port instead of calling Deno`,
  ],
  [
    "machine access through the global",
    "src/controller/a.ts",
    `globalThis.Deno;`,
    `"controller" takes a port instead of calling Deno`,
  ],
  [
    "machine access by a built-in",
    "src/frontends/view/a.ts",
    `import { readFileSync } from "node:fs";`,
    `"frontends/view" takes a port instead of importing "node:fs"`,
  ],
  ["code in a door", "src/config/mod.ts", `export const x = 1;`, "mod.ts holds no code"],
  ["an import in a door", "src/config/mod.ts", `import { x } from "./x.ts";`, "mod.ts holds no code"],
  ["a door without names", "src/config/mod.ts", `export * from "./x.ts";`, "Export by name"],
  ["mutable module state", "src/providers/a.ts", `export let x = 1;`, "No process-wide mutable state"],
];
for (const [why, file, source, message] of objectionable) {
  Deno.test(`the rules object to: ${why}`, () => {
    assert.deepEqual(complaints(file, source).map((one) => one.message), [message]);
  });
}

const fine: [why: string, file: string, source: string][] = [
  ["the core", "src/mcp/a.ts", `import { x } from "../lib/x.ts"; import type { Y } from "../contract/y.ts";`],
  ["another file of the area", "src/tools/files/a.ts", `import { x } from "../shell/x.ts";`],
  ["words of the area", "src/tools/a.ts", `import t from "./a.md" with { type: "text" };`],
  ["assembly past a door", "src/assembly/a.ts", `import { x } from "../mcp/transports/stdio.ts";`],
  ["a screen, lazily", "src/frontends/cli/a.ts", `const { x } = await import("../tui/mod.ts");`],
  ["a type of a screen", "src/frontends/cli/a.ts", `import type { X } from "../tui/mod.ts";`],
  ["a type of Deno", "src/agent/a.ts", `export type F = () => Deno.Addr;`],
  ["a property that happens to be called Deno", "src/agent/a.ts", `versions.Deno;`],
  ["a test reaching anywhere", "src/tools/a_test.ts", `import { x } from "../safety/rules.ts"; Deno.readDirSync("/");`],
  ["a file outside the project", "../elsewhere/src/x/a.ts", `import "./b.ts";`],
];
for (const [why, file, source] of fine) {
  Deno.test(`the rules allow: ${why}`, () => {
    assert.deepEqual(complaints(file, source).map((one) => one.message), []);
  });
}

Deno.test("a lint comment does not silence the rules here", () => {
  const text = `// deno-lint-ignore-file\nimport { x } from "../safety/mod.ts";\n`;
  assert.deepEqual(complaints("src/tools/a.ts", text).map((one) => one.message), [`"tools" may not import "safety"`]);
});
