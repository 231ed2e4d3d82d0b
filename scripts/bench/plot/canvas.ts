/** A white picture to draw on: lines and dots with soft edges, boxes, and text in the bitmap font. */
import { BASELINE, GLYPH_HEIGHT, GLYPH_WIDTH, GLYPHS } from "./bitmap_font.ts";
import type { Picture } from "./png.ts";

/** Red, green, blue: 0 to 255. */
export type Colour = readonly [number, number, number];

export interface Point {
  readonly x: number;
  readonly y: number;
}

export class Canvas implements Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 3).fill(255);
  }

  /** `strength` from 0, nothing, to 1, the colour alone. */
  #blend(x: number, y: number, colour: Colour, strength: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height || strength <= 0) return;
    const at = (y * this.width + x) * 3;
    for (let channel = 0; channel < 3; channel++) {
      const old = this.pixels[at + channel]!;
      this.pixels[at + channel] = Math.round(old + (colour[channel]! - old) * Math.min(1, strength));
    }
  }

  box(from: Point, size: Point, colour: Colour): void {
    for (let y = from.y; y < from.y + size.y; y++) {
      for (let x = from.x; x < from.x + size.x; x++) this.#blend(x, y, colour, 1);
    }
  }

  dot(at: Point, radius: number, colour: Colour): void {
    this.#stroke(at, at, { radius, colour });
  }

  /** Joined by straight pieces. */
  line(points: readonly Point[], thickness: number, colour: Colour): void {
    for (let at = 1; at < points.length; at++) {
      this.#stroke(points[at - 1]!, points[at]!, { radius: thickness / 2, colour });
    }
  }

  #stroke(a: Point, b: Point, { radius, colour }: { readonly radius: number; readonly colour: Colour }): void {
    const [left, right] = [Math.min(a.x, b.x) - radius - 1, Math.max(a.x, b.x) + radius + 1];
    const [top, bottom] = [Math.min(a.y, b.y) - radius - 1, Math.max(a.y, b.y) + radius + 1];
    const length = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
    for (let y = Math.floor(top); y <= bottom; y++) {
      for (let x = Math.floor(left); x <= right; x++) {
        const along = length === 0 ? 0 : ((x - a.x) * (b.x - a.x) + (y - a.y) * (b.y - a.y)) / length;
        const t = Math.min(1, Math.max(0, along));
        const distance = Math.hypot(x - a.x - t * (b.x - a.x), y - a.y - t * (b.y - a.y));
        this.#blend(x, y, colour, radius + 0.5 - distance);
      }
    }
  }

  /** `at.x` is where the text begins, ends or has its middle; `at.y` is the line it stands on. */
  text(
    at: Point,
    text: string,
    style: { readonly scale: number; readonly colour: Colour; readonly align?: "end" | "middle" },
  ): void {
    const { scale, colour, align } = style;
    const width = textWidth(text, scale);
    const left = Math.round(align === "end" ? at.x - width : align === "middle" ? at.x - width / 2 : at.x);
    [...text].forEach((letter, index) => {
      const glyph = GLYPHS.get(letter);
      if (glyph === undefined) throw new Error(`the bitmap font has no "${letter}"`);
      for (let row = 0; row < GLYPH_HEIGHT; row++) {
        for (let column = 0; column < GLYPH_WIDTH; column++) {
          if (glyph[row]![column] !== "#") continue;
          const x = left + (index * (GLYPH_WIDTH + 1) + column) * scale;
          this.box({ x, y: Math.round(at.y) + (row - BASELINE) * scale }, { x: scale, y: scale }, colour);
        }
      }
    });
  }
}

export function textWidth(text: string, scale: number): number {
  return ([...text].length * (GLYPH_WIDTH + 1) - 1) * scale;
}
