import assert from "node:assert/strict";
import { scanLines } from "./scan.ts";

async function linesOf(bytes: Uint8Array) {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, bytes);
    using file = await Deno.open(path, { read: true });
    const lines: { offset: number; length: number; ended: boolean; sum: number | undefined }[] = [];
    const size = await scanLines(file, ({ bytes, ...line }) => {
      lines.push({ ...line, sum: bytes?.reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7) });
    });
    return { size, lines };
  } finally {
    await Deno.remove(path);
  }
}

/** The same by the plainest means. */
function expected(bytes: Uint8Array) {
  const lines = [];
  for (let offset = 0; offset < bytes.length;) {
    const end = bytes.indexOf(10, offset);
    const line = bytes.subarray(offset, end < 0 ? bytes.length : end);
    lines.push({
      offset,
      length: line.length,
      ended: end >= 0,
      sum: line.reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7),
    });
    offset += line.length + 1;
  }
  return { size: bytes.length, lines };
}

function pattern(...lengths: number[]): Uint8Array {
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length + 1, 0));
  for (let i = 0; i < bytes.length; i++) bytes[i] = 32 + i % 90;
  let at = -1;
  for (const length of lengths) bytes[at += length + 1] = 10;
  return bytes;
}

const MEGABYTE = 1024 * 1024;

Deno.test("lines are found wherever the pieces they are read in end", async () => {
  for (const length of [MEGABYTE - 7, MEGABYTE - 8, MEGABYTE + 1, 2 * MEGABYTE]) {
    const whole = pattern(5, 0, length, 0, 7);
    assert.deepEqual(await linesOf(whole), expected(whole));
    const torn = whole.subarray(0, -2);
    assert.deepEqual(await linesOf(torn), expected(torn));
  }
});

Deno.test("an empty file has no line and a lone line end has an empty one", async () => {
  assert.deepEqual(await linesOf(new Uint8Array(0)), { size: 0, lines: [] });
  assert.deepEqual(await linesOf(new Uint8Array([10])), expected(new Uint8Array([10])));
});
