/**
 * What a conversation runs on. A change of model or effort replaces the agent and keeps everything that belongs to the
 * conversation: transcript, jobs, grants, tools, walls. Another conversation is another runtime altogether.
 */
import type { Agent } from "../agent/mod.ts";
import type { Checkpoints } from "../contract/checkpoint.ts";
import type { Posture } from "../contract/decision.ts";
import type { Inbox } from "../contract/inbox.ts";
import type { Intent } from "../contract/intent.ts";
import type { Jobs } from "../contract/jobs.ts";
import type { MemoryCommands } from "../contract/memory.ts";
import type { Servers } from "../contract/servers.ts";
import type { Transcript } from "../contract/session.ts";
import type { Todos } from "../contract/tool.ts";
import type { PlanPhase } from "./plan_phase.ts";
import type { PresetState } from "./preset.ts";

export interface ModelView {
  /** `provider/model`. */
  readonly ref: string;
  /** Tokens; 0 unknown. */
  readonly contextWindow: number;
  /** As chosen for this session; absent: the provider's own default. */
  readonly effort?: string;
  /** Longest answer in tokens, as chosen for this session; negative: no limit of ours. Absent: as the settings say. */
  readonly maxOutputTokens?: number;
}

/** What of the model is to change; the rest stays. */
export type ModelWish = Omit<Extract<Intent, { kind: "set_model" }>, "kind">;

export interface Permissions {
  readonly posture: Posture;
  setPosture(posture: Posture): void;
}

export interface Runtime {
  readonly agent: Agent;
  readonly transcript: Transcript;
  readonly model: ModelView;
  readonly permissions: Permissions;
  readonly plan: PlanPhase;
  readonly preset: Pick<PresetState, "preset" | "set">;
  /** `/memory …` and notes; loaded when first asked for. */
  memory?(): Promise<MemoryCommands>;
  /** What its turns took away. */
  readonly checkpoints: Checkpoints;
  readonly todos: Pick<Todos, "items">;
  readonly jobs: Pick<Jobs, "list">;
  /** What waits for the running turn; absent where nobody can say anything meanwhile. */
  readonly inbox?: Inbox;
  /** The conversation was cut or made whole again: everything that goes by it does so anew. */
  reread(): Promise<Runtime>;
  /** MCP servers; absent when none is configured. */
  readonly servers?: Servers;
  /** What the person should know before the next turn; one line each. */
  readonly notices: readonly string[];
  /** The same conversation on another model or effort. Throws `config.*` and then changes nothing. */
  withModel(wish: ModelWish): Promise<Runtime>;
  /** The same conversation on the settings as they are written now. Throws, mostly `config.*`, and then changes nothing. */
  reload(): Promise<Runtime>;
  /** Ends jobs and servers, gives the session back. Idempotent. */
  close(): Promise<void>;
}

export type Conversation =
  | { readonly kind: "new" }
  | { readonly kind: "latest" }
  /** An id, a path, or a part of a title. */
  | { readonly kind: "stored"; readonly ref: string };

export interface ConversationOptions {
  readonly copy?: boolean;
  readonly takeover?: boolean;
}

/** Opens conversations of one project. Throws `ReasonixError`. */
export type OpenRuntime = (conversation: Conversation, options?: ConversationOptions) => Promise<Runtime>;
