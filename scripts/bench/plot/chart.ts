/** One chart with two axes, a legend, and series of dots or lines. */
import { Canvas, type Colour, type Point, textWidth } from "./canvas.ts";

export interface Series {
  readonly name: string;
  readonly colour: Colour;
  readonly as: "dots" | "line";
  readonly points: readonly Point[];
}

export interface Axis {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly label: (tick: number) => string;
  /** Equal steps stand for equal factors. */
  readonly logarithmic?: boolean;
}

export interface Chart {
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

const SIZE = { x: 1200, y: 520 };
const FIELD = { left: 110, top: 64, right: 1170, bottom: 440 };
const INK: Colour = [40, 44, 52];
const GRID: Colour = [226, 229, 234];
const SCALE = 2;

/** What lies outside an axis is drawn at its edge. */
export function placeOn({ from, to, logarithmic }: Axis, value: number): number {
  const scale = logarithmic ? Math.log : (number: number) => number;
  return Math.min(1, Math.max(0, (scale(value) - scale(from)) / (scale(to) - scale(from))));
}

export function drawChart({ x, y, series }: Chart): Canvas {
  const canvas = new Canvas(SIZE.x, SIZE.y);
  const across = (value: number) => FIELD.left + placeOn(x, value) * (FIELD.right - FIELD.left);
  const up = (value: number) => FIELD.bottom - placeOn(y, value) * (FIELD.bottom - FIELD.top);
  const style = { scale: SCALE, colour: INK };

  for (const tick of y.ticks) {
    const at = Math.round(up(tick));
    canvas.box({ x: FIELD.left, y: at }, { x: FIELD.right - FIELD.left, y: 1 }, GRID);
    canvas.text({ x: FIELD.left - 12, y: at + 7 }, y.label(tick), { ...style, align: "end" });
  }
  for (const tick of x.ticks) {
    const at = Math.round(across(tick));
    canvas.box({ x: at, y: FIELD.top }, { x: 1, y: FIELD.bottom - FIELD.top }, GRID);
    canvas.text({ x: at, y: FIELD.bottom + 26 }, x.label(tick), { ...style, align: "middle" });
  }
  for (const one of series) {
    const places = one.points.map((point) => ({ x: across(point.x), y: up(point.y) }));
    if (one.as === "line") canvas.line(places, 3, one.colour);
    else for (const place of places) canvas.dot(place, 1.4, one.colour);
  }
  // Over the ends of the lines.
  canvas.box({ x: FIELD.left, y: FIELD.top }, { x: 2, y: FIELD.bottom - FIELD.top }, INK);
  canvas.box({ x: FIELD.left, y: FIELD.bottom }, { x: FIELD.right - FIELD.left, y: 2 }, INK);

  canvas.text({ x: 20, y: 34 }, y.title, style);
  canvas.text({ x: FIELD.right, y: FIELD.bottom + 60 }, x.title, { ...style, align: "end" });
  drawLegend(canvas, series);
  return canvas;
}

function drawLegend(canvas: Canvas, series: readonly Series[]): void {
  let right = FIELD.right;
  for (const { name, colour, as } of [...series].reverse()) {
    const left = right - textWidth(name, SCALE);
    canvas.text({ x: left, y: 34 }, name, { scale: SCALE, colour: INK });
    const [from, to] = [{ x: left - 44, y: 27 }, { x: left - 14, y: 27 }];
    if (as === "line") canvas.line([from, to], 3, colour);
    else for (let x = from.x; x <= to.x; x += 7) canvas.dot({ x, y: 27 }, 2, colour);
    right = left - 80;
  }
}
