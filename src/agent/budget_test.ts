import assert from "node:assert/strict";
import { NO_BUDGET, Spending } from "./budget.ts";

const MINUTE = 60_000;

Deno.test("without a budget nothing is ever reached", () => {
  const spending = new Spending(NO_BUDGET, 0);
  spending.add({ totalTokens: 1e9, cost: { amount: 1e6, currency: "USD" } });
  assert.equal(spending.reached(1e12), undefined);
});

Deno.test("each limit is reached at its figure, not before, and named by its key", () => {
  const spending = new Spending({ tokens: 100, minutes: 2, cost: 0.5 }, MINUTE);
  spending.add({ totalTokens: 99, cost: { amount: 0.4999, currency: "USD" } });
  assert.equal(spending.reached(3 * MINUTE - 1), undefined);
  assert.equal(spending.reached(3 * MINUTE), "2 of 2 minutes have passed (agent.task_time_budget_minutes)");
  spending.add({ totalTokens: 0, cost: { amount: 0.0001, currency: "USD" } });
  assert.equal(spending.reached(MINUTE), "0.5 of 0.5 USD are spent (agent.task_cost_budget)");
  spending.add({ totalTokens: 1 });
  assert.equal(spending.reached(MINUTE), "100 of 100 tokens are spent (agent.task_token_budget)");
});

Deno.test("a model without a price has no limit of cost", () => {
  const spending = new Spending({ tokens: 0, minutes: 0, cost: 0.01 }, 0);
  spending.add({ totalTokens: 1e9 });
  assert.equal(spending.reached(0), undefined);
});
