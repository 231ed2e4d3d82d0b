/**
 * What the summariser reads. The digest is made anew from the transcript at every fold, so that nothing is a summary of
 * a summary; only when that history does not fit one request does the earlier digest stand in for what it covers.
 */
import type { Message } from "../../contract/message.ts";
import { ownBlock } from "../../lib/own_block.ts";
import type { Span } from "./plan.ts";
import { BETWEEN, type Detail, DETAILS, renderSpans } from "./render.ts";

export interface SourceInput {
  readonly messages: readonly Message[];
  readonly spans: readonly Span[];
  /** Characters that fit one request. */
  readonly room: number;
  /** The digest in force, and how much of the transcript it covers. */
  readonly prior?: { readonly summary: string; readonly covered: number };
  readonly focus?: string;
}

export interface SummarySource {
  readonly text: string;
  /** `clipped`: not even the shortest form fits; the middle is left out. */
  readonly from: "transcript" | "prior_digest" | "clipped";
}

/** Less is no material for a summary. Characters. */
const LEAST_ROOM = 2000;

export function toSource({ messages, spans, prior, focus, ...input }: SourceInput): SummarySource {
  const room = Math.max(LEAST_ROOM, input.room - (focus?.length ?? 0));
  const lead = focus === undefined ? "" : `Pay special attention to this:\n${focus}\n\n`;
  const wrap = (text: string) => `${lead}${ownBlock("transcript", text)}\n\nWrite the summary now.`;

  for (const detail of DETAILS) {
    const text = within(room, renderSpans(messages, spans, detail));
    if (text !== undefined) return { text: wrap(text), from: "transcript" };
  }
  const rest = spans.map(({ from, to }): Span => ({ from: Math.max(from, prior?.covered ?? 0), to }));
  const afterPrior = function* (detail: Detail) {
    if (prior !== undefined) yield `[earlier summary]\n${prior.summary}`;
    yield* renderSpans(messages, rest, detail);
  };
  if (prior !== undefined) {
    for (const detail of DETAILS) {
      const text = within(room, afterPrior(detail));
      if (text !== undefined) return { text: wrap(text), from: "prior_digest" };
    }
  }
  const { start, end, left } = bothEnds(afterPrior(DETAILS.at(-1)!), Math.floor((room - 100) / 2));
  const text = `${start}\n\n…[${left} characters of the transcript left out]…\n\n${end}`;
  return { text: wrap(text), from: "clipped" };
}

/** All parts as one text, if it has no more than `room` characters; else no more of them is looked at than that. */
function within(room: number, parts: Iterable<string>): string | undefined {
  const taken: string[] = [];
  let size = -BETWEEN.length;
  for (const part of parts) {
    size += BETWEEN.length + part.length;
    if (size > room) return undefined;
    taken.push(part);
  }
  return taken.join(BETWEEN);
}

/** The first and the last `half` characters of a text that is longer, and how many stand between. */
function bothEnds(parts: Iterable<string>, half: number): { start: string; end: string; left: number } {
  const first: string[] = [];
  const last: string[] = [];
  let size = 0;
  let firstSize = 0;
  let lastSize = 0;
  for (const part of parts) {
    const more = BETWEEN.length + part.length;
    size += more;
    if (firstSize < half) {
      first.push(part);
      firstSize += more;
    }
    last.push(part);
    lastSize += more;
    while (lastSize - BETWEEN.length - last[0]!.length > half) lastSize -= BETWEEN.length + last.shift()!.length;
  }
  const start = first.join(BETWEEN).slice(0, half);
  const end = last.join(BETWEEN).slice(-half);
  return { start, end, left: size - BETWEEN.length - start.length - end.length };
}
