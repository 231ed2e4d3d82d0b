import assert from "node:assert/strict";
import { ToolError } from "../../contract/errors.ts";
import { FileError, type Files } from "../../contract/workspace.ts";
import { byteLength } from "../../lib/bytes.ts";
import { createTempWorkspace, type TempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { readFileTool } from "./read_file.ts";
import { numberedLines } from "./run_read_file.ts";

const PAGE = { offset: 0, limit: 2000 };

async function read(ws: TempWorkspace, args: Record<string, unknown>, files?: Files): Promise<string> {
  return (await ws.call(readFileTool, args, files)).text;
}

async function errorOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ToolError || error instanceof FileError) return error.message;
    throw error;
  }
  throw new Error("nothing failed");
}

Deno.test("lines carry their number, right-aligned to the largest shown, and CRLF shows as a plain line end", () => {
  assert.equal(numberedLines("f", "a\r\nb\n\nd", PAGE), "1→a\n2→b\n3→\n4→d");
  assert.equal(numberedLines("f", "x\n".repeat(10), { offset: 8, limit: 5 }), " 9→x\n10→x");
});

Deno.test("a page ends with the offset of the next, and pages put together give the whole file", () => {
  const text = "a\nb\nc\nd\ne\n";
  assert.equal(
    numberedLines("f", text, { offset: 1, limit: 2 }),
    "2→b\n3→c\n\n[more lines below; pass offset=3 to continue]",
  );
  assert.equal(numberedLines("f", text, { offset: 3, limit: 2 }), "4→d\n5→e");
});

Deno.test("an empty file and an offset past the end are told", () => {
  assert.equal(numberedLines("f", "", PAGE), "(empty file)");
  assert.equal(numberedLines("f", "a\nb\n", { offset: 2, limit: 1 }), "(offset 2 is past EOF — file has 2 lines)");
  assert.equal(numberedLines("f", "\n", PAGE), "1→");
});

Deno.test("a long page is cut after a whole line within 29 KB, and says where to go on", () => {
  const text = "中文行\n".repeat(20_000);
  const page = numberedLines("f", text, { offset: 0, limit: 20_000 });
  const next = Number(/pass offset=(\d+) to continue\]$/.exec(page)![1]);
  const body = page.slice(0, page.lastIndexOf("\n\n["));
  assert.ok(byteLength(body) <= 29_000 && byteLength(body) > 28_900);
  assert.equal(body.split("\n").length, next);
  assert.ok(body.endsWith("→中文行"));
});

Deno.test("a single line longer than a page is shown alone, and one above 1 MiB is an error", () => {
  const long = "y".repeat(100_000);
  assert.equal(numberedLines("f", `${long}\nz\n`, PAGE), `1→${long}\n\n[more lines below; pass offset=1 to continue]`);
  const huge = "y".repeat(1024 * 1024 + 1);
  assert.throws(() => numberedLines("f", `${huge}\n`, PAGE), ToolError);
  assert.equal(numberedLines("f", `a\n${huge}\n`, { offset: 0, limit: 1 }).slice(0, 3), "1→a");
});

Deno.test("the model's reading counts as having seen the version, and the reply is bounded from its head", async () => {
  await using ws = await createTempWorkspace({ "a": "x\n" });
  const seen: unknown[] = [];
  const files: Files = {
    ...ws.files,
    absolute: (path) => ws.files.absolute(path),
    stat: (path) => ws.files.stat(path),
    read: (path, options) => (seen.push(options), ws.files.read(path, options)),
  };
  assert.deepEqual(await ws.call(readFileTool, { path: "a" }, files), {
    text: "1→x",
    bound: { keep: "head", bytes: 30_000 },
    execution: { state: "completed", paths_read: [`${ws.root}/a`] },
  });
  assert.deepEqual(seen, [{ maxBytes: 128 * 1024 * 1024, shown: true }]);
});

Deno.test("folders, missing files, pipes and devices are told apart without waiting", async () => {
  await using ws = await createTempWorkspace({ "d/a": "" });
  await new Deno.Command("mkfifo", { args: [`${ws.root}/pipe`] }).output();
  assert.equal(await errorOf(read(ws, { path: "d" })), `${ws.root}/d is a directory; use ls to list it`);
  assert.equal(await errorOf(read(ws, { path: "no" })), `${ws.root}/no does not exist`);
  assert.equal(
    await errorOf(read(ws, { path: "pipe" })),
    `${ws.root}/pipe is not a regular file but a named pipe`,
  );
  assert.equal(await errorOf(read(ws, { path: "/dev/zero" })), "/dev/zero is not a regular file but a device");
});

Deno.test("binary files and images are told with their size, not dumped", async () => {
  await using ws = await createTempWorkspace();
  const pairs = Array.from({ length: 128 }, (_, i) => i % 2 === 0 ? 0 : 0xaa);
  const png = Uint8Array.of(
    0x89,
    0x50,
    0x4e,
    0x47,
    0x0d,
    0x0a,
    0x1a,
    0x0a,
    0,
    0,
    0,
    0x0d,
    0x49,
    0x48,
    0x44,
    0x52,
    ...pairs,
  );
  await ws.put("a.png", png);
  await ws.put("a.bin", Uint8Array.of(1, 2, ...pairs));
  assert.equal(
    await errorOf(read(ws, { path: "a.png" })),
    `${ws.root}/a.png is a PNG image, a binary file (144 bytes)`,
  );
  assert.equal(await errorOf(read(ws, { path: "a.bin" })), `${ws.root}/a.bin is a binary file (130 bytes)`);
});

Deno.test("other encodings are shown, and one that cannot be written is named with its text", async () => {
  await using ws = await createTempWorkspace();
  await ws.put("gbk", Uint8Array.of(0xd6, 0xd0, 0xce, 0xc4, 0x0a));
  await ws.put("utf16", Uint8Array.of(0xff, 0xfe, 0x2d, 0x4e, 0x0d, 0, 0x0a, 0));
  await ws.put("latin", Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a));
  assert.equal(await read(ws, { path: "gbk" }), "1→中文");
  assert.equal(await read(ws, { path: "utf16" }), "1→中");
  assert.equal(
    await read(ws, { path: "latin" }),
    "[shown as windows-1252, which is a guess; this file cannot be edited as text]\n1→café",
  );
});
