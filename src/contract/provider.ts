/**
 * The seam between the loop and a model endpoint. A provider has one streaming call. The stream never throws: it ends
 * with exactly one `done` or `error` chunk. Recovery from broken connections happens inside; the chunks `attempt` and
 * `retrying` tell about it. Only complete tool calls leave a provider.
 */
import type { ReasonixError } from "./errors.ts";
import type { Message, ToolCall } from "./message.ts";
import type { ToolSchema } from "./tool.ts";
import type { Price, Usage, UsageSource } from "./usage.ts";

/** Everything one model call depends on. Frozen by the caller; retries replay it unchanged. */
export interface ModelRequest {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  /**
   * Conversation without the system prompt, already normalised for sending: every call answered, results in call
   * order, nothing local. A message object is never changed once it was in a request, so a provider may cache what
   * it made of it by identity.
   */
  readonly messages: readonly Message[];
  /** 0 means: leave it to the model. */
  readonly temperature?: number;
  /** Ceiling of the answer in tokens: 0 or undefined automatic, negative leaves the field out. */
  readonly maxOutputTokens?: number;
  readonly effort?: string;
  /** `none` asks for an answer without calls while the tool list stays as it was. */
  readonly toolChoice?: "auto" | "none";
  /** Who asks; absent: the loop itself. For records, never sent. */
  readonly source?: UsageSource;
}

export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter";

/** The whole answer, as it is to be stored. */
export interface ModelAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly reasoningSignature?: string;
  /** In the order the model asked for them. Arguments may be text that is not JSON: the loop decides what to do. */
  readonly calls: readonly ToolCall[];
  readonly providerItems?: readonly unknown[];
  readonly finish: FinishReason;
  /** Sum over all attempts; what is billed. */
  readonly usage: Usage;
  /** Usage of the answered request alone; its prompt count is the size of the context. */
  readonly lastUsage: Usage;
}

export type RetryCause =
  | "connection_closed"
  | "timeout"
  | "upstream_status"
  | "stream_idle"
  | "upstream_error"
  | "empty_answer";

export type Chunk =
  /** Pieces that arrived in one network read may come as one chunk. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "tool_call_start"; readonly index: number; readonly id: string; readonly name: string }
  /** Every 2 KiB of arguments. */
  | { readonly type: "tool_call_progress"; readonly index: number; readonly id: string; readonly argumentBytes: number }
  | { readonly type: "tool_call"; readonly index: number; readonly call: ToolCall }
  /** `discard`: what this attempt showed is void. Ids look like `sa-<attempt>-<seq>`. */
  | {
    readonly type: "attempt";
    readonly action: "begin" | "discard" | "commit";
    readonly id: string;
    readonly attempt: number;
    readonly max: number;
    readonly reason?: string;
  }
  /** Waiting before the next request. */
  | {
    readonly type: "retrying";
    readonly attempt: number;
    readonly max: number;
    readonly delayMs: number;
    readonly cause: RetryCause;
    readonly status?: number;
  }
  /** Something the person should know that does not end the stream. */
  | { readonly type: "notice"; readonly text: string; readonly code?: string }
  | { readonly type: "done"; readonly answer: ModelAnswer }
  /** `usage` is what failed attempts cost. An aborted call ends with code `turn.cancelled`. */
  | { readonly type: "error"; readonly error: ReasonixError; readonly usage?: Usage };

export interface Provider {
  /** Instance name from the config, such as `deepseek`. */
  readonly name: string;
  /** Model id as sent. */
  readonly model: string;
  readonly contextWindow: number;
  readonly price?: Price;
  /** The model looks at pictures. */
  readonly vision?: boolean;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<Chunk>;
}

/** A model as its endpoint tells of it. */
export interface ListedModel {
  readonly id: string;
  /** Tokens; absent where the endpoint does not say. */
  readonly contextWindow?: number;
}

/** One provider entry, resolved for one model, free of files and environment. */
export interface ProviderSettings {
  readonly name: string;
  readonly kind: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Exact request target, any kind. */
  readonly requestUrl?: string;
  /** Legacy target, `openai` only. */
  readonly chatUrl?: string;
  readonly modelsUrl?: string;
  /** Empty string: no key, allowed for loopback and private hosts or a blank `api_key_env`. */
  readonly apiKey: string;
  /** Name of the variable the key came from; for error texts. */
  readonly apiKeyEnv: string;
  readonly authHeader: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly extraBody: Readonly<Record<string, unknown>>;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly idleTimeoutSeconds: number;
  readonly thinking?: string;
  readonly effort?: string;
  readonly reasoningProtocol?: string;
  readonly supportedEfforts?: readonly string[];
  readonly defaultEffort?: string;
  readonly vision: boolean;
  readonly visionDetail?: string;
  readonly webSearch: boolean;
  readonly responsesMode?: string;
  readonly price?: Price;
  /** `direct` bypasses any proxy. */
  readonly proxy: ProxySettings;
}

export type ProxySettings =
  /** Honour HTTP(S)_PROXY and NO_PROXY of the environment. */
  | { readonly mode: "env" }
  | { readonly mode: "direct" }
  | {
    readonly mode: "custom";
    readonly url: string;
    readonly username?: string;
    readonly password?: string;
    readonly noProxy: readonly string[];
  };

/** What a provider needs of the outside; tests replace it. */
export interface ProviderPorts {
  readonly fetch: typeof fetch;
  /** Rejects with an AbortError when aborted. Milliseconds. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1); jitter. */
  random(): number;
  /** Unix time in milliseconds. */
  now(): number;
}

/** A wire kind. Adding one is a folder that exports this, and a line in the list of kinds. */
export interface ProviderKind {
  readonly kind: string;
  create(settings: ProviderSettings, ports: ProviderPorts): Provider;
}
