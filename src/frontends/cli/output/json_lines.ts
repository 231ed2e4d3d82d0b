/** The machine forms of a run's events, one JSON object a line: whole, redacted, and the trajectory file. */
import { toJsonLine } from "../../../lib/terminal_text.ts";
import { appendWhole } from "../../../lib/whole_writes.ts";
import type { Event } from "../../../contract/event.ts";
import type { Output } from "./output.ts";

/** `stream-json`: each event with the state of its turn, and the ids that tie its pieces together. */
export class StreamJson {
  readonly #out: Output;
  #attempt: string | undefined;
  #message = 1;

  constructor(out: Output) {
    this.#out = out;
  }

  readonly print = (event: Event): void => {
    if (event.kind === "stream_attempt") this.#attempt = event.id;
    const ofMessage = event.kind === "text" || event.kind === "reasoning" || event.kind === "message";
    this.#out.line(toJsonLine({
      status: event.kind === "turn_done" ? event.status : "running",
      ...event,
      ...(ofMessage ? { messageId: `m${this.#message}` } : {}),
      ...(this.#attempt && (ofMessage || event.kind === "stream_attempt") ? { attemptId: this.#attempt } : {}),
    }));
    if (event.kind === "message") this.#message++;
  };
}

/** `--events-jsonl`: the course of a run without a word of what was said, asked, run or found. */
export class RedactedEvents {
  readonly #out: Output;
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();
  #sequence = 0;

  constructor(out: Output) {
    this.#out = out;
  }

  readonly print = (event: Event): void => this.#line(event.kind, this.#details(event));

  done(end: Record<string, unknown>): void {
    this.#line("run_done", end);
  }

  #line(kind: string, details: Record<string, unknown>): void {
    this.#out.line(toJsonLine({ schema_version: 1, sequence: ++this.#sequence, kind, ...details }));
  }

  #details(event: Event): Record<string, unknown> {
    switch (event.kind) {
      case "turn_status":
      case "turn_done":
        return { status: event.status };
      case "turn_phase":
        return { phase: event.phase };
      case "stream_attempt":
        return { action: event.action, attempt: event.attempt, max: event.max };
      case "retrying":
        return { attempt: event.attempt, max: event.max, delay_ms: event.delayMs, cause: event.cause };
      case "notice":
        return { level: event.level, ...(event.code ? { code: event.code } : {}) };
      case "tool_dispatch":
      case "tool_started":
      case "tool_result":
        return {
          tool_id: anonymous(this.#ids, event.tool.id, "tool"),
          tool_name: anonymous(this.#names, event.tool.name, "tool_name"),
          tool_read_only: event.tool.readOnly,
          ...(event.tool.durationMs === undefined ? {} : { tool_duration_ms: Math.round(event.tool.durationMs) }),
          ...(event.kind === "tool_result" ? { tool_error: event.tool.err !== undefined } : {}),
          ...(event.tool.refusalCode ? { refusal_code: event.tool.refusalCode } : {}),
        };
      case "tool_progress":
        return { tool_id: anonymous(this.#ids, event.tool.id, "tool") };
      case "compaction_started":
        return { trigger: event.trigger, messages: event.messages };
      case "compaction_done":
        return { outcome: event.outcome, ...(event.code ? { code: event.code } : {}) };
      case "compaction_telemetry":
        return { user_turns_kept: event.user_turns_kept, user_turns_dropped: event.user_turns_dropped };
      case "usage":
        return {
          usage: {
            input_tokens: event.promptTokens,
            output_tokens: event.completionTokens,
            cache_hit_tokens: event.cacheHitTokens ?? 0,
            cache_miss_tokens: event.cacheMissTokens ?? event.promptTokens - (event.cacheHitTokens ?? 0),
          },
        };
      default:
        return {};
    }
  }
}

function anonymous(known: Map<string, string>, real: string, prefix: string): string {
  const name = known.get(real) ?? `${prefix}_${known.size + 1}`;
  known.set(real, name);
  return name;
}

/**
 * `--trajectory PATH`: appended, whole lines, each complete on the disk before the next event is handled. It ends at the
 * first line that cannot be written; the run goes on.
 */
export class Trajectory {
  readonly #file: Deno.FsFile;
  readonly #output: (line: string) => void;
  #seq = 0;
  #failure: unknown;

  /** Throws the system's error when the file cannot be opened. */
  constructor(path: string) {
    this.#file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
    const encoder = new TextEncoder();
    this.#output = (line) => {
      appendWhole(this.#file, encoder.encode(line));
    };
  }

  /** Why it ended early. */
  get failure(): unknown {
    return this.#failure;
  }

  readonly print = (event: Event): void => {
    if (this.#failure !== undefined) return;
    try {
      this.#output(`${toJsonLine({ schema_version: 1, seq: ++this.#seq, ts: Date.now(), event })}\n`);
    } catch (error) {
      this.#failure = error;
    }
  };

  close(): void {
    this.#file.close();
  }
}
