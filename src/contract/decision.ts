/**
 * May this call happen? `Policy` is pure; `Gate` adds the person. Every answer carries why, so that prompts, results
 * and logs can say it in the same words.
 */
import type { RefusalCode } from "./errors.ts";

export type Posture = "ask" | "auto" | "yolo" | "accept_edits" | "dont_ask" | "read_only";

export type Verdict = "allow" | "ask" | "deny";

/** Classes of a shell command, decided from its parse. */
export type CommandClass = "read_only" | "static" | "dynamic" | "nested";

export interface Why {
  /** What decided: a rule, the fallback, the posture, a forced review, an answer. */
  readonly by: "rule" | "fallback" | "posture" | "review" | "grant" | "hook" | "plan" | "guardian" | "person";
  /** The rule as written. */
  readonly rule?: string;
  /** Where the rule came from, such as `user config` or `--allowed-tools`. */
  readonly source?: string;
  readonly commandClass?: CommandClass;
  /** One sentence for people. */
  readonly text: string;
}

export interface Decision {
  readonly verdict: Verdict;
  readonly why: Why;
  /** Only a person can turn this `ask` into an allow. */
  readonly humanRequired?: boolean;
}

export interface ToolRequest {
  readonly callId: string;
  readonly tool: string;
  readonly readOnly: boolean;
  readonly args: Record<string, unknown>;
}

export interface Policy {
  decide(request: ToolRequest): Decision;
}

export type GateAnswer =
  | { readonly allowed: true; readonly why: Why }
  | {
    readonly allowed: false;
    readonly code: RefusalCode;
    readonly message: string;
    readonly remedy?: string;
    readonly why: Why;
  }
  /** Nobody was asked: the call can do nothing, and this is what its tool would say. */
  | { readonly allowed: false; readonly failure: string; readonly why: Why };

export interface Gate {
  readonly posture: Posture;
  /** Never rejects but for an abort; a check that fails has answered no. */
  check(request: ToolRequest, signal: AbortSignal): Promise<GateAnswer>;
}

export interface ApprovalRequest {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** What will run: the command, the path. */
  readonly subject: string;
  readonly why: Why;
  readonly diff?: string;
  /** The exact rules the answers `session` and `always` would store; absent: not offered. */
  readonly sessionRule?: string;
  readonly alwaysRule?: string;
  /** A wider rule for commands that begin alike; absent: not offered. */
  readonly prefixRule?: string;
  readonly danger?: string;
  /** A command that goes on while the model does, and after the turn. */
  readonly background?: true;
  /** What is asked is to run this outside the sandbox, once. No rule and no posture answers it. */
  readonly unconfined?: true;
  /** Body of the here-documents of a command, shown beside it. */
  readonly heredoc?: string;
}

/** `…_prefix` store `prefixRule` where it was offered. */
export type ApprovalAnswer = "once" | "session" | "session_prefix" | "always" | "always_prefix" | "deny";

/** The person, or nobody. Headless runs have none. */
export interface Approver {
  request(approval: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

export interface Question {
  /** A few words: the heading of its card. */
  readonly header: string;
  readonly question: string;
  /** Two to four. */
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiSelect: boolean;
}

export interface AskRequest {
  readonly id: string;
  readonly callId: string;
  readonly questions: readonly Question[];
}

/** Per question what was chosen or written; an empty list: no answer. `dismissed`: the person would rather just talk. */
export type AskAnswer = { readonly choices: readonly (readonly string[])[] } | "dismissed";

export interface PlanRequest {
  readonly id: string;
  readonly callId: string;
  /** Markdown. */
  readonly plan: string;
}

export type PlanDecision =
  /** Carry it out: plan mode ends and a window opens for its ordinary writers. */
  | { readonly kind: "start" }
  | { readonly kind: "revise"; readonly feedback: string }
  /** Plan mode ends and nothing is carried out. */
  | { readonly kind: "exit" };

/** The person at the screen. No posture, rule or hook ever answers `ask` or `decidePlan`. */
export interface Person extends Approver {
  /** Rejects when the turn is stopped. */
  ask(request: AskRequest, signal: AbortSignal): Promise<AskAnswer>;
  /** Rejects when the turn is stopped. */
  decidePlan(request: PlanRequest, signal: AbortSignal): Promise<PlanDecision>;
}

/** How the person and the model work together; lies over the posture and leaves it as it is. */
export type CollaborationMode = "normal" | "plan";

/** How far a turn is carried: as asked, or to a checked end. */
export type WorkPreset = "balanced" | "delivery";
