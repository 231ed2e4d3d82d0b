/** The report of `cache`, as a table for people and as JSON. */
import type { loadCacheReports } from "../../../assembly/mod.ts";

type Report = Awaited<ReturnType<Awaited<ReturnType<typeof loadCacheReports>>["loadCacheReport"]>>;
type Request = NonNullable<Report>["requests"][number];

const NOTHING = "no request of this session was recorded";

export function cacheJson(session: string, report: Report): Record<string, unknown> {
  const { requests = [], totals } = report ?? {};
  return {
    schema_version: 1,
    command: "cache",
    session_id: session,
    ...(totals
      ? {
        input_tokens: totals.input,
        cache_hit_tokens: totals.hit,
        expected_hit_tokens: totals.expected,
        missed_tokens: totals.missed,
        ...(totals.rate === undefined ? {} : { hit_rate: Math.round(totals.rate * 10_000) / 10_000 }),
      }
      : {}),
    requests: requests.map((request) => ({
      number: request.number,
      at: request.at,
      model: request.model,
      source: request.source,
      input_tokens: request.input,
      cache_hit_tokens: request.hit,
      cache_write_tokens: request.write,
      expected_hit_tokens: request.expected,
      as_expected: request.asExpected,
      cause: request.cause,
      why: request.why,
      change: request.change,
    })),
  };
}

export function cacheText(session: string, report: Report): string {
  if (report === undefined) return `session ${session}: ${NOTHING}`;
  const { requests, totals } = report;
  const rate = totals.rate === undefined ? "" : ` (${(totals.rate * 100).toFixed(1)} %)`;
  const missed = totals.missed > 0 ? `; ${count(totals.missed)} more could have` : "";
  const summary = totals.input === 0
    ? `${requests.length} requests; the endpoint does not say what came from its cache`
    : `${requests.length} requests, ${count(totals.input)} input tokens, ${
      count(totals.hit)
    } from the cache${rate}${missed}`;
  const rows = [["#", "time", "input", "cached", "expected", ""], ...requests.map(row)];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  const table = rows.map((cells) =>
    cells.map((cell, column) => column === 5 ? cell : cell.padStart(widths[column]!)).join("  ").trimEnd()
  );
  return [`session ${session}`, summary, "", ...table].join("\n");
}

function row(request: Request): string[] {
  const { number, at, input, hit, expected, source, asExpected, why } = request;
  const mark = asExpected ? "" : "! ";
  const who = source === "executor" ? "" : `(${source}) `;
  return [
    String(number),
    new Date(at).toISOString().slice(11, 19),
    count(input),
    count(hit),
    count(expected),
    `${mark}${who}${why}`,
  ];
}

const count = (value: number | undefined): string =>
  value === undefined ? "?" : String(value).replace(/\B(?=(\d{3})+$)/g, " ");
