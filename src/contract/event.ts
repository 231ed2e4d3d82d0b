/**
 * Everything the engine tells. Plain JSON; the same objects feed the text printer, `stream-json`, the trajectory, the
 * terminal, the web page and the tests. Every start has exactly one end.
 */
import type { RewindChange, RewindConflict } from "./checkpoint.ts";
import type { ApprovalRequest, AskRequest, CollaborationMode, PlanRequest, Posture, WorkPreset } from "./decision.ts";
import type { FoldReport, FoldTrigger } from "./context.ts";
import type { ErrorCode } from "./errors.ts";
import type { InboxEntry, InboxPause } from "./inbox.ts";
import type { RetryCause } from "./provider.ts";
import type { TodoItem } from "./tool.ts";
import type { Cost, UsageSource } from "./usage.ts";

export interface ToolView {
  readonly id: string;
  readonly name: string;
  /** Raw JSON text. Empty while `partial`. */
  readonly args: string;
  readonly readOnly: boolean;
  readonly partial?: boolean;
  readonly todos?: readonly TodoItem[];
  readonly output?: string;
  readonly err?: string;
  readonly truncated?: boolean;
  readonly durationMs?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly refusalCode?: string;
  readonly remedy?: string;
  readonly exitCode?: number;
  readonly diff?: string;
  readonly added?: number;
  readonly removed?: number;
  /** `cut_off`: nothing tells how it ended, nor whether it began. In views alone. */
  readonly runState: "pending" | "running" | "completed" | "not_started" | "cut_off";
}

export interface UsageView {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** Absent where the provider says nothing about caching. */
  readonly cacheHitTokens?: number;
  readonly cacheMissTokens?: number;
  /** Part of the miss that was written to a cache at a price of its own. */
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  readonly requestAttempts: number;
  readonly estimated?: boolean;
  readonly source: UsageSource;
  readonly cost?: Cost;
  /** Size of the context after this answer, and its limit (0 unknown). */
  readonly contextTokens: number;
  readonly contextWindow: number;
  readonly cacheDiagnostics: {
    /** 16 hex digits each; equal bytes have equal hashes. Not for security. */
    readonly systemHash: string;
    readonly toolsHash: string;
    readonly prefixHash: string;
    /** True when this request did not extend the one before. */
    readonly prefixChanged: boolean;
  };
}

export type TurnOutcome = "completed" | "cancelled" | "failed" | "paused";

export interface TurnFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy?: string;
}

export type EventBody =
  /** Another conversation is open now. The one a run begins with is told by the controller itself. */
  | {
    readonly kind: "session_opened";
    readonly resumed: boolean;
    readonly model: string;
    readonly contextWindow: number;
    readonly effort?: string;
    readonly posture: Posture;
  }
  | { readonly kind: "model_changed"; readonly model: string; readonly contextWindow: number; readonly effort?: string }
  | { readonly kind: "posture_changed"; readonly posture: Posture }
  | { readonly kind: "turn_status"; readonly status: "queued" }
  | { readonly kind: "user_message"; readonly text: string; readonly steer?: boolean }
  | { readonly kind: "turn_started" }
  | { readonly kind: "turn_phase"; readonly phase: "working" | "checking" | "verifying" }
  | {
    readonly kind: "stream_attempt";
    readonly id: string;
    readonly action: "begin" | "discard" | "commit";
    readonly attempt: number;
    readonly max: number;
    readonly reason?: string;
  }
  | {
    readonly kind: "retrying";
    readonly attempt: number;
    readonly max: number;
    readonly delayMs: number;
    readonly cause: RetryCause;
    /** HTTP status that caused it. */
    readonly httpStatus?: number;
  }
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool_dispatch"; readonly tool: ToolView }
  | { readonly kind: "tool_started"; readonly tool: ToolView }
  | { readonly kind: "tool_progress"; readonly tool: { readonly id: string }; readonly text: string }
  | { readonly kind: "tool_result"; readonly tool: ToolView }
  | ({ readonly kind: "usage" } & UsageView)
  | { readonly kind: "message"; readonly text: string; readonly reasoning: string }
  | {
    readonly kind: "notice";
    readonly level: "info" | "warning" | "error";
    readonly text: string;
    readonly code?: string;
  }
  /** The older part of the conversation is being summarised. Ends with one `compaction_done` of this id. */
  | {
    readonly kind: "compaction_started";
    readonly id: string;
    readonly trigger: FoldTrigger;
    /** Messages of the transcript that the new view will cover. */
    readonly messages: number;
  }
  /** Characters of the summary so far. */
  | { readonly kind: "compaction_progress"; readonly id: string; readonly chars: number }
  /** Only `applied` changes what the next request begins with. */
  | ({ readonly kind: "compaction_done"; readonly id: string; readonly summary?: string } & FoldReport)
  /** Once for each fold that was applied. Its names are the wire's own. */
  | {
    readonly kind: "compaction_telemetry";
    readonly id: string;
    readonly trigger: FoldTrigger;
    readonly generation: number;
    readonly user_turns_kept: number;
    readonly user_turns_dropped: number;
    readonly source_tokens: number;
    readonly result_tokens: number;
    readonly trigger_tokens: number;
    readonly ratio: number;
  }
  | { readonly kind: "approval_request"; readonly approval: ApprovalRequest }
  | { readonly kind: "approval_settled"; readonly id: string; readonly answer: string }
  | { readonly kind: "ask_request"; readonly ask: AskRequest }
  | { readonly kind: "ask_settled"; readonly id: string; readonly answer: string }
  | { readonly kind: "plan_request"; readonly plan: PlanRequest }
  | { readonly kind: "plan_settled"; readonly id: string; readonly decision: string }
  | { readonly kind: "mode_changed"; readonly mode: CollaborationMode }
  | { readonly kind: "preset_changed"; readonly preset: WorkPreset }
  /** The person went back to before a turn. What is shown of the turns that are gone is shown for the past. */
  | {
    readonly kind: "rewound";
    readonly scope: "code" | "conversation" | "both" | "undo";
    readonly turn?: number;
    /** What was done, in one sentence for people. */
    readonly text: string;
    readonly changes: readonly RewindChange[];
    /** Files that were left as they are. */
    readonly conflicts: readonly RewindConflict[];
    /** The person's words that the conversation was cut before; for the composer. */
    readonly prompt?: string;
    /** Messages of the conversation from now on. */
    readonly messages: number;
    /** What the task list says now, and how full the context is. Absent where the conversation stays as it was. */
    readonly todos?: readonly TodoItem[];
    readonly contextTokens?: number;
  }
  /** What is left on the account of the model's provider, by currency; nothing: it is not shown any more. */
  | {
    readonly kind: "balance";
    readonly amounts: readonly { readonly amount: number; readonly currency?: string }[];
  }
  /** What waits for the running turn has changed: all of it, in the order it goes out. */
  | { readonly kind: "inbox_changed"; readonly items: readonly InboxEntry[]; readonly paused?: InboxPause }
  /** Work in the background has begun. Ends with one `job_ended` of this job, also when the session ends. */
  | { readonly kind: "job_started"; readonly job: string; readonly label: string }
  | { readonly kind: "job_ended"; readonly job: string; readonly status: string }
  | {
    readonly kind: "turn_done";
    readonly status: "completed" | "failed" | "interrupted";
    readonly outcome: TurnOutcome;
    /** Model calls of this turn. */
    readonly rounds: number;
    readonly failure?: TurnFailure;
  };

export type EventKind = EventBody["kind"];

export interface EventEnvelope {
  readonly sessionId: string;
  /** `t1`, `t2` … within this run of the program. */
  readonly turnId: string;
  /** From 1, without gaps. */
  readonly seq: number;
  /** Of a child run: the call that started it. */
  readonly parentCallId?: string;
}

export type Event = EventEnvelope & EventBody;

export type EventListener = (event: Event) => void;
