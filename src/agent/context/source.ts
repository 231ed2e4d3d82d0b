/**
 * What the summariser reads. The digest is made anew from the transcript at every fold, so that nothing is a summary of
 * a summary; only when that history does not fit one request does the earlier digest stand in for what it covers.
 */
import type { Message } from "../../contract/message.ts";
import { ownBlock } from "../../lib/own_block.ts";
import type { Span } from "./plan.ts";
import { DETAILS, renderSpans } from "./render.ts";

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
    const text = renderSpans(messages, spans, detail);
    if (text.length <= room) return { text: wrap(text), from: "transcript" };
  }
  const rest = spans.map(({ from, to }): Span => ({ from: Math.max(from, prior?.covered ?? 0), to }));
  if (prior !== undefined) {
    for (const detail of DETAILS) {
      const text = priorText(prior) + renderSpans(messages, rest, detail);
      if (text.length <= room) return { text: wrap(text), from: "prior_digest" };
    }
  }
  const shortest = (prior ? priorText(prior) : "") + renderSpans(messages, rest, DETAILS.at(-1)!);
  const half = Math.floor((room - 100) / 2);
  const left = shortest.length - 2 * half;
  const text = `${shortest.slice(0, half)}\n\n…[${left} characters of the transcript left out]…\n\n${
    shortest.slice(-half)
  }`;
  return { text: wrap(text), from: "clipped" };
}

function priorText(prior: { readonly summary: string }): string {
  return `[earlier summary]\n${prior.summary}\n\n`;
}
