import assert from "node:assert/strict";
import iconv from "iconv-lite";
import { FileError, type Files } from "../../src/contract/workspace.ts";
import { readFileTool } from "../../src/tools/files/read_file.ts";
import { createLocalFiles } from "../../src/workspace/mod.ts";
import { createTempWorkspace } from "../support/temp_workspace.ts";
import { hasRg, searchTools } from "../support/search_tools.ts";

Deno.test("ls names folders with a slash and files with their size, sorted", async () => {
  await using ws = await createTempWorkspace({ "b.txt": "12345", "a/x": "", ".env": "k", "node_modules/m/i.js": "1" });
  const { ls } = searchTools(ws);
  assert.equal(await ls({}), ".env\t1\na/\nb.txt\t5\nnode_modules/");
  assert.equal(await ls({ path: "a" }), "x\t0");
});

Deno.test("ls goes through the tree depth first, without .git and node_modules", async () => {
  await using ws = await createTempWorkspace({
    "a/b/c.txt": "1",
    "a/z.txt": "22",
    ".git/HEAD": "r",
    "node_modules/m/i.js": "1",
    "q.txt": "",
  });
  const { ls } = searchTools(ws);
  assert.equal(
    await ls({ recursive: true }),
    ".git/\na/\na/b/\na/b/c.txt\t1\na/z.txt\t2\nnode_modules/\nq.txt\t0",
  );
});

Deno.test("ls says that a folder is empty, and names what is missing or no folder", async () => {
  await using ws = await createTempWorkspace({ "f.txt": "" });
  await Deno.mkdir(`${ws.root}/empty`);
  const { ls } = searchTools(ws);
  assert.equal(await ls({ path: "empty" }), "(empty directory)");
  await assert.rejects(ls({ path: "no" }), new RegExp(`${ws.root}/no`));
  await assert.rejects(ls({ path: "f.txt" }), /not a directory/);
});

Deno.test("glob gives absolute paths of files, sorted, without hidden and ignored ones", async () => {
  await using ws = await createTempWorkspace({
    ".gitignore": "dist\n",
    "src/b.ts": "",
    "src/a.ts": "",
    "src/deep/c.ts": "",
    "src/.h.ts": "",
    "dist/d.ts": "",
    ".cfg/e.ts": "",
  });
  await Deno.mkdir(`${ws.root}/.git`);
  const { glob } = searchTools(ws);
  const paths = (...names: string[]) => names.map((name) => `${ws.root}/${name}`).join("\n");
  assert.equal(await glob({ pattern: "**/*.ts" }), paths("src/a.ts", "src/b.ts", "src/deep/c.ts"));
  assert.equal(await glob({ pattern: "src/*.ts" }), paths("src/a.ts", "src/b.ts"));
  assert.equal(await glob({ pattern: `${ws.root}/src/?.ts` }), paths("src/a.ts", "src/b.ts"));
  assert.equal(await glob({ pattern: "./src/../src/[a].ts" }), paths("src/a.ts"));
  assert.equal(await glob({ pattern: "**/.*/*.ts" }), paths(".cfg/e.ts"));
  assert.equal(await glob({ pattern: "src/a.ts" }), paths("src/a.ts"));
});

Deno.test("glob looks among ignored files only when nothing else matches, and says so", async () => {
  await using ws = await createTempWorkspace({ ".gitignore": "dist\n", "dist/d.js": "", "a.ts": "" });
  await Deno.mkdir(`${ws.root}/.git`);
  const { glob } = searchTools(ws);
  assert.equal(await glob({ pattern: "**/*.js" }), `(only paths that git ignores match)\n${ws.root}/dist/d.js`);
  assert.equal(await glob({ pattern: "**/*.py" }), "(no matches)");
});

Deno.test("glob finds what is named outright, and says when only folders match", async () => {
  await using ws = await createTempWorkspace({
    ".gitignore": "*.log\n",
    "x.log": "",
    "pkg/a/i.ts": "",
    "pkg/b/i.ts": "",
  });
  await Deno.symlink("x.log", `${ws.root}/link`);
  const { glob } = searchTools(ws);
  assert.equal(await glob({ pattern: "x.log" }), `${ws.root}/x.log`);
  assert.equal(await glob({ pattern: "link" }), `${ws.root}/link`);
  assert.equal(await glob({ pattern: "none/x" }), "(no matches)");
  assert.equal(await glob({ pattern: "none/*" }), "(no matches)");
  const folders = `(no files match; these folders do)\n${ws.root}/pkg/a/\n${ws.root}/pkg/b/`;
  assert.equal(await glob({ pattern: "pkg/*" }), folders);
  assert.equal(await glob({ pattern: "pkg/*/" }), folders);
  assert.equal(await glob({ pattern: "pkg" }), `(no files match; these folders do)\n${ws.root}/pkg/`);
});

Deno.test("a workspace whose own name looks like a pattern is searched like any other", async () => {
  await using ws = await createTempWorkspace({ "[x]*/a.ts": "needle\n" });
  const root = `${ws.root}/[x]*`;
  const { glob, grep } = searchTools({ root, files: createLocalFiles(root) });
  assert.equal(await glob({ pattern: "*.ts" }), `${root}/a.ts`);
  assert.equal(await grep({ pattern: "needle", glob: "*.ts" }), `${root}/a.ts:1:needle`);
});

Deno.test("glob tells a malformed pattern, and that braces are no syntax", async () => {
  await using ws = await createTempWorkspace({ "a.ts": "" });
  const { glob } = searchTools(ws);
  await assert.rejects(
    glob({ pattern: "src/[a" }),
    /syntax error in pattern "src\/\[a": "\[" at position 5 has no "\]"/,
  );
  await assert.rejects(glob({ pattern: "*/../x" }), /syntax error in pattern/);
  assert.match(await glob({ pattern: "*.{ts,js}" }), /^\(no matches\)\n\(braces stand for themselves/);
});

for (const engine of ["native", "auto"] as const) {
  Deno.test({
    name: `grep (${engine}) gives path, line number and text, and skips hidden, ignored and binary files`,
    ignore: engine === "auto" && !hasRg,
    async fn() {
      await using ws = await createTempWorkspace({
        ".gitignore": "*.log\n",
        "a.txt": "one\r\ntwo needle\r\n",
        "b/c.txt": "needle\n",
        ".hidden": "needle\n",
        "x.log": "needle\n",
      });
      await Deno.mkdir(`${ws.root}/.git`);
      await ws.put("bin", Uint8Array.from([0, 1, 2, ...new TextEncoder().encode("needle\n")]));
      const { grep } = searchTools({ ...ws, engine });
      assert.equal(
        await grep({ pattern: "ne+dle$" }),
        `${ws.root}/a.txt:2:two needle\n${ws.root}/b/c.txt:1:needle`,
      );
      assert.equal(await grep({ pattern: "needle", path: "b" }), `${ws.root}/b/c.txt:1:needle`);
      assert.equal(await grep({ pattern: "nowhere" }), "(no matches)");
    },
  });
}

Deno.test("grep searches what was named outright, hidden or ignored, and says what is no text", async () => {
  await using ws = await createTempWorkspace({ ".gitignore": "out\n", ".env": "KEY=1\n", "out/f": "KEY=2\n" });
  await Deno.mkdir(`${ws.root}/.git`);
  await ws.put("bin", Uint8Array.from([0, 1, 2]));
  const { grep } = searchTools(ws);
  assert.equal(await grep({ pattern: "KEY", path: ".env" }), `${ws.root}/.env:1:KEY=1`);
  assert.equal(await grep({ pattern: "KEY", path: "out" }), `${ws.root}/out/f:1:KEY=2`);
  assert.equal(await grep({ pattern: "K", path: "bin" }), `(no matches)\n(${ws.root}/bin is not a text file)`);
  await assert.rejects(grep({ pattern: "K", path: "none" }), /none does not exist/);
});

Deno.test("grep looks among ignored files only when nothing else matches, and says so", async () => {
  await using ws = await createTempWorkspace({ ".gitignore": "out\n", "out/f": "needle\nhay\n", "g": "hay\n" });
  await Deno.mkdir(`${ws.root}/.git`);
  const { grep } = searchTools(ws);
  assert.equal(await grep({ pattern: "needle" }), `(only files that git ignores match)\n${ws.root}/out/f:1:needle`);
  assert.equal(await grep({ pattern: "hay" }), `${ws.root}/g:1:hay`);
});

Deno.test("grep narrows by glob: names at any depth, paths from the folder or from the workspace", async () => {
  await using ws = await createTempWorkspace({
    "src/a.ts": "x\n",
    "src/d/b.ts": "x\n",
    "src/c.md": "x\n",
    "e.ts": "x\n",
  });
  const { grep } = searchTools(ws);
  const found = async (args: Record<string, unknown>) =>
    (await grep({ pattern: "x", ...args })).split("\n").map((line) => line.slice(ws.root.length + 1));
  assert.deepEqual(await found({ glob: "*.ts" }), ["e.ts:1:x", "src/a.ts:1:x", "src/d/b.ts:1:x"]);
  assert.deepEqual(await found({ glob: "src/*.ts" }), ["src/a.ts:1:x"]);
  assert.deepEqual(await found({ glob: "src/**", path: "src" }), ["src/a.ts:1:x", "src/c.md:1:x", "src/d/b.ts:1:x"]);
  assert.deepEqual(await found({ glob: "d/*", path: "src" }), ["src/d/b.ts:1:x"]);
  await assert.rejects(found({ glob: "!*.md" }), /a leading "!" is not supported/);
});

Deno.test("grep reads UTF-16, GB18030 and a byte-order mark as text", async () => {
  await using ws = await createTempWorkspace({ "mark.txt": "\ufeff中文 first\n" });
  const text = "第一行\r\n这里有中文字，也有别的内容。\r\n";
  await ws.put("gb.txt", iconv.encode(text, "gb18030"));
  await ws.put("u16.txt", iconv.encode(text, "utf16le", { addBOM: true }));
  await ws.put("u16be.txt", iconv.encode(text, "utf16be", { addBOM: true }));
  for (const engine of hasRg ? ["native", "rg"] as const : ["native"] as const) {
    const { grep } = searchTools({ ...ws, engine });
    assert.deepEqual((await grep({ pattern: "^中文|有中文字.*内容。$" })).split("\n"), [
      `${ws.root}/gb.txt:2:这里有中文字，也有别的内容。`,
      `${ws.root}/mark.txt:1:中文 first`,
      `${ws.root}/u16.txt:2:这里有中文字，也有别的内容。`,
      `${ws.root}/u16be.txt:2:这里有中文字，也有别的内容。`,
    ]);
  }
});

Deno.test("grep stops at 200 matches and shortens a long line around its match", async () => {
  await using ws = await createTempWorkspace({
    "many": "hit\n".repeat(500),
    "long": "x".repeat(5000) + "needle" + "y".repeat(5000),
  });
  const { grep } = searchTools(ws);
  const many = (await grep({ pattern: "hit" })).split("\n");
  assert.equal(many.length, 201);
  assert.equal(many.at(-1), "... (truncated at 200 matches)");
  const long = await grep({ pattern: "needle" });
  assert.ok(long.length < 700);
  assert.match(long, /:1:…x+needley+… \[line of 10006 characters\]$/);
});

Deno.test("grep searches a large file to its end", async () => {
  await using ws = await createTempWorkspace({ "large": "x\n".repeat(1_500_000) + "needle\n", "small": "needle\n" });
  const { grep } = searchTools(ws);
  assert.equal(await grep({ pattern: "needle" }), `${ws.root}/large:1500001:needle\n${ws.root}/small:1:needle`);
});

Deno.test("grep refuses what RE2 does not know, and says that a pattern matches within a line", async () => {
  await using ws = await createTempWorkspace({ "a": "x\ny\n" });
  const { grep } = searchTools(ws);
  await assert.rejects(grep({ pattern: "(a" }), /syntax error in pattern: .*RE2/);
  await assert.rejects(grep({ pattern: "(?=a)" }), /no lookaround/);
  assert.equal(await grep({ pattern: "x\\ny" }), "(no matches)\n(a pattern matches within one line)");
});

Deno.test("no pattern hangs a search", async () => {
  await using ws = await createTempWorkspace({ "a": `${"a".repeat(200_000)}!\n` });
  const { grep } = searchTools(ws);
  for (const pattern of ["^(a+)+$", "(a|aa)*c", "(.*a){20}b", "(x+x+)+y"]) {
    assert.equal(await grep({ pattern }), "(no matches)", pattern);
  }
});

Deno.test({
  name: "links are not followed, loops end, pipes are skipped, each real file comes once",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using ws = await createTempWorkspace({ "real/f.txt": "needle\n" });
    await Deno.symlink(".", `${ws.root}/loop`);
    await Deno.symlink("..", `${ws.root}/up`);
    for (let i = 0; i < 20; i++) await Deno.symlink("real", `${ws.root}/link${i}`);
    await new Deno.Command("mkfifo", { args: [`${ws.root}/pipe`] }).output();
    const { ls, glob, grep } = searchTools(ws);
    assert.equal(await glob({ pattern: "**" }), `${ws.root}/real/f.txt`);
    assert.equal(await grep({ pattern: "needle" }), `${ws.root}/real/f.txt:1:needle`);
    const listed = (await ls({ recursive: true })).split("\n");
    assert.equal(listed.filter((line) => line.startsWith("link")).length, 20);
    assert.ok(listed.includes("loop/\t(link)") && listed.includes("pipe\t(not a file)"));
    assert.ok(listed.includes("real/f.txt\t7"));
    assert.equal(listed.length, 25);
    // Named outright, a link leads where it points.
    assert.equal(await grep({ pattern: "needle", path: "link3" }), `${ws.root}/link3/f.txt:1:needle`);
  },
});

Deno.test({
  name: "odd names are shown escaped, and the shown form can be used",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using ws = await createTempWorkspace({ "a\nb/c\t.txt": "needle\n", "plain\\n.txt": "needle\n" });
    const { ls, glob, grep } = searchTools(ws);
    assert.equal(await glob({ pattern: "**/c*" }), `${ws.root}/a\\nb/c\\t.txt`);
    assert.equal(await ls({}), "a\\nb/\nplain\\n.txt\t7");
    assert.equal(await ls({ path: "a\\nb" }), "c\\t.txt\t7");
    const shown = `${ws.root}/a\\nb/c\\t.txt`;
    assert.match((await ws.call(readFileTool, { path: shown })).text, /needle/);
    assert.equal(await grep({ pattern: "needle", path: shown }), `${shown}:1:needle`);
    const plain = `${ws.root}/plain\\n.txt`;
    assert.equal(await grep({ pattern: "needle", path: plain }), `${plain}:1:needle`);
  },
});

Deno.test({
  name: "a name that is not UTF-8 is named, since nothing but a shell can open it",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using ws = await createTempWorkspace({ "a.txt": "needle\n", "\ufffd real.txt": "needle\n" });
    await new Deno.Command("sh", { args: ["-c", "echo needle > \"$(printf 'b\\377')\""], cwd: ws.root }).output();
    const { ls, glob, grep } = searchTools(ws);
    const note = `(names that are not UTF-8, to be reached with bash alone: ${ws.root}/b\ufffd)`;
    assert.equal(
      await ls({}),
      "a.txt\t7\nb\ufffd\t(the name is not UTF-8; bash alone can reach it)\n\ufffd real.txt\t7",
    );
    assert.equal(await glob({ pattern: "*" }), `${ws.root}/a.txt\n${ws.root}/\ufffd real.txt\n${note}`);
    const found = `${ws.root}/a.txt:1:needle\n${ws.root}/\ufffd real.txt:1:needle`;
    assert.equal(await grep({ pattern: "needle" }), `${found}\n${note}`);
  },
});

/** As if these paths could not be read by this person, or were forbidden. */
function walled(
  files: Files,
  walls: { readonly denied?: readonly string[]; readonly hidden?: readonly string[] },
): Files {
  const isIn = (path: string, list: readonly string[] = []) =>
    list.some((one) => files.absolute(path) === one || files.absolute(path).startsWith(`${one}/`));
  const guard = (path: string) => {
    if (isIn(path, walls.denied)) throw new FileError("denied", path, `${path} cannot be read: permission denied`);
    if (isIn(path, walls.hidden)) throw new FileError("not_found", path, `${path} does not exist`);
  };
  return {
    absolute: (path) => files.absolute(path),
    real: (path) => files.real(path),
    write: () => Promise.reject(new Error("not here")),
    move: () => Promise.reject(new Error("not here")),
    remove: () => Promise.reject(new Error("not here")),
    hidden: (path) => Promise.resolve(isIn(path, walls.hidden)),
    stat: async (path) => isIn(path, walls.hidden) ? undefined : await files.stat(path),
    list: async (path) => {
      if (isIn(path, walls.hidden)) return [];
      guard(path);
      return await files.list(path);
    },
    read: async (path, options) => {
      guard(path);
      return await files.read(path, options);
    },
    readHead: async (path, bytes) => {
      guard(path);
      return await files.readHead(path, bytes);
    },
  };
}

Deno.test("what cannot be read is named and the rest is found", async () => {
  await using ws = await createTempWorkspace({ "a/x.txt": "needle\n", "shut/y.txt": "needle\n", "z.txt": "needle\n" });
  const files = walled(ws.files, { denied: [`${ws.root}/shut`, `${ws.root}/z.txt`] });
  const { ls, glob, grep } = searchTools({ ...ws, files });
  assert.equal(
    await grep({ pattern: "needle" }),
    `${ws.root}/a/x.txt:1:needle\n(not readable: ${ws.root}/shut, ${ws.root}/z.txt)`,
  );
  assert.equal(await glob({ pattern: "*/*.txt" }), `${ws.root}/a/x.txt\n(not readable: ${ws.root}/shut)`);
  assert.match(await ls({ recursive: true }), /\nshut\/\n.*\n\(not readable: .*\/shut\)$/s);
});

Deno.test({
  name: "a forbidden file gives nothing away, also where rg reads it",
  ignore: !hasRg,
  async fn() {
    const content: Record<string, string> = { "secret/k.txt": "needle\n", "secret.txt": "needle\n" };
    // Enough files that rg is asked.
    for (let i = 0; i < 400; i++) content[`many/f${i}.txt`] = i === 7 ? "needle\n" : "hay\n";
    await using ws = await createTempWorkspace(content);
    const files = walled(ws.files, { hidden: [`${ws.root}/secret`, `${ws.root}/secret.txt`] });
    const { ls, glob, grep } = searchTools({ ...ws, files, engine: "rg" });
    assert.equal(await grep({ pattern: "needle" }), `${ws.root}/many/f7.txt:1:needle`);
    assert.equal(
      await grep({ pattern: "needle", path: "secret" }).catch(String),
      `ToolError: ${ws.root}/secret does not exist`,
    );
    assert.equal(await ls({ path: "secret" }), "(empty directory)");
    assert.equal(await glob({ pattern: "secret/*" }), "(no matches)");
  },
});

Deno.test("a search that runs out of time gives what it has and says so", async () => {
  const content: Record<string, string> = {};
  for (let i = 0; i < 40; i++) content[`d${i}/f.txt`] = "needle\n";
  await using ws = await createTempWorkspace(content);
  // A disk so slow that the call runs out of time on the way.
  const slow: Files = {
    ...walled(ws.files, {}),
    list: async (path) => {
      if (/(?:^|\/)d[1-9]\d*$/.test(path)) await new Promise((resolve) => setTimeout(resolve, 400));
      return await ws.files.list(path);
    },
  };
  const { glob, grep } = searchTools({ ...ws, files: slow });
  for (
    const found of [await glob({ pattern: "**", timeout_seconds: 1 }), await grep({ pattern: "n", timeout_seconds: 1 })]
  ) {
    assert.match(found, /d0\/f\.txt/);
    assert.match(found, /\.\.\. \(stopped after 1 s; the (?:list|search) is not complete\)$/);
  }
});

Deno.test("a stopped turn ends a search", async () => {
  await using ws = await createTempWorkspace({ "a/b": "x\n" });
  const stop = new AbortController();
  stop.abort();
  const { ls, glob, grep } = searchTools({ ...ws, signal: stop.signal });
  for (const search of [() => ls({}), () => glob({ pattern: "**" }), () => grep({ pattern: "x" })]) {
    await assert.rejects(search, { name: "AbortError" });
  }
});

Deno.test("the engine rg is missed by name when it is asked for and not there", async () => {
  await using ws = await createTempWorkspace({ "a": "x\n" });
  const processes = { which: () => Promise.resolve(undefined) } as never;
  const { grep } = searchTools({ ...ws, engine: "rg", processes });
  await assert.rejects(grep({ pattern: "x" }), /\[tools\.search\] engine is "rg"/);
  assert.equal(await searchTools({ ...ws, engine: "auto", processes }).grep({ pattern: "x" }), `${ws.root}/a:1:x`);
});

Deno.test("a broken rg is done without", async () => {
  const content: Record<string, string> = {};
  for (let i = 0; i < 400; i++) content[`f${i}.txt`] = i === 399 ? "needle\n" : "hay\n";
  await using ws = await createTempWorkspace(content);
  const processes = {
    which: () => Promise.resolve("/nowhere/rg"),
    start: () => Promise.reject(new Error("no such program")),
  } as never;
  const { grep } = searchTools({ ...ws, engine: "auto", processes });
  assert.equal(await grep({ pattern: "needle" }), `${ws.root}/f399.txt:1:needle`);
});
