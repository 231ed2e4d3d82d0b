/** A finished item as lines. */
import type { UsageView } from "../../../contract/event.ts";
import { toLine, toTerminal } from "../../../lib/terminal_text.ts";
import type { Item, ItemOf, TextKey } from "../../view/mod.ts";
import { count, money, seconds } from "../amounts.ts";
import type { Look } from "../look.ts";
import { wrap } from "../wrap.ts";
import { renderMarkdown } from "./streamed_answer.ts";
import { toolCard } from "./tool_card.ts";

/** Lines of a long message of the person that are shown. */
const PERSON_LINES = 30;

export function itemLines(item: Item, width: number, look: Look): string[] {
  const { theme, t } = look;
  switch (item.kind) {
    case "user":
      return userLines(item.text, width, look);
    case "thinking":
      return thinkingLines(item.text, width, look);
    case "answer":
      return item.void
        ? [...renderMarkdown(item.text, width, theme.markdown), theme.warn(`! ${t("answer.void")}`)]
        : renderMarkdown(item.text, width, theme.markdown);
    case "tool":
      return toolCard(item, width, look);
    case "notice": {
      const mark = item.level === "info" ? "·" : "!";
      const style = item.level === "info" ? theme.dim : item.level === "warning" ? theme.warn : theme.bad;
      return wrap(`${mark} ${toTerminal(item.text).trim()}`, width).map(style);
    }
    case "retry": {
      const { attempt, max, delayMs, reason } = item;
      const text = t("retry", {
        seconds: seconds(delayMs),
        attempt: attempt + 1,
        max: max + 1,
        reason: toLine(reason),
      });
      return wrap(`! ${text}`, width).map(theme.warn);
    }
    case "decision":
      return decisionLines(item, width, look);
    case "usage":
      return look.showUsage ? wrap(receipt(item.usage, look), width).map(theme.dim) : [];
    case "job":
      return wrap(`· ${t("job.ended", { job: toLine(item.job), status: toLine(item.status) })}`, width).map(theme.dim);
    case "turn_end":
      return turnEnd(item, width, look);
    case "session":
      return wrap(t(item.resumed ? "session.resumed" : "session.new", { id: item.sessionId, model: item.model }), width)
        .map(theme.dim);
  }
}

function userLines(text: string, width: number, { theme, t }: Look): string[] {
  const lines = wrap(toTerminal(text).replaceAll("\t", "    ").trimEnd(), Math.max(10, width - 2));
  const shown = lines.slice(0, PERSON_LINES);
  return [
    ...shown.map((line, at) => `${at === 0 ? theme.accent("›") : " "} ${theme.strong(line)}`),
    ...(lines.length > shown.length
      ? [`  ${theme.dim(t("output.more", { lines: lines.length - shown.length }))}`]
      : []),
  ];
}

function thinkingLines(text: string, width: number, { theme, t, showReasoning }: Look): string[] {
  if (!showReasoning) return [theme.dim(`· ${t("thinking.folded")}`)];
  return wrap(toTerminal(text).trim(), Math.max(10, width - 2)).map((line) => theme.dim(`│ ${line}`));
}

function decisionLines(item: ItemOf<"decision">, width: number, look: Look): string[] {
  const { theme, t } = look;
  const { question, answer } = item;
  switch (question.kind) {
    case "approval": {
      const { tool, subject } = question.request;
      return wrap(t(approvalText(answer), { tool: toLine(tool), subject: toLine(subject, 120) }), width).map(theme.dim);
    }
    case "ask": {
      const asked = question.request.questions.map(({ header }) => toLine(header, 60)).join(", ");
      return wrap(t("ask.settled", { asked, answer: toLine(answer, 300) }), width).map(theme.dim);
    }
    case "plan":
      // What was agreed to stays readable in the conversation.
      return [
        theme.accent(t("plan.title")),
        ...renderMarkdown(question.request.plan, width, theme.markdown),
        theme.dim(`· ${t("plan.settled", { decision: toLine(answer) })}`),
      ];
  }
}

function approvalText(answer: string): TextKey {
  switch (answer) {
    case "deny":
      return "decision.denied";
    case "parked":
      return "decision.parked";
    case "once":
      return "decision.once";
    case "session":
    case "session_prefix":
      return "decision.session";
    default:
      return "decision.always";
  }
}

function turnEnd(item: Extract<Item, { kind: "turn_end" }>, width: number, { theme, t }: Look): string[] {
  if (item.outcome === "completed") return [];
  if (item.outcome === "cancelled") return [theme.warn(`■ ${t("turn.stopped")}`)];
  const lines = wrap(`✗ ${toTerminal(item.failure?.message ?? t("turn.failed"))}`, width).map(theme.bad);
  const remedy = item.failure?.remedy;
  return remedy ? [...lines, ...wrap(`  ${toTerminal(remedy)}`, width).map(theme.dim)] : lines;
}

function receipt(usage: UsageView, { t }: Look): string {
  const { promptTokens, completionTokens, cacheHitTokens, cost } = usage;
  const cached = cacheHitTokens === undefined || promptTokens === 0
    ? ""
    : ` · ${t("usage.cached", { percent: Math.round((100 * cacheHitTokens) / promptTokens) })}`;
  const price = cost ? ` · ${money(cost.amount, cost.currency)}` : "";
  const estimated = usage.estimated ? ` ${t("usage.estimated")}` : "";
  return `  ${
    t("usage.tokens", { input: count(promptTokens), output: count(completionTokens) })
  }${estimated}${cached}${price}`;
}
