// Where the pages point, there is something: files, places within a page, and files named in text.
import assert from "node:assert/strict";
import { filesBelow, ROOT } from "../architecture/tree.ts";
import { PAGES, readMarkdown } from "./_markdown.ts";

const files = new Set(
  filesBelow(["main.ts", "deno.json", "reasonix.example.toml", ".ci", "src", "tests", "scripts", "plugins", "docs"]),
);

/** The path that a link in a page means, `..` and `.` taken away. */
function target(from: string, link: string): string {
  return new URL(link, `file:///${from}`).pathname.slice(1);
}

function exists(path: string): boolean {
  return files.has(path) || [...files].some((file) => file.startsWith(`${path.replace(/\/$/, "")}/`)) ||
    ["README.md", "README.zh-CN.md", "deno.json", ""].includes(path);
}

Deno.test("the reader of pages finds blocks, anchors, links and code where they are", () => {
  const text =
    "# A `b` c\n\n[x](y.md#z) and\n`some\ncode`\n\n```sh\n# not a heading\n[no](link)\n```\n\n## A b c\n![p](i.png)\n";
  const { blocks, anchors, links, code } = readMarkdown("p.md", text);
  assert.deepEqual(blocks, [{ language: "sh", text: "# not a heading\n[no](link)\n", line: 7, heading: "A `b` c" }]);
  assert.deepEqual([...anchors], ["a-b-c", "a-b-c-1"]);
  assert.deepEqual(links, [{ text: "y.md#z", line: 3 }, { text: "i.png", line: 13 }]);
  assert.deepEqual(code.map((piece) => piece.text), ["b", "some code"]);
});

Deno.test("links and pictures of every page lead to a file of the project, and to a heading that is there", () => {
  const dead = PAGES.flatMap((page) =>
    page.links.filter(({ text }) => !/^https?:/.test(text)).flatMap(({ text, line }) => {
      const [file = "", anchor] = text.split("#");
      const path = file === "" ? page.path : target(page.path, file);
      if (!exists(path)) return [`${page.path}:${line}: no file ${path}`];
      const other = PAGES.find((one) => one.path === path);
      return anchor === undefined || other?.anchors.has(decodeURIComponent(anchor))
        ? []
        : [`${page.path}:${line}: no heading #${anchor} in ${path}`];
    })
  );
  assert.deepEqual(dead, []);
});

Deno.test("links that leave the project are https, and their address has no typing error of the plain kinds", () => {
  const odd = PAGES.flatMap((page) =>
    page.links.filter(({ text }) => /^[a-z]+:/.test(text) && !(text.startsWith("https://") && URL.canParse(text)))
      .map(({ text, line }) => `${page.path}:${line}: ${text}`)
  );
  assert.deepEqual(odd, []);
});

/** Patterns for names, not names. */
const PATTERNS = ["snake_case.ts", "_name.ts", "name_test.ts"];

/** What docs/ARCHITECTURE.md itself says is planned. */
const planned = [...(/([^.]*)do\s+not exist yet/.exec(Deno.readTextFileSync(ROOT + "docs/ARCHITECTURE.md"))?.[1] ?? "")
  .matchAll(/`(\w[\w/]*)`/g)].map(([, name]) => name!);

Deno.test("the folders that docs/ARCHITECTURE.md says are not there yet are not", () => {
  assert.deepEqual(planned.filter((name) => exists(name) || exists(`src/frontends/${name}`)), []);
});

Deno.test("the files and folders that pages name exist", () => {
  const unknown = PAGES.flatMap((page) =>
    page.code.flatMap(({ text, line }) => {
      const isFile = /^[\w./-]+\.(?:ts|md|json|toml|txt|png)$/.test(text);
      const isPath = /^(?:src|tests|scripts|plugins|docs|\.ci)\/[\w./-]*$/.test(text);
      if (!(isPath || (isFile && text.endsWith(".ts"))) || [...PATTERNS, ...planned].includes(text)) return [];
      const known = exists(text) || (!isPath && [...files].some((file) => file.endsWith(`/${text}`)));
      return known || exists(`src/${text}`) ? [] : [`${page.path}:${line}: ${text}`];
    })
  );
  assert.deepEqual(unknown, []);
});
