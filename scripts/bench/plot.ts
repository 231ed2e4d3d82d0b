/**
 * The pictures of docs/PERFORMANCE.md from what `growth.ts --csv` measured: docs/images/growth.csv into growth_time.png
 * and growth_bytes.png. `deno run -A scripts/bench/plot.ts`; a test holds the pictures against the numbers.
 */
import { type Chart, drawChart } from "./plot/chart.ts";
import { encodePng } from "./plot/png.ts";

const FOLDER = new URL("../../docs/images/", import.meta.url);

export interface Round {
  readonly round: number;
  /** From the end of an answer to the arrival of the next request. */
  readonly ms: number;
  /** Of that request. */
  readonly bytes: number;
}

export function parseRounds(csv: string): Round[] {
  const [head, ...rows] = csv.trim().split("\n");
  if (head !== "round,ms,bytes") throw new Error("the numbers begin with the line round,ms,bytes");
  return rows.map((row) => {
    const [round = NaN, ms = NaN, bytes = NaN] = row.split(",").map(Number);
    return { round, ms, bytes };
  });
}

const FIRST = 10;
const LAST = 1_000;
/** Rounds to each side of the one whose median is drawn. */
const AROUND = 12;

const X = {
  title: "round",
  from: FIRST,
  to: LAST,
  ticks: [10, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000],
  label: String,
};

export function growthCharts(all: readonly Round[]): Readonly<Record<string, Chart>> {
  const rounds = all.filter(({ round }) => round >= FIRST && round <= LAST);
  const before = new Map(all.map(({ round, bytes }) => [round + 1, bytes]));
  const medians = rounds.map(({ round }, at) => {
    const near = rounds.slice(Math.max(0, at - AROUND), at + AROUND + 1).map(({ ms }) => ms).sort((a, b) => a - b);
    return { x: round, y: near[near.length >> 1]! };
  });
  return {
    growth_time: {
      x: X,
      y: { title: "milliseconds a round", from: 0, to: 4, ticks: [0, 1, 2, 3, 4], label: String },
      series: [
        {
          name: "each round",
          colour: [158, 188, 224],
          as: "dots",
          points: rounds.map(({ round, ms }) => ({ x: round, y: ms })),
        },
        { name: `median of ${2 * AROUND + 1} rounds`, colour: [24, 78, 158], as: "line", points: medians },
      ],
    },
    growth_bytes: {
      x: X,
      y: {
        title: "bytes",
        from: 100,
        to: 1_000_000,
        ticks: [100, 1_000, 10_000, 100_000, 1_000_000],
        label: (tick) =>
          tick >= 1_000_000 ? `${tick / 1_000_000} M` : tick >= 1_000 ? `${tick / 1_000} k` : String(tick),
        logarithmic: true,
      },
      series: [
        {
          name: "whole request",
          colour: [24, 78, 158],
          as: "line",
          points: rounds.map(({ round, bytes }) => ({ x: round, y: bytes })),
        },
        {
          name: "added to the one before",
          colour: [196, 84, 32],
          as: "line",
          points: rounds.map(({ round, bytes }) => ({ x: round, y: bytes - before.get(round)! })),
        },
      ],
    },
  };
}

if (import.meta.main) {
  const rounds = parseRounds(await Deno.readTextFile(new URL("growth.csv", FOLDER)));
  for (const [name, chart] of Object.entries(growthCharts(rounds))) {
    await Deno.writeFile(new URL(`${name}.png`, FOLDER), await encodePng(drawChart(chart)));
  }
}
