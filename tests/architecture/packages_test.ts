// What the project takes from others: pinned, explained, without native parts.
import assert from "node:assert/strict";
import { namedModules, readSources, ROOT } from "./tree.ts";

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
