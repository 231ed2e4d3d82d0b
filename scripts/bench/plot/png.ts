/** Pixels into a PNG file: eight bits a channel, no alpha, one compressed block. */

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel, row by row. */
  readonly pixels: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export async function encodePng({ width, height, pixels }: Picture): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // Eight bits, colours without alpha; the rest has one value alone.
  header.set([8, 2, 0, 0, 0], 8);
  return joined([
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", header),
    chunk("IDAT", await deflate(filtered({ width, height, pixels }))),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** Each byte as the difference to the one above: a chart is mostly the same from row to row. */
function filtered({ width, height, pixels }: Picture): Uint8Array<ArrayBuffer> {
  const length = width * 3;
  const out = new Uint8Array((length + 1) * height);
  for (let row = 0; row < height; row++) {
    out[row * (length + 1)] = 2;
    for (let at = 0; at < length; at++) {
      const above = row === 0 ? 0 : pixels[(row - 1) * length + at]!;
      out[row * (length + 1) + 1 + at] = pixels[row * length + at]! - above;
    }
  }
  return out;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined([new TextEncoder().encode(type), data]);
  const out = new Uint8Array(body.length + 8);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  out.set(body, 4);
  view.setUint32(body.length + 4, crc32(body));
  return out;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = CRC_TABLE[(rest ^ byte) & 0xff]! ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
