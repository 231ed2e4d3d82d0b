/** The closing objects of a run, in the wire's spelling. */
import type { TurnFailure, TurnOutcome } from "../../../contract/event.ts";
import type { ServerView } from "../../../contract/servers.ts";
import { EXIT } from "../exit_codes.ts";
import type { RunTotals } from "./run_totals.ts";

export interface RunEnd {
  readonly outcome: TurnOutcome;
  readonly answer: string;
  readonly failure?: TurnFailure;
  readonly sessionId: string;
  readonly posture: string;
  /** Milliseconds. */
  readonly durationMs: number;
  readonly exitCode: number;
  /** MCP servers as they stood at the end. */
  readonly servers?: readonly ServerView[];
}

export function toResult(end: RunEnd, totals: RunTotals): Record<string, unknown> {
  const error = end.exitCode !== 0;
  const cost = totals.cost;
  return {
    type: "result",
    subtype: error ? "error_during_execution" : "success",
    is_error: error,
    ...(error
      ? {
        code: codeOf(end),
        error: messageOf(end, totals),
        ...(end.failure?.remedy ? { remedy: end.failure.remedy } : {}),
      }
      : {}),
    duration_ms: Math.round(end.durationMs),
    num_turns: totals.rounds,
    result: end.answer,
    session_id: end.sessionId,
    ...(cost ? { total_cost: cost.amount, total_cost_usd: cost.amount, currency: cost.currency } : {}),
    cost_complete: totals.costComplete,
    display_complete: cost !== undefined,
    original_costs: Object.fromEntries(totals.costs),
    usage: {
      input_tokens: totals.prompt,
      output_tokens: totals.completion,
      cache_read_input_tokens: totals.cacheHit,
      cache_creation_input_tokens: totals.cacheWrite,
    },
    permission_denials: totals.denials,
    permission_mode: end.posture,
    ...(end.servers?.length ? { mcp_servers: end.servers.map(toServer) } : {}),
  };
}

function toServer({ name, transport, state, reason, stage, required, tools, direct }: ServerView) {
  const why = reason ?? (state === "starting" ? "it had not finished starting" : undefined);
  return {
    name,
    transport,
    status: state,
    ...(why ? { reason: why } : {}),
    ...(stage ? { stage } : {}),
    required,
    tools,
    direct,
  };
}

/** A run that ended well by itself but whose work was refused has a code of its own. */
function codeOf(end: RunEnd): string {
  return end.failure?.code ??
    (end.exitCode === EXIT.unverified || end.exitCode === EXIT.refused ? "turn.needs_approval" : "internal.bug");
}

function messageOf(end: RunEnd, totals: RunTotals): string {
  if (end.failure) return end.failure.message;
  const names = [...new Set(totals.denials.map((denial) => denial.tool_name))].join(", ");
  return `the work was not done: ${names} was refused and nothing later succeeded in its place`;
}

/** Delegation and readiness are counted where those parts exist; until then nothing of the kind has happened. */
const NOT_HAPPENED = {
  subagent_runs: 0,
  subagent_nested_runs: 0,
  subagent_tool_calls: 0,
  subagent_mutations: 0,
  duplicate_work_paths: 0,
  completion_reports: 0,
  completions_prose_only: 0,
  false_completions: 0,
  criterion_downgrades: 0,
  write_scope_violations: 0,
};

export function toMetrics(end: RunEnd, totals: RunTotals): Record<string, unknown> {
  return {
    prompt_tokens: totals.prompt,
    completion_tokens: totals.completion,
    cache_hit_tokens: totals.cacheHit,
    cache_miss_tokens: totals.cacheMiss,
    steps: totals.steps,
    cost: totals.cost?.amount ?? null,
    currency: totals.cost?.currency ?? null,
    cost_complete: totals.costComplete,
    estimated: totals.estimated,
    compactions: totals.compactions,
    usage_by_source: Object.fromEntries(totals.bySource),
    arm: "none",
    duration_ms: Math.round(end.durationMs),
    outcome: end.outcome,
    complete: end.outcome === "completed",
    tool_calls: totals.toolCalls,
    tool_failures: totals.toolFailures,
    tool_duration_ms: Math.round(totals.toolMs),
    tool_calls_by_name: Object.fromEntries(totals.callsByName),
    tool_failures_by_name: Object.fromEntries(totals.failuresByName),
    capability_phases: { ProviderWaitMs: Math.round(totals.providerMs), ToolExecMs: Math.round(totals.toolMs) },
    retries: totals.retries,
    ...NOT_HAPPENED,
  };
}
