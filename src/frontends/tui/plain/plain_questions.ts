/** Questions asked in lines, and their answers. No answer, or one that fits nothing, is never a yes. */
import type { ApprovalAnswer, ApprovalRequest, AskRequest, PlanRequest } from "../../../contract/decision.ts";
import type { Intent } from "../../../contract/intent.ts";
import { toLine } from "../../../lib/terminal_text.ts";
import type { OpenQuestion, Translate } from "../../view/mod.ts";
import type { LineInput } from "./line_input.ts";

export interface PlainAsking {
  readonly t: Translate;
  line(text: string): void;
  readonly input: LineInput;
}

/** Undefined when it was settled elsewhere, or the input has ended. */
export async function askPlainly(question: OpenQuestion, asking: PlainAsking): Promise<Intent | undefined> {
  const { id } = question.request;
  switch (question.kind) {
    case "approval": {
      const answer = await askApproval(question.request, asking);
      return answer && { kind: "approve", id, answer };
    }
    case "ask":
      return await askQuestions(question.request, asking);
    case "plan":
      return await askPlan(question.request, asking);
  }
}

async function askApproval(
  request: ApprovalRequest,
  { t, line, input }: PlainAsking,
): Promise<ApprovalAnswer | undefined> {
  const { id, tool, subject, why, diff, danger, background, sessionRule, alwaysRule } = request;
  line(t("plain.approval", { tool: toLine(tool), subject }));
  if (danger) line(`! ${danger}`);
  if (background) line(t("approval.background"));
  if (diff) line(diff);
  line(`${t("approval.why")} ${why.text}`);
  if (sessionRule) line(`a: ${t("approval.session")}: ${sessionRule}`);
  if (alwaysRule) line(`p: ${t("approval.always")}: ${alwaysRule}`);
  line(t("plain.choices"));
  for (;;) {
    const typed = await input.answer(id);
    if (typed === undefined || typed === "") return undefined;
    const answer =
      { y: "once", a: sessionRule && "session", p: alwaysRule && "always", n: "deny" }[typed.trim().toLowerCase()];
    if (answer) return answer as ApprovalAnswer;
    line(t("plain.choices"));
  }
}

async function askQuestions(
  { id, questions }: AskRequest,
  { t, line, input }: PlainAsking,
): Promise<Intent | undefined> {
  const choices: string[][] = [];
  for (const { header, question, options } of questions) {
    line(`${header}: ${question}`);
    options.forEach(({ label, description }, at) =>
      line(`${at + 1}. ${label}${description ? `: ${description}` : ""}`)
    );
    line(`${t("ask.text")}; 0: ${t("ask.chat")}`);
    const typed = await input.answer(id);
    if (typed === undefined || typed === "") return undefined;
    if (typed.trim() === "0") return { kind: "answer", id, answer: "dismissed" };
    const numbers = /^[\d\s,]+$/.test(typed) ? typed.split(/[\s,]+/).map(Number) : [];
    const labels = numbers.flatMap((number) => options[number - 1]?.label ?? []);
    choices.push(labels.length > 0 ? labels : [typed.trim()]);
  }
  return { kind: "answer", id, answer: { choices } };
}

async function askPlan({ id, plan }: PlanRequest, { t, line, input }: PlainAsking): Promise<Intent | undefined> {
  line(t("plan.title"));
  line(plan);
  line(`s: ${t("plan.start")}; x: ${t("plan.exit")}; ${t("plan.typing")}`);
  const typed = await input.answer(id);
  if (typed === undefined || typed === "") return undefined;
  const word = typed.trim().toLowerCase();
  if (word === "s") return { kind: "decide_plan", id, decision: { kind: "start" } };
  if (word === "x") return { kind: "decide_plan", id, decision: { kind: "exit" } };
  return { kind: "decide_plan", id, decision: { kind: "revise", feedback: typed } };
}
