/**
 * The nouns of a conversation. A `Message` is one line of the transcript; the field names are those of the stored JSON,
 * so a message is written and read without mapping. Optional fields are left out when empty; fields this version does
 * not know survive a load and save.
 */

export type Role = "system" | "user" | "assistant" | "tool";

/** One call the model asked for. `arguments` is the raw JSON text as received, never a parsed object. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Opaque signature that some protocols want back with the call. */
  readonly thought_signature?: string;
}

/** What the host recorded about one executed call. Stored, never sent to a provider. */
export interface ToolExecution {
  readonly state: "completed" | "failed" | "timed_out" | "cancelled" | "background";
  readonly exit_code?: number;
  /** Exit code of each stage of the last pipeline, where the shell told. */
  readonly pipe_status?: readonly number[];
  readonly signal?: string;
  readonly duration_ms?: number;
  readonly paths_read?: readonly string[];
  readonly paths_written?: readonly string[];
  /** The command the call claims to have verified something with. */
  readonly verifies?: string;
}

/** A refusal or failure that a program can tell apart. */
export interface ToolFailure {
  readonly code: string;
  readonly blocked: boolean;
  readonly remedy?: string;
}

export interface Image {
  /** `data:` URL. */
  readonly url: string;
}

/** What ended a turn early; kept on a local-only message so that the next turn can tell the model. */
export interface InterruptedTurn {
  readonly reason: "cancelled" | "stream_failure" | "pending";
  readonly detail?: string;
  readonly completed_tools: readonly {
    readonly id: string;
    readonly name: string;
    readonly files: readonly string[];
  }[];
  /** Begun and not ended: what they did is not known. */
  readonly interrupted_tools: readonly { readonly id: string; readonly name: string }[];
  /** Asked for, but not begun, or begun and only reading. Absent where that is not known. */
  readonly harmless_tools?: readonly { readonly id: string; readonly name: string }[];
  /** What the turn had checked with success; `stands`: nothing was changed since. */
  readonly checks?: readonly { readonly what: string; readonly stands: boolean }[];
  readonly dropped_partial_text: boolean;
}

/**
 * A mark in the stored conversation, on a local-only message: the conversation goes on from its first `keep` messages, or
 * as it was before an earlier mark. Nothing stored is ever changed by it.
 */
export type RewindMark =
  | { readonly id: string; readonly keep: number }
  | { readonly id: string; readonly undoes: string };

export interface Message {
  readonly role: Role;
  /** The form the model sees. */
  readonly content?: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
  readonly name?: string;

  /** Full text where it differs from `content`. Never sent. */
  readonly raw_content?: string;
  /** Address of the full text of a bounded tool result, `tr-` and 24 hex digits. */
  readonly result_ref?: string;
  readonly images?: readonly Image[];
  readonly reasoning_content?: string;
  readonly reasoning_signature?: string;
  /** Opaque items of one protocol, sent back as received. */
  readonly provider_items?: readonly unknown[];
  readonly tool_execution?: ToolExecution;
  readonly tool_failure?: ToolFailure;
  /** The host, not the person, wrote this user-role message. */
  readonly host_authored?: boolean;
  /** Shown to people, never sent to a model. */
  readonly local_only?: boolean;
  readonly interrupted_turn?: InterruptedTurn;
  readonly rewind?: RewindMark;
  /** Guidance the person gave while a turn was running; no turn begins with it. */
  readonly steer?: boolean;
  /** What the message was in the inbox. */
  readonly inbox_id?: string;
  /** Unix time in milliseconds. */
  readonly createdAt?: number;
  /** `provider/model` that produced an assistant message. */
  readonly modelRef?: string;
  /** Tokens of the request an assistant message answers, as the endpoint counted them. Never sent. */
  readonly context_tokens?: number;
}
