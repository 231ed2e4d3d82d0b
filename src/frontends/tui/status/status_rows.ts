/** The two rows under the composer. Groups that do not fit are left out whole, the least needed first. */
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { toLine } from "../../../lib/terminal_text.ts";
import { cacheHitRate, type TextKey, type ViewState } from "../../view/mod.ts";
import { count, money, seconds } from "../amounts.ts";
import type { Look } from "../look.ts";

export interface StatusFacts {
  readonly view: ViewState;
  readonly branch?: string;
  /** Share of the context window at which older messages are folded. */
  readonly foldAt: number;
  /** Milliseconds since the turn began. */
  readonly turnMs: number;
  readonly stopping: boolean;
  /** A command of the person's own runs. */
  readonly ownCommand: boolean;
  readonly hint: TextKey | undefined;
  /** What the person's own command says, in place of the second row. */
  readonly ownLine?: string;
}

/** Groups in their order on the row; the one with the highest `drop` goes first. */
interface Group {
  readonly text: string;
  readonly drop: number;
}

export function statusRows(facts: StatusFacts, width: number, look: Look): string[] {
  const { ownLine } = facts;
  return [
    row(firstLeft(facts, look), firstRight(facts, look), width),
    ownLine === undefined ? row(second(facts, look), [], width) : look.theme.dim(truncateToWidth(ownLine, width, "…")),
  ];
}

function firstLeft(facts: StatusFacts, { theme, t }: Look): Group[] {
  const { view, stopping, turnMs, hint, ownCommand } = facts;
  const posture = t(`posture.${view.posture}`);
  const loose = view.posture === "yolo" || view.posture === "auto" || view.posture === "dont_ask";
  const idle = view.activity === "idle";
  const activity = t(stopping ? "activity.stopping" : `activity.${idle && ownCommand ? "tools" : view.activity}`);
  return [
    { text: `[${loose ? theme.warn(posture) : theme.accent(posture)}]`, drop: 0 },
    ...(view.mode === "plan" ? [{ text: theme.accent(t("mode.plan")), drop: 0 }] : []),
    {
      text: idle
        ? (ownCommand ? theme.accent(activity) : theme.dim(activity))
        : `${theme.accent(activity)} ${theme.dim(seconds(turnMs))}`,
      drop: 1,
    },
    ...(hint ? [{ text: theme.dim(t(hint)), drop: 5 }] : []),
  ];
}

function firstRight({ view }: StatusFacts, { theme, t }: Look): Group[] {
  const { ref, effort } = view.model;
  return [
    { text: theme.dim(toLine(ref, 60)), drop: 3 },
    ...(view.preset === "delivery" ? [{ text: theme.dim(t("preset.delivery")), drop: 4 }] : []),
    ...(effort ? [{ text: theme.dim(t("status.effort", { effort: toLine(effort, 20) })), drop: 4 }] : []),
  ];
}

function second(facts: StatusFacts, look: Look): Group[] {
  const { view, branch } = facts;
  const jobs = view.jobs.length;
  const { theme, t } = look;
  const rate = cacheHitRate(view.usage);
  const percent = rate === undefined ? undefined : Math.round(rate * 100);
  return [
    ...(branch ? [{ text: theme.dim(`⎇ ${toLine(branch, 40)}`), drop: 3 }] : []),
    { text: theme.dim(contextGauge(facts, look)), drop: 0 },
    ...(percent === undefined
      ? []
      : [{ text: theme.dim(t(view.prefixChanged ? "status.cache_changed" : "status.cache", { percent })), drop: 2 }]),
    ...(costText(view, look) ? [{ text: theme.dim(costText(view, look)), drop: 1 }] : []),
    ...(view.balance.length > 0 ? [{ text: theme.dim(balanceText(view, look)), drop: 4 }] : []),
    ...(jobs > 0 ? [{ text: theme.warn(t("status.jobs", { count: jobs })), drop: 1 }] : []),
  ];
}

/** `▓▓▓░░░░░╎░ 34% of 128.0k`: filled, free, and the place where older messages will be folded. */
function contextGauge({ view, foldAt }: StatusFacts, { t }: Look): string {
  const { contextTokens } = view;
  const { contextWindow } = view.model;
  if (contextWindow === 0) return t("status.context_unknown", { tokens: count(contextTokens) });
  const cells = 10;
  const share = Math.min(1, contextTokens / contextWindow);
  const filled = Math.round(share * cells);
  const mark = Math.min(cells - 1, Math.round(foldAt * cells));
  let bar = "";
  for (let cell = 0; cell < cells; cell++) bar += cell === mark ? "╎" : cell < filled ? "▓" : "░";
  return `${bar} ${t("status.context", { percent: Math.round(share * 100), window: count(contextWindow) })}`;
}

function costText({ usage }: ViewState, { t }: Look): string {
  if (usage.requests === 0) return "";
  const sums = Object.entries(usage.cost).map(([currency, amount]) => money(amount, currency)).join(" + ");
  if (sums === "") return t("status.cost_unknown");
  return usage.unpriced > 0 ? t("status.cost_least", { cost: sums }) : sums;
}

function balanceText({ balance }: ViewState, { t }: Look): string {
  const amounts = balance.map(({ amount, currency }) =>
    currency === undefined ? amount.toFixed(2) : money(amount, toLine(currency, 5))
  );
  return t("status.balance", { amount: amounts.join(" + ") });
}

function row(left: readonly Group[], right: readonly Group[], width: number): string {
  let groups = [
    ...left.map((group) => ({ ...group, right: false })),
    ...right.map((group) => ({ ...group, right: true })),
  ];
  const text = (isRight: boolean) =>
    groups.filter((group) => group.right === isRight).map((group) => group.text).join(" · ");
  const size = () =>
    visibleWidth(text(false)) + (groups.some((group) => group.right) ? visibleWidth(text(true)) + 2 : 0);
  while (groups.length > 1 && size() > width) {
    const worst = groups.reduce((a, b) => b.drop >= a.drop ? b : a);
    groups = groups.filter((group) => group !== worst);
  }
  const [start, end] = [text(false), text(true)];
  return end === ""
    ? start
    : `${start}${" ".repeat(Math.max(1, width - visibleWidth(start) - visibleWidth(end)))}${end}`;
}
