/** The loop that asks the model and runs what it calls, and the context it sends. */
export { type Agent, type AgentSettings, createAgent, type TurnSummary } from "./agent.ts";
export type { TurnBudget } from "./budget.ts";
export { CONTEXT_DEFAULTS, type ContextSettings } from "./context/budgets.ts";
