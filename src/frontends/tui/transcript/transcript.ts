/**
 * The conversation as lines: what has become final is handed over once, in order; the rest is drawn with every frame.
 */
import type { Item, ViewState } from "../../view/mod.ts";
import type { Look } from "../look.ts";
import { itemLines } from "./item_lines.ts";
import type { Size } from "../overlays/overlay.ts";
import { StreamedAnswer } from "./streamed_answer.ts";
import { toolCard } from "./tool_card.ts";
import { append } from "../../../lib/append.ts";

export class Transcript {
  /** Items handed over. */
  #at = 0;
  #streams = new Map<number, StreamedAnswer>();
  /** Kind of the item whose lines were written last; decides where a blank line stands. */
  #last: Item["kind"] | undefined;

  /** Lines that have become final since the last call. */
  settle(view: ViewState, width: number, look: Look): string[] {
    const lines: string[] = [];
    for (; this.#at < view.items.length; this.#at++) {
      const item = view.items[this.#at]!;
      const stream = this.#streams.get(item.key);
      if (stream && item.kind === "answer") {
        stream.finish(item.text);
        append(lines, this.#spaced(item, stream.take(width), { goesOn: true }));
        if (item.void) lines.push(look.theme.warn(`! ${look.t("answer.void")}`));
        this.#streams.delete(item.key);
        this.#last = item.kind;
      } else append(lines, this.#spaced(item, itemLines(item, width, look)));
    }
    const first = view.open[0]?.item;
    if (first?.kind === "answer") {
      const stream = this.#streamOf(first, look);
      append(lines, this.#spaced(first, stream.take(width), { goesOn: true }));
    }
    return lines;
  }

  /** What may still change; of running calls as much output as `rows` lines allow. */
  live(view: ViewState, { width, rows }: Size, look: Look): string[] {
    let last = this.#last;
    const running = view.open.filter(({ item, done }) => item.kind === "tool" && !done).length;
    const live = Math.max(1, Math.floor(rows / Math.max(1, running)) - 3);
    return view.open.flatMap(({ item, done }) => {
      const lines = item.kind === "answer"
        ? this.#streamOf(item, look).rest(width)
        : item.kind === "tool" && !done
        ? toolCard(item, width, look, { live })
        : itemLines(item, width, look);
      if (lines.length === 0) return [];
      // The stream itself knows whether lines of it stand above.
      const gap = item.kind === "answer" && last === "answer" ? false : needsGap(last, item.kind);
      last = item.kind;
      return gap ? ["", ...lines] : [...lines];
    });
  }

  #streamOf(item: Extract<Item, { kind: "answer" }>, look: Look): StreamedAnswer {
    let stream = this.#streams.get(item.key);
    if (!stream) this.#streams.set(item.key, stream = new StreamedAnswer(look.theme.markdown));
    stream.update(item.text);
    return stream;
  }

  #spaced(item: Item, lines: readonly string[], { goesOn = false } = {}): string[] {
    if (lines.length === 0) return [];
    const gap = goesOn && this.#last === item.kind ? false : needsGap(this.#last, item.kind);
    this.#last = item.kind;
    return gap ? ["", ...lines] : [...lines];
  }
}

/** Calls stand together, and small lines stick to what they belong to. */
function needsGap(above: Item["kind"] | undefined, below: Item["kind"]): boolean {
  if (above === undefined) return false;
  if (below === "usage" || below === "job" || below === "retry") return false;
  const quiet = new Set<Item["kind"]>(["tool", "decision", "thinking"]);
  return !(quiet.has(above) && quiet.has(below));
}
