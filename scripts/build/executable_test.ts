import assert from "node:assert/strict";
import { type Executable, executableAt, readExecutable } from "./executable.ts";

/** A header with these bytes at these places. */
function header(parts: Record<number, number[]>): Uint8Array {
  const head = new Uint8Array(512);
  for (const [at, bytes] of Object.entries(parts)) head.set(bytes, Number(at));
  return head;
}

const elf = (machine: number[], klass = 2) => header({ 0: [0x7f, 0x45, 0x4c, 0x46, klass, 1], 18: machine });
const macho = (cpu: number[]) => header({ 0: [0xcf, 0xfa, 0xed, 0xfe], 4: cpu });
const pe = (machine: number[], at = 0xf8) =>
  header({ 0: [0x4d, 0x5a], 0x3c: [at & 255, at >> 8, 0, 0], [at]: [0x50, 0x45, 0, 0, ...machine] });

const rows: [what: string, head: Uint8Array, is: Executable | undefined][] = [
  ["Linux on amd64", elf([0x3e, 0]), { format: "ELF", processor: "amd64" }],
  ["Linux on arm64", elf([0xb7, 0]), { format: "ELF", processor: "arm64" }],
  ["macOS on amd64", macho([7, 0, 0, 1]), { format: "Mach-O", processor: "amd64" }],
  ["macOS on arm64", macho([12, 0, 0, 1]), { format: "Mach-O", processor: "arm64" }],
  ["Windows on amd64", pe([0x64, 0x86]), { format: "PE", processor: "amd64" }],
  ["Windows on arm64", pe([0x64, 0xaa]), { format: "PE", processor: "arm64" }],
  ["32-bit ELF", elf([0x3e, 0], 1), undefined],
  ["ELF of a third processor", elf([0xf3, 0]), undefined],
  ["PE whose header lies past the end", pe([0x64, 0x86]).subarray(0, 0xf9), undefined],
  ["MZ without PE", header({ 0: [0x4d, 0x5a] }), undefined],
  ["text", new TextEncoder().encode("#!/bin/sh\n".repeat(20)), undefined],
  ["nothing", new Uint8Array(), undefined],
];
for (const [what, head, is] of rows) {
  Deno.test(`an executable's header tells: ${what}`, () => assert.deepEqual(readExecutable(head), is));
}

Deno.test("the program that runs this test is recognised from its own file", async () => {
  const format = ({ linux: "ELF", darwin: "Mach-O", windows: "PE" } as Record<string, string>)[Deno.build.os];
  const processor = Deno.build.arch === "x86_64" ? "amd64" : "arm64";
  assert.deepEqual(await executableAt(Deno.execPath()), { format, processor });
  assert.equal(await executableAt("/does/not/exist"), undefined);
});
