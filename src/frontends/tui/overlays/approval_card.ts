/**
 * "May this run?" What is asked, why, and the exact rule that each answer stores. The card owns the keys. Keys that
 * were on their way while it appeared do not answer it.
 */
import { type KeyId, truncateToWidth } from "@earendil-works/pi-tui";
import type { ApprovalAnswer, ApprovalRequest } from "../../../contract/decision.ts";
import { toLine, toTerminal } from "../../../lib/terminal_text.ts";
import type { TextKey } from "../../view/mod.ts";
import { pressed } from "../keys.ts";
import type { Look } from "../look.ts";
import { diffLines } from "../transcript/tool_card.ts";
import { wrap } from "../wrap.ts";
import type { ModalPanel } from "./overlay.ts";

interface Choice {
  readonly answer: ApprovalAnswer;
  readonly keys: readonly KeyId[];
  readonly label: TextKey;
  readonly rule?: string;
}

/** Rows that stay for the heading, the reason and a little of what would run. */
const ROOM_FOR_REST = 6;

export interface ApprovalCardOptions {
  readonly look: () => Look;
  answer(answer: ApprovalAnswer): void;
  /** Ctrl+C: the turn. */
  stop(): void;
  /** More questions behind this one. */
  readonly waiting: () => number;
  /** Milliseconds in which keys that were meant for the composer are ignored. */
  readonly graceMs: number;
  readonly now?: () => number;
}

export class ApprovalCard implements ModalPanel {
  readonly #request: ApprovalRequest;
  readonly #options: ApprovalCardOptions;
  readonly #choices: readonly Choice[];
  readonly #now: () => number;
  readonly #shownAt: number;
  #chosen = 0;
  /** First line shown of what may run, when it does not fit. */
  #scroll = 0;
  #hidden = 0;
  #shown = 1;

  constructor(request: ApprovalRequest, options: ApprovalCardOptions) {
    this.#request = request;
    this.#options = options;
    this.#choices = choicesFor(request);
    this.#now = options.now ?? (() => performance.now());
    this.#shownAt = this.#now();
  }

  key(data: string): void {
    const is = pressed(data);
    if (is("ctrl+c")) return this.#options.stop();
    if (this.#now() - this.#shownAt < this.#options.graceMs) return;
    if (is("up", "ctrl+p")) return this.#move(-1);
    if (is("down", "ctrl+n", "tab")) return this.#move(1);
    if (is("pageDown")) return this.#page(1);
    if (is("pageUp")) return this.#page(-1);
    if (is("escape")) return this.#options.answer("deny");
    if (is("enter")) return this.#options.answer(this.#choices[this.#chosen]!.answer);
    const chosen = this.#choices.find(({ keys }) => is(...keys));
    if (chosen) this.#options.answer(chosen.answer);
  }

  render(width: number, rows: number): readonly string[] {
    const look = this.#options.look();
    const { theme, t } = look;
    const { tool, why, danger, background } = this.#request;
    const waiting = this.#options.waiting();
    const more = waiting > 0 ? theme.dim(`  ${t("approval.waiting", { count: waiting })}`) : "";
    const whole = this.#choices.flatMap((choice, at) => choiceLines(choice, at === this.#chosen, width, look));
    const choices = whole.length <= rows - ROOM_FOR_REST
      ? whole
      : this.#choices.flatMap((choice, at) => shortLines(choice, at === this.#chosen, width, look));
    const head = [
      theme.rule("─".repeat(width)),
      `${theme.accent("?")} ${theme.strong(t("approval.title", { tool: toLine(tool) }))}${more}`,
    ];
    const reasons = [
      ...(danger ? wrap(`! ${toTerminal(danger)}`, width).map(theme.bad) : []),
      ...(background ? wrap(t("approval.background"), width) : []),
      ...wrap(`${t("approval.why")} ${whyText(why)}`, width).map(theme.dim),
    ];
    const room = rows - head.length - choices.length;
    // On a small screen the reason gives way before what would run does.
    const shownReasons = reasons.slice(0, Math.max(danger ? 1 : 0, Math.min(reasons.length, room - 2)));
    const what = this.#what(width, room - shownReasons.length, look);
    return [...head, ...what, ...shownReasons, ...choices];
  }

  /** What would run, whole: what does not fit is counted and can be scrolled to. */
  #what(width: number, room: number, look: Look): string[] {
    const { theme, t } = look;
    const { subject, heredoc, diff } = this.#request;
    const lines = [
      ...toTerminal(subject).split("\n").flatMap((line) => wrap(line.replaceAll("\t", "  "), width - 2)).map((line) =>
        `  ${theme.strong(line)}`
      ),
      ...(heredoc
        ? toTerminal(heredoc).split("\n").flatMap((line) => wrap(line, width - 4)).map((l) =>
          `  ${theme.dim("│")} ${l}`
        )
        : []),
      ...(diff ? diffLines(diff, width - 2, look, 10_000).map((line) => `  ${line}`) : []),
    ];
    if (lines.length <= room) {
      this.#hidden = 0;
      this.#scroll = 0;
      return lines;
    }
    const shown = Math.max(1, room - 1);
    this.#hidden = lines.length - shown;
    // A line of the page before stays in sight.
    this.#shown = Math.max(1, shown - 1);
    this.#scroll = Math.min(this.#scroll, this.#hidden);
    return [
      ...lines.slice(this.#scroll, this.#scroll + shown),
      theme.warn(`  ${t("approval.scroll", { above: this.#scroll, below: this.#hidden - this.#scroll })}`),
    ];
  }

  #move(by: number): void {
    this.#chosen = (this.#chosen + by + this.#choices.length) % this.#choices.length;
  }

  #page(by: number): void {
    this.#scroll = Math.max(0, Math.min(this.#hidden, this.#scroll + by * this.#shown));
  }
}

function choicesFor(request: ApprovalRequest): readonly Choice[] {
  const { sessionRule, alwaysRule, prefixRule } = request;
  return [
    { answer: "once", keys: ["y", "1"], label: "approval.once" },
    ...(sessionRule
      ? [{ answer: "session", keys: ["a", "2"], label: "approval.session", rule: sessionRule } as const]
      : []),
    ...(alwaysRule
      ? [{ answer: "always", keys: ["p", "3"], label: "approval.always", rule: alwaysRule } as const]
      : []),
    ...(prefixRule
      ? [
        { answer: "session_prefix", keys: ["s", "5"], label: "approval.session", rule: prefixRule } as const,
        { answer: "always_prefix", keys: ["w", "6"], label: "approval.always", rule: prefixRule } as const,
      ]
      : []),
    { answer: "deny", keys: ["n", "4"], label: "approval.deny" },
  ];
}

/** With its rule in full. */
function choiceLines(choice: Choice, chosen: boolean, width: number, look: Look): string[] {
  const rule = choice.rule === undefined ? "" : `  ${look.theme.dim(toLine(choice.rule, 2_000))}`;
  return wrap(`${choiceLabel(choice, chosen, look)}${rule}`, width).map((part, at) =>
    at === 0 ? part : `     ${part.trimStart()}`
  );
}

/** Where room is short every choice keeps a line, and the chosen one shows its rule in full. */
function shortLines(choice: Choice, chosen: boolean, width: number, look: Look): string[] {
  const label = choiceLabel(choice, chosen, look);
  if (choice.rule === undefined) return [label];
  const rule = toLine(choice.rule, 2_000);
  if (!chosen) return [truncateToWidth(`${label}  ${look.theme.dim(rule)}`, width, "…")];
  return [label, ...wrap(rule, width - 5).slice(0, 3).map((part) => `     ${look.theme.dim(part)}`)];
}

function choiceLabel({ keys, label }: Choice, chosen: boolean, { theme, t }: Look): string {
  const text = `${keys[0]}  ${t(label)}`;
  return chosen ? `❯ ${theme.chosen(text)}` : `  ${text}`;
}

function whyText(why: ApprovalRequest["why"]): string {
  const source = why.source ? ` (${why.source})` : "";
  const rule = why.rule ? ` ${why.rule}${source}` : "";
  return toTerminal(`${why.text}${why.text.includes(why.rule ?? "\0") ? "" : rule}`);
}
