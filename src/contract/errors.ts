/**
 * The four kinds of failure (docs/ARCHITECTURE.md, decision 5): an expected answer is a value; what the model should
 * read is a `ToolError`; what the world did is a `ReasonixError`; anything else is a bug. Programs branch on `code`,
 * never on text.
 */

/** Stable, dotted identities. A new one is added here, to docs/EVENTS.md and to the pins in tests/contract. */
export type ErrorCode =
  | "config.syntax"
  | "config.type"
  | "config.unreadable"
  | "config.unsafe_key"
  | "config.unknown_model"
  | "config.unknown_kind"
  | "config.missing_key"
  | "config.key_not_confirmed"
  | "config.provider_not_trusted"
  | "config.write_failed"
  | "cli.usage"
  | "workspace.unusable"
  | "workspace.missing_dir"
  | "provider.auth"
  | "provider.quota"
  | "provider.rate_limited"
  | "provider.rejected"
  | "provider.transient"
  | "provider.interrupted"
  | "provider.stalled"
  | "provider.empty"
  | "provider.bad_response"
  | "provider.output_limit"
  | "provider.unreachable"
  | "provider.tls"
  | "provider.proxy"
  | "provider.invalid_call"
  | "provider.unsupported_effort"
  | "provider.unknown_reasoning"
  | "context.exhausted"
  | "context.fold_rejected"
  | "session.locked"
  | "session.not_found"
  | "session.ambiguous"
  | "session.unreadable"
  | "session.write_failed"
  | "inbox.full"
  | "inbox.too_large"
  | "rewind.no_turn"
  | "rewind.stale"
  | "rewind.failed"
  | "rewind.nothing_to_undo"
  | "turn.cancelled"
  | "turn.refused"
  | "turn.max_steps"
  | "turn.budget"
  | "turn.repeats"
  | "turn.empty_answer"
  | "turn.needs_approval"
  | "internal.bug";

export interface ReasonixErrorOptions {
  readonly cause?: unknown;
  /** True when the same thing may work later without any change. */
  readonly retry?: boolean;
  /** What the person can do about it: one sentence. */
  readonly remedy?: string;
  /** HTTP status, where one was answered. */
  readonly status?: number;
  /** Where in a file the cause stands. Lines and columns from 1. */
  readonly place?: { readonly file: string; readonly line?: number; readonly column?: number };
}

/** The world's failure. `message` is one line for people; it holds no key, no stack and no terminal escapes. */
export class ReasonixError extends Error {
  override readonly name: string = "ReasonixError";
  readonly code: ErrorCode;
  readonly retry: boolean;
  readonly remedy?: string;
  readonly status?: number;
  readonly place?: { readonly file: string; readonly line?: number; readonly column?: number };

  constructor(code: ErrorCode, message: string, options: ReasonixErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retry = options.retry ?? false;
    this.remedy = options.remedy;
    this.status = options.status;
    this.place = options.place;
  }
}

/** Codes that stand beside a `blocked:` result and in the JSON result of a run. */
export type RefusalCode =
  | "permission.deny_rule"
  | "permission.declined"
  | "permission.unattended"
  | "permission.untrusted_folder"
  | "permission.read_only"
  | "permission.parked"
  | "plan.mode_active"
  | "workspace.write_outside_scope"
  | "sandbox.unavailable"
  | "sandbox.git_metadata_protected"
  | "sandbox.git_metadata_linked"
  | "hook.blocked";

/** A tool's failure, read by the model as `error: …`. Never ends a turn. */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  /** Text that follows the message, such as the output a failed command produced. */
  readonly output?: string;

  constructor(message: string, options: { readonly cause?: unknown; readonly output?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.output = options.output;
  }
}

/** A wall said no. Read by the model as `blocked: …`. Thrown by the wrappers of the workspace port. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly code: RefusalCode;
  readonly remedy?: string;

  constructor(code: RefusalCode, message: string, options: { readonly remedy?: string } = {}) {
    super(message);
    this.code = code;
    this.remedy = options.remedy;
  }
}

/** True for the rejection that an aborted `AbortSignal` causes. */
export function isAbort(error: unknown, signal?: AbortSignal): boolean {
  if (signal?.aborted) return true;
  return error instanceof DOMException && error.name === "AbortError";
}
