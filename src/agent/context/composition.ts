/** What the next request would consist of, by kind: for the bar that people look at. */
import type { Message } from "../../contract/message.ts";
import { isDigest } from "./digest.ts";
import type { FixedPart, TokenMeter } from "./tokens.ts";

export type PartKind = "system" | "tools" | "summary" | "user" | "assistant" | "results" | "host";

export interface ContextPart {
  readonly kind: PartKind;
  readonly label: string;
  readonly tokens: number;
}

const LABELS: readonly (readonly [PartKind, string])[] = [
  ["system", "system prompt"],
  ["tools", "tool schemas"],
  ["summary", "summary of the folded part"],
  ["user", "your messages"],
  ["assistant", "answers and calls"],
  ["results", "tool results"],
  ["host", "notes of the host"],
];

/** `used`: what all of it together is taken to have. Parts that are empty are left out. */
export function composeParts(
  fixed: FixedPart,
  view: readonly Message[],
  { meter, used }: { readonly meter: TokenMeter; readonly used: number },
): readonly ContextPart[] {
  const chars = new Map<PartKind, number>([
    ["system", fixed.system.length],
    ["tools", meter.fixedChars(fixed) - fixed.system.length],
  ]);
  for (const message of view) {
    const kind = kindOf(message);
    chars.set(kind, (chars.get(kind) ?? 0) + meter.charsOf(message));
  }
  const all = [...chars.values()].reduce((sum, part) => sum + part, 0) || 1;
  return LABELS.flatMap(([kind, label]) => {
    const tokens = Math.round(used * (chars.get(kind) ?? 0) / all);
    return tokens === 0 ? [] : [{ kind, label, tokens }];
  });
}

function kindOf(message: Message): PartKind {
  if (message.role === "tool") return "results";
  if (message.role === "assistant") return "assistant";
  if (isDigest(message)) return "summary";
  return message.host_authored ? "host" : "user";
}
