/** The forms of a run that programs read: what each prints while it goes on, and the object that closes it. */
import type { EventListener } from "../../../contract/event.ts";
import { toJsonLine } from "../../../lib/terminal_text.ts";
import type { RunFormat } from "../run_options.ts";
import { RedactedEvents, StreamJson } from "./json_lines.ts";
import type { Output } from "./output.ts";
import { type RunEnd, toMetrics, toResult } from "./run_report.ts";
import { RunTotals } from "./run_totals.ts";

export interface RunPrinter {
  readonly listeners: readonly EventListener[];
  end(end: RunEnd, totals: RunTotals): void;
}

export function openMachinePrinter(format: Exclude<RunFormat, "text" | "print">, out: Output): RunPrinter {
  switch (format) {
    case "json":
      return { listeners: [], end: (end, totals) => out.line(toJsonLine(toResult(end, totals))) };
    case "stream-json":
      return {
        listeners: [new StreamJson(out).print],
        end: (end, totals) => out.line(toJsonLine(toResult(end, totals))),
      };
    case "totals":
      return {
        listeners: [],
        end: (end, totals) => out.line(toJsonLine({ ...toResult(end, totals), ...toMetrics(end, totals) })),
      };
    case "events-jsonl": {
      const events = new RedactedEvents(out);
      return { listeners: [events.print], end: (end, totals) => events.done(toRedactedEnd(end, totals)) };
    }
  }
}

/** A run that did not begin ends in its form all the same. */
export function printFailedStart(end: RunEnd, format: RunFormat, out: Output): void {
  if (format === "events-jsonl") new RedactedEvents(out).done({ ok: false, code: end.failure!.code });
  else out.line(toJsonLine(toResult(end, new RunTotals(0))));
}

function toRedactedEnd(end: RunEnd, totals: RunTotals): Record<string, unknown> {
  return {
    ok: end.exitCode === 0,
    duration_ms: Math.round(end.durationMs),
    num_turns: totals.rounds,
    usage: {
      input_tokens: totals.prompt,
      output_tokens: totals.completion,
      cache_hit_tokens: totals.cacheHit,
      cache_miss_tokens: totals.cacheMiss,
    },
    permission_denials: totals.denials.length,
  };
}
