/** `--debug`: what a run goes through, one line an event on stderr, with the time since the start. */
import type { Event } from "../../../contract/event.ts";
import { toLine } from "../../../lib/terminal_text.ts";
import type { Output } from "./output.ts";

/** Pieces of an answer or of output: the other printers show them whole. */
const PIECES: ReadonlySet<Event["kind"]> = new Set(["text", "reasoning", "tool_progress", "compaction_progress"]);

export class DebugLines {
  readonly #err: Output;
  readonly #started: number;

  /** `started` is a time of `performance.now()`. */
  constructor(err: Output, { started }: { readonly started: number }) {
    this.#err = err;
    this.#started = started;
  }

  /** What holds for the whole run. */
  readonly fact = (name: string, value: string): void => {
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(3);
    this.#err.line(`debug ${seconds} ${name} ${toLine(value, 400)}`);
  };

  readonly print = (event: Event): void => {
    if (PIECES.has(event.kind)) return;
    const { sessionId: _session, turnId: _turn, seq: _seq, kind, ...body } = event;
    this.fact(kind, JSON.stringify(body));
  };
}
