export { type Agent, type AgentPorts, type AgentSettings, createAgent, type TurnSummary } from "./agent.ts";
