// What the project takes from others: pinned, explained, without native parts, and off the way to a quick start.
import assert from "node:assert/strict";
import { loadedWith, namedModules, readSources, ROOT } from "./tree.ts";

const imports: Record<string, string> = JSON.parse(Deno.readTextFileSync(ROOT + "deno.json")).imports;
const lock = JSON.parse(Deno.readTextFileSync(ROOT + "deno.lock"));
const packages = Object.keys(imports);

/** The package a bare specifier belongs to: `zod/mini` -> `zod`. */
const packageOf = (specifier: string) => specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");

const isBare = (specifier: unknown): specifier is string =>
  typeof specifier === "string" && !/^(?:\.|node:|data:|blob:|https?:)/.test(specifier);

const used = new Set<string>();
for (const folder of ["main.ts", "src", "tests", "scripts", "plugins"]) {
  for (const [path, text] of readSources([folder], { tests: true })) {
    for (const { specifier } of namedModules(path, text)) if (isBare(specifier)) used.add(packageOf(specifier));
  }
}

Deno.test("the import map is sorted and pins each package exactly", () => {
  assert.deepEqual(packages, [...packages].sort());
  const loose = packages.filter((name) => !new RegExp(`^npm:${name}@\\d+\\.\\d+\\.\\d+$`).test(imports[name] ?? ""));
  assert.deepEqual(loose, []);
});

Deno.test("the packages in use are those of the import map", () => {
  assert.deepEqual([...used].sort(), packages);
});

// proves ARCH-03
Deno.test("each package has its reason in docs/decisions/dependencies.md", () => {
  const table = Deno.readTextFileSync(ROOT + "docs/decisions/dependencies.md");
  const rows = [...table.matchAll(/^\| `([^`]+)`/gm)].map((row) => row[1]!.replace(/(?<=.)@\d.*$/, ""));
  assert.deepEqual([...new Set(rows)].sort(), packages);
});

Deno.test("no package, of ours or of theirs, has a native part or an install script", () => {
  const native = Object.entries(lock.npm as Record<string, Record<string, unknown>>)
    .filter(([, entry]) => "os" in entry || "cpu" in entry || "scripts" in entry)
    .map(([name]) => name);
  assert.deepEqual(native, []);
});

/** Where a one-shot run enters the files it loads before its first request; most of them by `import()`. */
const ON_THE_WAY = ["main.ts", "src/frontends/cli/run.ts", "src/providers/openai/mod.ts"];

/** Packages of a few kilobytes, needed for every answer. */
const LIGHT = ["eventsource-parser"];

Deno.test("up to the first request no built-in module is loaded, and no package but the light ones", () => {
  const sources = readSources(["main.ts", "src"]);
  assert.deepEqual(ON_THE_WAY.filter((path) => !sources.has(path)), []);
  const found: string[] = [];
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = sources.get(path) ?? "";
    for (const { specifier, typeOnly, static: atOnce } of namedModules(path, text)) {
      if (typeOnly || !atOnce || String(specifier).startsWith(".") || LIGHT.includes(String(specifier))) continue;
      found.push(`${path}: ${specifier}`);
    }
    loadedWith(path, text).forEach(visit);
  };
  ON_THE_WAY.forEach(visit);
  assert.deepEqual(found, []);
});
