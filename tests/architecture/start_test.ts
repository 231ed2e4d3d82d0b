// What is loaded before the first request of a one-shot run. Counted, never timed; docs/PERFORMANCE.md has the times.
import assert from "node:assert/strict";
import { loadedWith, namedModules, readSources } from "./tree.ts";

/** Where such a run enters its files; most of them by `import()`. */
const ENTRIES = ["main.ts", "src/frontends/cli/run.ts", "src/providers/openai/mod.ts"];

/** Packages of a few kilobytes, needed for every answer. */
const LIGHT = ["eventsource-parser"];

/** Characters of TypeScript without comment lines. About 15 µs each thousand, on a machine of 2024. */
const BUDGET = 905_000;

const sources = readSources(["main.ts", "src"]);
const loaded = new Set<string>();
const visit = (path: string): void => {
  if (loaded.has(path)) return;
  loaded.add(path);
  loadedWith(path, sources.get(path) ?? "").forEach(visit);
};
ENTRIES.forEach(visit);

Deno.test("the entries of a start are there", () => {
  assert.deepEqual(ENTRIES.filter((path) => !sources.has(path)), []);
});

Deno.test("up to the first request no built-in module is loaded, and no package but the light ones", () => {
  const found: string[] = [];
  for (const path of loaded) {
    for (const { specifier, typeOnly, static: atOnce } of namedModules(path, sources.get(path) ?? "")) {
      if (typeOnly || !atOnce || String(specifier).startsWith(".") || LIGHT.includes(String(specifier))) continue;
      found.push(`${path}: ${specifier}`);
    }
  }
  assert.deepEqual(found, []);
});

Deno.test("up to the first request neither the work of a tool nor the walls of commands are loaded", () => {
  const late =
    /^src\/tools\/.*\/run_|^src\/tools\/argument_check|^src\/safety\/sandbox\/(confined_processes|walls|probe)\.ts$/;
  assert.ok([...sources.keys()].filter((path) => late.test(path)).length > 8, "the pattern names files that are there");
  assert.deepEqual([...loaded].filter((path) => late.test(path)), []);
});

Deno.test("what is loaded up to the first request keeps to its budget", () => {
  const size = (path: string) => (sources.get(path) ?? "").replace(/^\s*(?:\/\/|\/?\*).*\n/gm, "").length;
  const files = [...loaded].map((path) => ({ path, size: size(path) })).sort((a, b) => b.size - a.size);
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const largest = files.slice(0, 8).map((file) => `${file.size} ${file.path}`).join("\n");
  assert.ok(total <= BUDGET, `${total} characters, ${BUDGET} are allowed; load what is not needed later:\n${largest}`);
});
