/** Which system and processor a program file is for, read from its header: ELF, Mach-O or PE. */

export interface Executable {
  readonly format: "ELF" | "Mach-O" | "PE";
  readonly processor: "amd64" | "arm64";
}

const ELF = 0x7f454c46;
const MACH_O_64 = 0xfeedfacf;
const MZ = 0x4d5a;
const PE = 0x50450000;

/** Takes the first kilobytes of a file. Undefined for anything that is none of the three, or of another processor. */
export function readExecutable(head: Uint8Array): Executable | undefined {
  if (head.length < 64) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (view.getUint32(0) === ELF) {
    // 64-bit and little-endian only; e_machine.
    if (head[4] !== 2 || head[5] !== 1) return undefined;
    return of("ELF", { 0x3e: "amd64", 0xb7: "arm64" }[view.getUint16(18, true)]);
  }
  if (view.getUint32(0, true) === MACH_O_64) {
    return of("Mach-O", { 0x01000007: "amd64", 0x0100000c: "arm64" }[view.getUint32(4, true)]);
  }
  if (view.getUint16(0) === MZ) {
    const at = view.getUint32(0x3c, true);
    if (at + 6 > head.length || view.getUint32(at) !== PE) return undefined;
    return of("PE", { 0x8664: "amd64", 0xaa64: "arm64" }[view.getUint16(at + 4, true)]);
  }
  return undefined;
}

function of(format: Executable["format"], processor: string | undefined): Executable | undefined {
  return processor === undefined ? undefined : { format, processor: processor as Executable["processor"] };
}

/** Reads the head of a file; undefined also when it cannot be read. */
export async function executableAt(path: string): Promise<Executable | undefined> {
  try {
    using file = await Deno.open(path);
    const head = new Uint8Array(4096);
    let filled = 0;
    for (let read; (read = await file.read(head.subarray(filled))) !== null && filled < head.length;) filled += read;
    return readExecutable(head.subarray(0, filled));
  } catch {
    return undefined;
  }
}
