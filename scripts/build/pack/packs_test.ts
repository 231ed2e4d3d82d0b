// From staged modules to packs and through the loader, as an executable runs them.
import assert from "node:assert/strict";
import { SourceMap } from "node:module";
import { openPacks } from "./boot.ts";
import { packChunks } from "./chunks.ts";
import { group, type Groups, type Pack, toPacks } from "./packs.ts";

/** Packs modules given by name and text; the map beside each is one of a text that is its own source. */
async function pack(
  modules: Record<string, string>,
  options: { readonly groups?: Groups; readonly apart?: Record<string, string> } = {},
): Promise<Pack[]> {
  const folder = await Deno.makeTempDir({ prefix: "reasonix-pack-" });
  try {
    for (const [name, text] of Object.entries(modules)) {
      const mappings = text.split("\n").map((_, line) => line === 0 ? "AAAA" : "AACA").join(";");
      const map = { version: 3, sources: [`../source/${name}`], sourcesContent: [text], names: [], mappings };
      await Deno.writeTextFile(`${folder}/${name}`, text);
      await Deno.writeTextFile(`${folder}/${name}.map`, JSON.stringify(map));
    }
    const apart = options.apart ?? {};
    const chunks = Object.keys(modules).filter((name) => !Object.values(apart).includes(name));
    return toPacks(await packChunks({ folder, chunks, apart }, `${folder}/steps`), options.groups ?? {});
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Packs and opens; `opened` lists the packs in the order in which they were read. */
async function open(modules: Record<string, string>, options: Parameters<typeof pack>[1] = {}) {
  const texts = new Map((await pack(modules, options)).map(({ name, text }) => [name, text]));
  const opened: string[] = [];
  const loader = openPacks({ groups: options.groups ?? {}, base: "file:///program/" }, {
    read: (name) => ({ source: texts.get(name)! }),
    opened: (name) => opened.push(name),
  });
  return { ...loader, opened };
}

Deno.test("bindings are live, whatever they are called by", async () => {
  const { require } = await open({
    "main.js": `import { count as n, raise } from "./count.js"; import * as all from "./count.js";
      import own from "./count.js";
      raise(); export const seen = [n, all.count, all.default, own, Object.keys(all)]; export { n as count };`,
    "count.js": `export let count = 1; export function raise() { count++; } export default class Own { static x = 1 }`,
  });
  const { seen, count } = require("./main.js") as { seen: unknown[]; count: number };
  assert.deepEqual([seen[0], seen[1], seen[4], count], [2, 2, ["count", "default", "raise"], 2]);
  assert.equal(seen[2], seen[3]);
});

Deno.test("a cycle sees functions at once and values when they are there", async () => {
  const { require } = await open({
    "main.js": `import { b } from "./b.js"; export function early() { return "hoisted"; } export const a = "a" + b();`,
    "b.js": `import { a, early } from "./main.js"; const before = early(); export const b = () => before;
      export const later = () => a; export let tooEarly; try { tooEarly = a; } catch (error) { tooEarly = error.name; }`,
  });
  assert.equal(require("./main.js").a, "ahoisted");
  const b = require("./b.js") as { later(): string; tooEarly: string };
  assert.deepEqual([b.later(), b.tooEarly], ["ahoisted", "ReferenceError"]);
});

Deno.test("export * passes all on but the default, and own names go before", async () => {
  const { require } = await open({
    "main.js": `export * from "./more.js"; export const own = "main";`,
    "more.js": `export const own = "more", other = "other"; export default 1;`,
  });
  assert.deepEqual({ ...require("./main.js") }, { own: "main", other: "other" });
});

Deno.test("the runtime's modules come whole, by name, and as default, by any kind of import", async () => {
  const { require, load } = await open({
    "main.js": `import fs, { existsSync } from "node:fs"; import * as path from "node:path"; import "node:os";
      export const same = fs.existsSync === existsSync && path.default.join === path.join;
      export const lazy = () => import("node:crypto");`,
  });
  const main = require("./main.js") as { same: boolean; lazy(): Promise<Record<string, Record<string, unknown>>> };
  const [crypto, again] = [await main.lazy(), await load("node:crypto")];
  assert.equal(main.same, true);
  assert.equal(crypto, again);
  assert.equal(crypto.default!.createHash, crypto.createHash);
});

Deno.test("code is strict, has its own place, and knows no other module's variables", async () => {
  const { require } = await open({
    "main.js": `import "./other.js"; export const here = import.meta.url, self = this;
      export const worker = new URL("./worker.js", import.meta.url).href; export let strict = false;
      try { undeclared = 1; } catch { strict = true; } export const hidden = typeof inOther;`,
    "other.js": `const inOther = 1; globalThis.testOfPacks = inOther; delete globalThis.testOfPacks;`,
  });
  assert.deepEqual({ ...require("./main.js") }, {
    here: "file:///program/main.js",
    self: undefined,
    worker: "file:///program/worker.js",
    strict: true,
    hidden: "undefined",
  });
});

Deno.test("timers are those of modules", async () => {
  const { require } = await open({
    "main.js": "export const timers = [setTimeout, clearTimeout, setInterval, clearInterval];",
  });
  assert.deepEqual(require("./main.js").timers, [setTimeout, clearTimeout, setInterval, clearInterval]);
});

Deno.test("packs are ASCII and mean the same", async () => {
  const texts = { "main.js": "export const a = 'é→𝄞', b = /[→-⇒é]+|𝄞/u, c = `中\n${1}文`;" };
  for (const { text } of await pack(texts)) assert.match(text, /^[\x00-\x7f]*$/);
  const { a, b, c } = (await open(texts)).require("./main.js") as { a: string; b: RegExp; c: string };
  assert.deepEqual([a, c, "⇒é".replace(b, ""), "𝄞".replace(b, ""), "x".replace(b, "")], [
    "é→𝄞",
    "中\n1文",
    "",
    "",
    "x",
  ]);
});

Deno.test("a text that shows an import is left alone", async () => {
  const text = "await import(\"npm:x\")\nexport const x = require('y');";
  const { require } = await open({ "main.js": `export default ${JSON.stringify(text)};export const t = \`${text}\`;` });
  assert.deepEqual({ ...require("./main.js") }, { default: text, t: text });
});

Deno.test("a module that fails rejects its imports, now and later, with one error, and is run once", async () => {
  const { load, require } = await open({
    "main.js": `export const runs = []; export const lazy = () => import("./needs.js");`,
    "needs.js": `import { runs } from "./main.js"; import "./fails.js"; runs.push("needs"); export const half = 1;`,
    "fails.js": `import { runs } from "./main.js"; export const half = 1; runs.push("fails"); throw new Error("no");`,
  });
  const main = require("./main.js") as { runs: string[]; lazy(): Promise<unknown> };
  const ended = await Promise.allSettled([main.lazy(), main.lazy(), load("./fails.js")]);
  const errors = ended.map((each) => each.status === "rejected" ? each.reason : each);
  assert.equal(errors[0].message, "no");
  assert.deepEqual(errors.map((error) => error === errors[0]), [true, true, true]);
  assert.throws(() => require("./needs.js"), errors[0]);
  assert.deepEqual(main.runs, ["fails"]);
});

Deno.test("imports at once run a module once, and never see a half of it", async () => {
  const { load } = await open({
    "main.js": `export const done = Promise.all([import("./slow.js"), import("./slow.js"), import("./main.js")]);
      export const last = "whole";`,
    "slow.js": `globalThis.testRuns = (globalThis.testRuns ?? 0) + 1; export const runs = globalThis.testRuns;`,
  });
  const { done } = await load("./main.js") as { done: Promise<Record<string, unknown>[]> };
  const [one, two, main] = await done;
  delete (globalThis as { testRuns?: number }).testRuns;
  assert.equal(one, two);
  assert.deepEqual([one!.runs, main!.last], [1, "whole"]);
});

Deno.test("what cannot be read is asked for again, and no import of it stays behind", async () => {
  const [{ text }] = await pack({ "main.js": "export const a = 1;" }) as [Pack];
  let broken = true;
  const { load } = openPacks({ groups: {}, base: "file:///" }, {
    read: () => {
      if (broken) throw new Error("unreadable");
      return { source: text };
    },
  });
  await assert.rejects(load("./main.js"), /unreadable/);
  broken = false;
  assert.deepEqual({ ...await load("./main.js") as object }, { a: 1 });
});

Deno.test("packs are opened when one of their chunks is needed, once", async () => {
  const { require, load, opened } = await open({
    "main.js": `import "./a.js"; export const lazy = () => import("./b.js"), other = () => import("./c.js");`,
    "a.js": "export {};",
    "b.js": `import { c } from "./c.js"; export const b = c;`,
    "c.js": `export const c = 1;`,
    "d.js": `export const d = 1;`,
  }, { groups: { first: "main.js a.js", later: "b.js c.js" } });
  const main = require("./main.js") as { lazy(): Promise<{ b: number }>; other(): Promise<unknown> };
  assert.deepEqual(opened, ["first"]);
  assert.equal((await main.lazy()).b, 1);
  await main.other();
  await load("./d.js");
  assert.deepEqual(opened, ["first", "later", "d"]);
});

Deno.test("a chunk belongs to the first group that names it, and a group of none is no group", () => {
  const named = {
    first: ["main.js", "a.js"],
    start: ["a.js", "b.js", "main.js"],
    later: ["b.js"],
    screen: ["c.js", "a.js"],
  };
  assert.deepEqual(group(named), { first: "main.js a.js", start: "b.js", screen: "c.js" });
});

Deno.test("a package kept apart is a chunk under its own name", async () => {
  const { load, require } = await open({
    "main.js": `export const lazy = () => import("old-package");`,
    "old-package.js": `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);
      export default require("node:path").sep;`,
  }, { apart: { "old-package": "old-package.js" } });
  assert.equal((await (require("./main.js") as { lazy(): Promise<{ default: string }> }).lazy()).default, "/");
  assert.deepEqual({ ...await load("./old-package.js") as object }, { default: "/" });
});

Deno.test("a place in a pack leads to its source", async () => {
  const modules = {
    "main.js": `import fs from "node:fs"; import { fail } from "./fail.js";
export const main = () => fail(fs.constants);
export const second = () => { throw new Error("second"); };`,
    "fail.js": `// First line.
export function fail(given) {
  const text = \`two
lines\`;
  throw new Error(text + typeof given);
}`,
  };
  const groups = { all: "fail.js main.js" };
  const [{ map }] = await pack(modules, { groups }) as [Pack];
  const { require } = await open(modules, { groups });
  const { main, second } = require("./main.js") as Record<string, () => void>;
  const lines = [main!, second!].map((call) => {
    try {
      call();
    } catch (error) {
      const [, line, column] = /file:\/\/\/program\/all\.js:(\d+):(\d+)/.exec((error as Error).stack!)!;
      const { originalSource, originalLine } = new SourceMap(JSON.parse(map)).findEntry(+line! - 1, +column! - 1) as {
        originalSource: string;
        originalLine: number;
      };
      return `${originalSource.split("/").at(-1)}:${originalLine + 1}`;
    }
  });
  assert.deepEqual(lines, ["fail.js:5", "main.js:3"]);
});

Deno.test("a chunk in two packs, or one that is not there, is refused", async () => {
  const modules = { "main.js": "export const a = 1;" };
  await assert.rejects(pack(modules, { groups: { one: "main.js", two: "main.js" } }), /Pack two: no chunk main\.js/);
  await assert.rejects(pack(modules, { groups: { one: "other.js" } }), /Pack one: no chunk other\.js/);
});

Deno.test("what a packed module could not do is refused", async () => {
  await assert.rejects(
    pack({ "main.js": "export const a = import.meta.main;" }),
    /main\.js cannot be packed, .*its URL/,
  );
  await assert.rejects(pack({ "main.js": "await 1;" }), /Top-level await/);
});
