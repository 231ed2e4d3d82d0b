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

export function createReasoningDetails(): ReasoningDetails {
  const items: Item[] = [];
  return {
    add(pieces) {
      let said = "";
      for (const piece of pieces) {
        if (typeof piece !== "object" || piece === null) continue;
        const next = piece as Item;
        const text = next.text ?? next.summary;
        if (typeof text === "string") said += text;
        const last = items.at(-1);
        if (last && last.type === next.type && last.index === next.index && next.type !== "reasoning.encrypted") {
          merge(last, next);
        } else items.push({ ...next });
      }
      return said;
    },
    items: () => items,
  };
}

function merge(into: Item, piece: Item): void {
  for (const [key, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue;
    const appended = (TEXT_KEYS as readonly string[]).includes(key) && typeof value === "string" &&
      typeof into[key] === "string";
    into[key] = appended ? `${into[key]}${value}` : value;
  }
}
