/** What fills the context window, as a bar: each part by a letter of its own, the free part, and where folding begins. */
import type { CommandAnswer } from "../../../controller/mod.ts";
import { toLine } from "../../../lib/terminal_text.ts";
import { count } from "../amounts.ts";
import type { Look } from "../look.ts";

export type ContextBar = NonNullable<Extract<CommandAnswer, { kind: "text" }>["bar"]>;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export function contextBar({ parts, used, window, trigger }: ContextBar, width: number, { theme }: Look): string[] {
  const whole = Math.max(1, window || used);
  const cells = Math.max(10, Math.min(60, width - 2));
  const fill = parts.map((part, at) => LETTERS[at % LETTERS.length]!.repeat(Math.round((part.tokens / whole) * cells)));
  const bar = [...fill.join("").slice(0, cells).padEnd(cells, "·")];
  if (window > 0 && trigger > 0) bar[Math.min(cells - 1, Math.round((trigger / whole) * cells))] = "╎";
  const legend = parts.map((part, at) =>
    `${theme.accent(LETTERS[at % LETTERS.length]!)} ${toLine(part.label)}  ${theme.dim(count(part.tokens))}`
  );
  return [theme.accent(bar.join("")), ...legend, ""];
}
