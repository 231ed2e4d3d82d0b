/**
 * Structured reasoning as some gateways stream it: items in pieces, joined by position, text appended, the rest
 * replaced. They go back as they came, so unknown fields stay.
 */

type Item = Record<string, unknown>;

export interface ReasoningDetails {
  /** Answers the readable text of these pieces. */
  add(pieces: readonly unknown[]): string;
  items(): readonly Item[];
}

const TEXT_KEYS = ["text", "summary", "data"] as const;

/** From this length on a piece that repeats what was said so far is taken for the whole, not for a piece. */
const LEAST_REPEATED = 16;

export function createReasoningDetails(): ReasoningDetails {
  const items: Item[] = [];
  return {
    add(pieces) {
      let said = "";
      for (const piece of pieces) {
        if (typeof piece !== "object" || piece === null) continue;
        const last = items.at(-1);
        const joins = last !== undefined && last.type !== "reasoning.encrypted" &&
          last.type === (piece as Item).type && last.index === (piece as Item).index;
        const next = joins ? withoutRepetition(last, piece as Item) : { ...piece as Item };
        const text = next.text ?? next.summary;
        if (typeof text === "string") said += text;
        if (joins) merge(last, next);
        else items.push(next);
      }
      return said;
    },
    items: () => items,
  };
}

/** Some send all of the text with every piece. */
function withoutRepetition(last: Item, piece: Item): Item {
  const next = { ...piece };
  for (const key of TEXT_KEYS) {
    const [before, now] = [last[key], next[key]];
    if (typeof before !== "string" || typeof now !== "string" || before.length < LEAST_REPEATED) continue;
    if (now.startsWith(before)) next[key] = now.slice(before.length);
  }
  return next;
}

function merge(into: Item, piece: Item): void {
  for (const [key, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue;
    const before = into[key];
    const appended = (TEXT_KEYS as readonly string[]).includes(key) && typeof value === "string" &&
      typeof before === "string";
    into[key] = appended ? before + value : value;
  }
}
