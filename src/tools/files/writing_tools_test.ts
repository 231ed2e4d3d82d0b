import assert from "node:assert/strict";
import fc from "fast-check";
import { ToolError } from "../../contract/errors.ts";
import { FileError } from "../../contract/workspace.ts";
import { toBytes, toText } from "../../lib/bytes.ts";
import { encodeText, markOf, type TextEncoding, UTF8 } from "../../lib/text_encoding.ts";
import { createTempWorkspace, type TempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { editFileTool } from "./edit_file.ts";
import { moveFileTool } from "./move_file.ts";
import { multiEditTool } from "./multi_edit.ts";
import { writeFileTool } from "./write_file.ts";

/** `中文` and a comment in GB18030. */
const GBK = Uint8Array.of(0x2f, 0x2f, 0x20, 0xd6, 0xd0, 0xce, 0xc4, 0x0a, ...toBytes("int x;\n"));

async function errorOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ToolError || error instanceof FileError) return error.message;
    throw error;
  }
  throw new Error("nothing failed");
}

function edit(ws: TempWorkspace, path: string, old: string, replacement: string) {
  return ws.call(editFileTool, { path, old_string: old, new_string: replacement });
}

async function modified(ws: TempWorkspace, path: string): Promise<number> {
  return (await Deno.stat(`${ws.root}/${path}`)).mtime!.getTime();
}

Deno.test("writing a new file makes its folders and says how much went where", async () => {
  await using ws = await createTempWorkspace();
  assert.deepEqual(await ws.call(writeFileTool, { path: "a/b.txt", content: "é\n" }), {
    text: `wrote 3 bytes to ${ws.root}/a/b.txt`,
    execution: { state: "completed", paths_written: [`${ws.root}/a/b.txt`] },
    display: { diff: "@@ -0,0 +1 @@\n+é\n", added: 1, removed: 0 },
  });
  assert.equal(await ws.text("a/b.txt"), "é\n");
});

Deno.test("writing what the file already holds changes nothing, not even its time", async () => {
  await using ws = await createTempWorkspace({ "a": "x\n", "crlf": "a\r\nb\r\n", "empty": "" });
  await ws.put("gbk", GBK);
  await ws.put("bom", Uint8Array.of(0xef, 0xbb, 0xbf, 0x61));
  const contents = { a: "x\n", crlf: "a\nb\n", gbk: "// 中文\nint x;\n", bom: "a", empty: "" };
  for (const [path, content] of Object.entries(contents)) {
    await Deno.utime(`${ws.root}/${path}`, 1000, 1000);
    const { text } = await ws.call(writeFileTool, { path, content });
    assert.equal(text, `${ws.root}/${path} already contains the exact content; no changes made`);
    assert.equal(await modified(ws, path), 1_000_000, path);
  }
});

Deno.test("a whole-file write keeps encoding, mark and CRLF line ends, and says so", async () => {
  await using ws = await createTempWorkspace({ "crlf": "a\r\nb\r\n", "mixed": "a\r\nb\n" });
  await ws.put("gbk", GBK);
  await ws.put("bom", Uint8Array.of(0xef, 0xbb, 0xbf, 0x61));
  await ws.put("utf16", Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x0d, 0, 0x0a, 0));
  const write = async (path: string, content: string) => (await ws.call(writeFileTool, { path, content })).text;

  assert.match(await write("crlf", "a\nc\n"), /; line ends CRLF kept$/);
  assert.equal(await ws.text("crlf"), "a\r\nc\r\n");
  await write("mixed", "a\nc\n");
  assert.equal(await ws.text("mixed"), "a\nc\n");
  assert.match(await write("gbk", "// 中文\nint x;\n// 更多\n"), /; encoding gb18030 kept$/);
  const gbk = await ws.bytes("gbk");
  assert.equal(new TextDecoder("gb18030", { fatal: true }).decode(gbk), "// 中文\nint x;\n// 更多\n");
  assert.deepEqual(gbk.subarray(0, GBK.length), GBK);
  await write("bom", "b");
  assert.deepEqual(await ws.bytes("bom"), Uint8Array.of(0xef, 0xbb, 0xbf, 0x62));
  await write("bom", "\ufeffc");
  assert.deepEqual(await ws.bytes("bom"), Uint8Array.of(0xef, 0xbb, 0xbf, 0x63));
  assert.match(await write("utf16", "中\n"), /; line ends CRLF kept; encoding utf-16le kept$/);
  assert.deepEqual(await ws.bytes("utf16"), Uint8Array.of(0xff, 0xfe, 0x2d, 0x4e, 0x0d, 0, 0x0a, 0));
});

Deno.test("replacing a binary file is said; a file in a charset that is only shown is left alone", async () => {
  await using ws = await createTempWorkspace();
  await ws.put("bin", Uint8Array.of(1, 0, 2, 0));
  await ws.put("latin", Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a));
  const { text } = await ws.call(writeFileTool, { path: "bin", content: "text" });
  assert.equal(text, `wrote 4 bytes to ${ws.root}/bin; this replaces a binary file (4 bytes)`);
  const refused = await errorOf(ws.call(writeFileTool, { path: "latin", content: "cafe\n" }));
  assert.match(
    refused,
    /looks like windows-1252\. .* was left alone\. Convert it first, for example: iconv -f windows-1252/,
  );
  assert.match(await errorOf(edit(ws, "latin", "caf", "CAF")), /looks like windows-1252/);
  assert.deepEqual(await ws.bytes("latin"), Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a));
});

Deno.test("an image without a mark is neither taken for UTF-16 nor edited", async () => {
  await using ws = await createTempWorkspace();
  const pairs = Array.from({ length: 128 }, (_, i) => i % 2 === 0 ? 0 : 0x61);
  const png = Uint8Array.of(0x89, ...toBytes("PNG\r\n\x1a\n\0\0\0\rIHDR"), ...pairs);
  await ws.put("a.png", png);
  assert.match(await errorOf(edit(ws, "a.png", "IHDR", "IHDX")), /is a PNG image, .* cannot be edited as text$/);
  assert.deepEqual(await ws.bytes("a.png"), png);
});

Deno.test("text that the file's encoding cannot hold is refused, and unpaired surrogates everywhere", async () => {
  await using ws = await createTempWorkspace({ "a": "x" });
  assert.match(await errorOf(edit(ws, "a", "x", "\ud800")), /unpaired surrogate/);
  assert.match(await errorOf(ws.call(writeFileTool, { path: "new", content: "\udc00" })), /unpaired surrogate/);
  assert.equal(await ws.files.stat("new"), undefined);
});

Deno.test("an edit answers with a receipt, and a person sees the diff", async () => {
  await using ws = await createTempWorkspace({ "a": "one\ntwo\nthree\n" });
  assert.deepEqual(await edit(ws, "a", "two", "2\n2½"), {
    text: `edited ${ws.root}/a\n@@ replacement 1 of 1 (1 occurrence) @@\n-two\n+2\n+2½`,
    execution: { state: "completed", paths_read: [`${ws.root}/a`], paths_written: [`${ws.root}/a`] },
    display: { diff: "@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2½\n three\n", added: 2, removed: 1 },
  });
});

Deno.test("anything but an exact match is told in the first line", async () => {
  await using ws = await createTempWorkspace({ "crlf": "a\r\nb\r\n", "quotes": "“a”\n" });
  assert.match((await edit(ws, "crlf", "a\nb\n", "c\nd\n")).text, /^edited .*crlf \(matched across line ends; /);
  assert.match((await edit(ws, "quotes", '"a"', '"b"')).text, /^edited .*quotes \(fuzzy match\): .*\n@@/);
  assert.equal(await ws.text("quotes"), "“b”\n");
});

Deno.test("edits keep GB18030, UTF-16 and marks byte for byte outside the match", async () => {
  await using ws = await createTempWorkspace();
  await ws.put("gbk", GBK);
  await edit(ws, "gbk", "int x", "int 长");
  assert.deepEqual(await ws.bytes("gbk"), Uint8Array.of(...GBK.subarray(0, 12), 0xb3, 0xa4, 0x3b, 0x0a));
  const wide = (text: string) =>
    Uint8Array.from([...text].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]));
  await ws.put("utf16", Uint8Array.of(0xff, 0xfe, ...wide("中a\r\nb")));
  await edit(ws, "utf16", "a\nb", "x\ny\nz");
  assert.deepEqual(await ws.bytes("utf16"), Uint8Array.of(0xff, 0xfe, ...wide("中x\r\ny\r\nz")));
  await ws.put("bom", Uint8Array.of(0xef, 0xbb, 0xbf, ...toBytes("é\na")));
  await edit(ws, "bom", "a", "b");
  assert.deepEqual(await ws.bytes("bom"), Uint8Array.of(0xef, 0xbb, 0xbf, ...toBytes("é\nb")));
});

Deno.test("in every encoding that is written, a random edit changes the bytes of its match alone", async () => {
  const encodings: TextEncoding[] = [
    UTF8,
    { name: "utf-8", bom: true, writable: true },
    { name: "utf-16le", bom: true, writable: true },
    { name: "utf-16be", bom: true, writable: true },
    { name: "gb18030", bom: false, writable: true },
  ];
  await using ws = await createTempWorkspace();
  const piece = fc.constantFrom("中文注释", "的是不了", "a", "x y", "\n", "\r\n", "“引”", "，");
  const around = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));
  const encode = async (text: string, encoding: TextEncoding) =>
    Uint8Array.of(...markOf(encoding), ...(await encodeText(text, encoding))!);
  await fc.assert(
    fc.asyncProperty(around, around, fc.constantFrom(...encodings), async (before, after, encoding) => {
      const text = (middle: string) => `中文的${before}${middle}${after}`;
      await ws.put("file", await encode(text("MATCH"), encoding));
      await edit(ws, "file", "MATCH", "changed 改");
      assert.deepEqual(await ws.bytes("file"), await encode(text("changed 改"), encoding));
    }),
    { numRuns: 40 },
  );
});

Deno.test("a diff that nobody would read to its end is cut", async () => {
  await using ws = await createTempWorkspace({ "a": "old line\n".repeat(20_000) });
  const { display } = await ws.call(writeFileTool, { path: "a", content: "new line\n".repeat(20_000) });
  assert.deepEqual([display?.added, display?.removed], [20_000, 20_000]);
  assert.ok(display!.diff!.length < 101_000 && display!.diff!.endsWith("-old line\n\\ The diff goes on.\n"));
});

Deno.test("an edit that names the byte-order mark can remove it", async () => {
  await using ws = await createTempWorkspace();
  await ws.put("bom", Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0x0a));
  await edit(ws, "bom", "\ufeffa", "b");
  assert.deepEqual(await ws.bytes("bom"), Uint8Array.of(0x62, 0x0a));
});

Deno.test("in large files no character is split, wherever multi-byte text starts", async () => {
  await using ws = await createTempWorkspace();
  for (const lead of [65_535, 65_534, 65_533]) {
    const before = toBytes("a".repeat(lead) + "中文行\n".repeat(20_000));
    const whole = new Uint8Array(before.length + 5);
    whole.set(before);
    whole.set(toBytes("tail\n"), before.length);
    await ws.put("big", whole);
    await edit(ws, "big", "tail", "TAIL");
    const after = await ws.bytes("big");
    assert.equal(after.length, whole.length);
    assert.ok(after.subarray(0, before.length).every((byte, i) => byte === before[i]));
    assert.equal(toText(after.subarray(before.length)), "TAIL\n");
  }
});

Deno.test("a link stays a link and its target keeps its mode through an edit", async () => {
  await using ws = await createTempWorkspace({ "real.sh": "echo a\n" });
  await Deno.chmod(`${ws.root}/real.sh`, 0o755);
  await Deno.symlink("real.sh", `${ws.root}/link.sh`);
  await edit(ws, "link.sh", "echo a", "echo b");
  assert.ok((await Deno.lstat(`${ws.root}/link.sh`)).isSymlink);
  assert.equal(await ws.text("real.sh"), "echo b\n");
  assert.equal((await Deno.stat(`${ws.root}/real.sh`)).mode! & 0o777, 0o755);
});

Deno.test("editing what is missing, a folder or no file at all is an error", async () => {
  await using ws = await createTempWorkspace({ "d/a": "" });
  await new Deno.Command("mkfifo", { args: [`${ws.root}/pipe`] }).output();
  assert.equal(await errorOf(edit(ws, "no", "a", "b")), `${ws.root}/no does not exist`);
  assert.equal(await errorOf(edit(ws, "d", "a", "b")), `${ws.root}/d is a directory, not a file`);
  assert.match(await errorOf(edit(ws, "pipe", "a", "b")), /is not a regular file but a named pipe$/);
  assert.match(await errorOf(ws.call(writeFileTool, { path: "d", content: "x" })), /is a directory, not a file$/);
  assert.match(await errorOf(ws.call(writeFileTool, { path: "pipe", content: "x" })), /is not a regular file/);
  assert.equal(await errorOf(ws.call(writeFileTool, { path: "", content: "x" })), "the path is empty");
});

Deno.test("several edits are applied in order and counted, or none is", async () => {
  await using ws = await createTempWorkspace({ "a": "one two\none\n" });
  const edits = [
    { old_string: "one", new_string: "1", replace_all: true },
    { old_string: "1 two", new_string: "1 2" },
  ];
  const { text } = await ws.call(multiEditTool, { path: "a", edits });
  assert.equal(
    text,
    `multi_edit ${ws.root}/a: 2 edits applied (3 total replacements)\n` +
      "@@ replacement 1 of 2 (2 occurrences) @@\n-one two\n+1 two\n" +
      "@@ replacement 2 of 2 (1 occurrence) @@\n-1 two\n+1 2",
  );
  assert.equal(await ws.text("a"), "1 2\n1\n");
  const failing = [{ old_string: "2", new_string: "3" }, { old_string: "1", new_string: "x" }];
  assert.match(
    await errorOf(ws.call(multiEditTool, { path: "a", edits: failing })),
    /^edit 2: old_string occurs 2 times/,
  );
  assert.match(
    await errorOf(ws.call(multiEditTool, { path: "a", edits: [{ old_string: "", new_string: "x" }] })),
    /^edit 1: old_string is required$/,
  );
  assert.equal(await ws.text("a"), "1 2\n1\n");
});

Deno.test("a move says from where to where, and never replaces anything", async () => {
  await using ws = await createTempWorkspace({ "a": "1", "b": "2" });
  const { text } = await ws.call(moveFileTool, { source_path: "a", destination_path: "d/e" });
  assert.equal(text, `moved ${ws.root}/a to ${ws.root}/d/e`);
  assert.equal(
    await errorOf(ws.call(moveFileTool, { source_path: "b", destination_path: "d/e" })),
    `${ws.root}/d/e already exists`,
  );
  assert.equal(await ws.text("b"), "2");
});
