import assert from "node:assert/strict";
import { takenCaches, writeReportingCopy } from "./code_caches.ts";

/** A file that ends as a compiled program does. */
function program(settings: string, length = settings.length): Uint8Array {
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(length), true);
  const text = (words: string) => new TextEncoder().encode(words);
  return Uint8Array.from([
    ...text("runtime, which knows d3n0l4nd"),
    ...[...text("d3n0l4nd"), ...size, ...text(settings)],
    ...text("files, one of them with d3n0l4nd in it"),
  ]);
}

async function copyOf(bytes: Uint8Array): Promise<Uint8Array> {
  const folder = await Deno.makeTempDir({ prefix: "reasonix-caches-" });
  try {
    await Deno.writeFile(`${folder}/program`, bytes);
    await writeReportingCopy(`${folder}/program`, `${folder}/copy`);
    return await Deno.readFile(`${folder}/copy`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a copy asks for the report, and is the same besides", async () => {
  const absent = '"a":null,"b":null,"c":null,"d":null,';
  const before = program(`{${absent}"v8_flags":["--one"],"prompt":false}`);
  const after = await copyOf(before);
  const settings = '{"prompt":false,"v8_flags":["--one","--profile-deserialization"]}';
  assert.deepEqual(after, program(settings.padEnd(`{${absent}"v8_flags":["--one"],"prompt":false}`.length)));
});

Deno.test("a file of another form is refused", async () => {
  await assert.rejects(copyOf(program('{"v8_flags":["--one"]}')), /no room/);
  await assert.rejects(copyOf(program('{"v8_flags":[]}', 2 ** 40)), /not found/);
  await assert.rejects(copyOf(new Uint8Array(64)), /not found/);
});

Deno.test("the engine's words are understood", () => {
  const output = `[Deserializing isolate (2235440 bytes) took 4.120 ms]
[Deserializing from 51024 bytes took 0.216 ms]
said by the program[Deserializing from 915280 bytes took 2.196 ms]
[Cached code failed check: flags mismatch]
`;
  assert.deepEqual(takenCaches(output), [51024, 915280]);
});
