export { type Agent, type AgentPorts, type AgentSettings, createAgent, type TurnSummary } from "./agent.ts";
export type { TurnBudget } from "./budget.ts";
export type { ContextPart, PartKind } from "./context/composition.ts";
export { CONTEXT_DEFAULTS, type ContextSettings } from "./context/budgets.ts";
export type { ContextGauge, FoldOrder } from "./context/context.ts";
