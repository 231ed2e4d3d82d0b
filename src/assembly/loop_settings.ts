/** What the settings say of the loop, in the words of the loop. */
import type { ContextSettings, TurnBudget } from "../agent/mod.ts";
import type { Config } from "../config/mod.ts";

export function toTurnBudget({ agent }: Config): TurnBudget {
  return { tokens: agent.taskTokenBudget, minutes: agent.taskTimeBudgetMinutes, cost: agent.taskCostBudget };
}

export function toContextSettings({ agent }: Config): ContextSettings {
  return {
    ratio: agent.compactRatio,
    softLimitTokens: agent.contextSoftLimitTokens,
    keepErrors: agent.keep.includes("errors"),
    keepMarked: agent.keep.includes("user_marked"),
    recentKeep: agent.recentKeep,
    userTurnTokens: agent.userTurnKeepTokens,
    firstTurnTokens: agent.firstTurnPinTokens,
    ceilingRatio: agent.checkpointCeilingRatio,
  };
}
