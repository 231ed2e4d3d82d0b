/** A limit of a turn that was reached, as the person and the model hear of it. The turn pauses; the next message goes on. */
import { ENDED_AT } from "./repetition.ts";
import { BUDGET_SPENT, NOTHING_NEW, ROUND_LIMIT } from "./host_notices.ts";

export interface Limit {
  readonly code: "turn.max_steps" | "turn.budget" | "turn.repeats";
  readonly reached: string;
  /** To the model. */
  readonly told: string;
  readonly remedy: string;
}

/** `reached`: which part of the budget is spent. */
export function budgetLimit(reached: string): Limit {
  return {
    code: "turn.budget",
    reached,
    told: BUDGET_SPENT,
    remedy: "The next message goes on with a fresh budget; in the settings it can be raised, or 0 for none.",
  };
}

export function roundLimit(maxSteps: number): Limit {
  return {
    code: "turn.max_steps",
    reached: `the limit of ${maxSteps} tool rounds is reached (--max-steps ${maxSteps})`,
    told: ROUND_LIMIT,
    remedy: "Continue with a higher --max-steps and --continue.",
  };
}

export function repeatLimit(): Limit {
  return {
    code: "turn.repeats",
    reached: `the same calls brought the same ${ENDED_AT} times in a row`,
    told: NOTHING_NEW,
    remedy: "Say what should be done differently; the next message goes on.",
  };
}
