/**
 * What one turn may spend (`agent.task_*`): the person's message, guidance and folds included. Checked
 * before each round, so the last round may go beyond.
 */
import type { UsageView } from "../contract/event.ts";

/** 0 is no limit. */
export interface TurnBudget {
  /** Input and output of all requests, cached or not. */
  readonly tokens: number;
  readonly minutes: number;
  /** In the currency of the model's price; a model without a price has no limit here. */
  readonly cost: number;
}

export const NO_BUDGET: TurnBudget = { tokens: 0, minutes: 0, cost: 0 };

export class Spending {
  readonly #budget: TurnBudget;
  readonly #startedAt: number;
  #tokens = 0;
  #cost = 0;
  #currency = "";

  /** `startedAt` in milliseconds. */
  constructor(budget: TurnBudget, startedAt: number) {
    this.#budget = budget;
    this.#startedAt = startedAt;
  }

  add({ totalTokens, cost }: Pick<UsageView, "totalTokens" | "cost">): void {
    this.#tokens += totalTokens;
    this.#cost += cost?.amount ?? 0;
    this.#currency = cost?.currency ?? this.#currency;
  }

  /** The limit that is reached, in words that name its key; undefined while none is. */
  reached(now: number): string | undefined {
    const { tokens, minutes, cost } = this.#budget;
    if (tokens > 0 && this.#tokens >= tokens) {
      return `${this.#tokens} of ${tokens} tokens are spent (agent.task_token_budget)`;
    }
    if (cost > 0 && this.#cost >= cost) {
      return `${Number(this.#cost.toPrecision(4))} of ${cost} ${this.#currency} are spent (agent.task_cost_budget)`;
    }
    const passed = (now - this.#startedAt) / 60_000;
    if (minutes > 0 && passed >= minutes) {
      return `${Math.floor(passed)} of ${minutes} minutes have passed (agent.task_time_budget_minutes)`;
    }
    return undefined;
  }
}
