import assert from "node:assert/strict";
import { growthCharts, parseRounds } from "./plot.ts";
import { Canvas } from "./plot/canvas.ts";
import { type Chart, drawChart } from "./plot/chart.ts";
import { crc32, encodePng, type Picture } from "./plot/png.ts";

/** Reads what `encodePng` writes, and checks every sum on the way. */
async function decode(png: Uint8Array): Promise<Picture> {
  const view = new DataView(png.buffer, png.byteOffset);
  const chunks = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const body = png.slice(at + 4, at + 8 + length);
    assert.equal(view.getUint32(at + 8 + length), crc32(body));
    chunks.set(new TextDecoder().decode(body.subarray(0, 4)), body.slice(4));
    at += length + 12;
  }
  assert.deepEqual([...chunks.keys()], ["IHDR", "IDAT", "IEND"]);
  const header = new DataView(chunks.get("IHDR")!.buffer);
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  const stream = new Blob([chunks.get("IDAT")!]).stream().pipeThrough(new DecompressionStream("deflate"));
  const rows = new Uint8Array(await new Response(stream).arrayBuffer());
  const pixels = new Uint8Array(width * height * 3);
  const line = width * 3;
  for (let row = 0; row < height; row++) {
    assert.equal(rows[row * (line + 1)], 2);
    for (let at = 0; at < line; at++) {
      const above = row === 0 ? 0 : pixels[(row - 1) * line + at]!;
      pixels[row * line + at] = above + rows[row * (line + 1) + 1 + at]!;
    }
  }
  return { width, height, pixels };
}

Deno.test("a picture comes out of its PNG as it went in, with a check sum as everyone counts it", async () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  const canvas = new Canvas(7, 5);
  canvas.line([{ x: 0, y: 0 }, { x: 6, y: 4 }], 2, [10, 20, 30]);
  const { width, height, pixels } = await decode(await encodePng(canvas));
  assert.deepEqual([width, height, pixels], [7, 5, canvas.pixels]);
});

Deno.test("text is drawn dot by dot, from its beginning, around its middle or up to its end", () => {
  const canvas = new Canvas(24, 9);
  canvas.text({ x: 23, y: 7 }, "1g", { scale: 1, colour: [0, 0, 0], align: "end" });
  const rows = Array.from(
    { length: 9 },
    (_, y) => Array.from({ length: 24 }, (_, x) => canvas.pixels[(y * 24 + x) * 3] === 0 ? "#" : ".").join(""),
  );
  assert.deepEqual(rows.map((row) => row.slice(12, 23)), [
    "..#........",
    ".##........",
    "..#....##.#",
    "..#...#..##",
    "..#...#...#",
    "..#...#..##",
    ".###...##.#",
    "..........#",
    ".......###.",
  ]);
});

Deno.test("a line runs where the numbers say, also on a logarithmic axis", () => {
  const axis = { title: "a", from: 0, to: 10, ticks: [], label: String };
  const chart: Chart = {
    x: axis,
    y: { ...axis, from: 1, to: 100, logarithmic: true },
    series: [{ name: "b", colour: [255, 0, 0], as: "line", points: [{ x: 0, y: 10 }, { x: 10, y: 10 }] }],
  };
  const { pixels, width } = drawChart(chart);
  const red = (x: number, y: number) => pixels[(y * width + x) * 3 + 1]! < 60 && pixels[(y * width + x) * 3] === 255;
  const middle = (64 + 440) / 2;
  assert.deepEqual([red(640, middle), red(640, middle - 8), red(640, middle + 8)], [true, false, false]);
});

Deno.test("the pictures of docs/PERFORMANCE.md are those of the numbers beside them", async () => {
  const folder = new URL("../../docs/images/", import.meta.url);
  const rounds = parseRounds(await Deno.readTextFile(new URL("growth.csv", folder)));
  for (const [name, chart] of Object.entries(growthCharts(rounds))) {
    const { pixels } = await decode(await Deno.readFile(new URL(`${name}.png`, folder)));
    assert.ok(
      crc32(pixels) === crc32(drawChart(chart).pixels),
      `${name}.png is old: deno run -A scripts/bench/plot.ts`,
    );
  }
});
