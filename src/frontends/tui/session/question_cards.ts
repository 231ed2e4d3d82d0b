/** An open question as what lies over the bottom of the screen, and its answer as an intent. */
import type { Intent } from "../../../contract/intent.ts";
import type { OpenQuestion } from "../../view/mod.ts";
import type { Look } from "../look.ts";
import { ApprovalCard } from "../overlays/approval_card.ts";
import { AskCard } from "../overlays/ask_card.ts";
import type { Overlay } from "../overlays/overlay.ts";
import { PlanCard } from "../overlays/plan_card.ts";

/** Keys within this time after a question has appeared were meant for the composer: of every kind of card. */
export const QUESTION_GRACE_MS = 350;

/** A card may change who owns the keys: a choice is made in its panel, an answer is typed in the composer. */
export interface Card {
  readonly overlay: Overlay;
}

export interface CardPorts {
  readonly look: () => Look;
  readonly waiting: () => number;
  /** Another than `QUESTION_GRACE_MS`, for tests. */
  readonly graceMs?: number;
  readonly now: () => number;
  answer(intent: Intent): void;
  /** Ctrl+C: the turn. */
  stop(): void;
}

export function cardFor(question: OpenQuestion, given: CardPorts): Card {
  const ports = { ...given, graceMs: given.graceMs ?? QUESTION_GRACE_MS };
  const { id } = question.request;
  switch (question.kind) {
    case "approval": {
      const answer = (answer: Extract<Intent, { kind: "approve" }>["answer"]) =>
        ports.answer({ kind: "approve", id, answer });
      return { overlay: { owner: "panel", panel: new ApprovalCard(question.request, { ...ports, answer }) } };
    }
    case "ask":
      return new AskCard(question.request, {
        ...ports,
        answer: (answer) => ports.answer({ kind: "answer", id, answer }),
      });
    case "plan":
      return new PlanCard(question.request, {
        ...ports,
        decide: (decision) => ports.answer({ kind: "decide_plan", id, decision }),
      });
  }
}
