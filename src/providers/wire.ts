/**
 * What a wire kind gives to the shared recovery: how a request is built, how one event is read, and what the end of a
 * stream means. A kind knows nothing of sockets, retries, time-outs and error statuses.
 */
import type { ErrorCode } from "../contract/errors.ts";
import type { ToolCall } from "../contract/message.ts";
import type { Chunk, FinishReason, ModelRequest, ProviderKind, ProviderSettings } from "../contract/provider.ts";
import type { Usage } from "../contract/usage.ts";

/** One HTTP request, frozen: a retry sends the same bytes. */
export interface WireRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Size of `body` with its pictures counted as what they cost, for estimates. */
  readonly textBytes: number;
  /** What the person should know about how the request was built. */
  readonly notices: readonly string[];
}

/** An answer before its usage over all attempts is known. */
export interface WireAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly reasoningSignature?: string;
  readonly calls: readonly ToolCall[];
  readonly providerItems?: readonly unknown[];
  readonly finish: FinishReason;
}

/** Token counts of one request as the endpoint reported them, in normal form. */
export type WireUsage = Omit<Usage, "requestAttempts" | "estimated">;

/** What the end of a stream means. */
export type Verdict =
  | { readonly kind: "complete"; readonly answer: WireAnswer; readonly doubt?: Doubt }
  /** The endpoint interrupted itself and goes on once it gets back what it said. `resume` builds that request. */
  | { readonly kind: "paused"; readonly answer: WireAnswer }
  /** The stream ended before the model did. */
  | { readonly kind: "cut" }
  /** Ended properly with nothing in it. */
  | { readonly kind: "empty" }
  /** The endpoint reported an error inside the stream: its error object. */
  | { readonly kind: "error"; readonly error: unknown };

/** A complete answer that deserves another try before it is taken as it is. */
export interface Doubt {
  readonly reason: string;
  /** Tries this doubt is worth. */
  readonly tries: number;
  /** After them the answer is refused, not taken. */
  readonly refuse: boolean;
  /** What the refusal is called; default `provider.bad_response`. */
  readonly code?: ErrorCode;
}

/** What a decoder of any kind is told. */
export interface DecoderOptions {
  /** A tool turn without reasoning and text is odd at this endpoint. */
  readonly expectsReasoning: boolean;
  /** Whether an earlier call of the conversation has this id. */
  isTaken(id: string): boolean;
  /** In [0, 1). */
  random(): number;
}

/** Reads one attempt's events. Never throws, whatever the endpoint sends. */
export interface StreamDecoder {
  /**
   * Takes one event. True when it belongs to an answer; keep-alives and junk are not signs of life.
   * `final`: the stream broke off inside this event, so that it may be incomplete.
   */
  event(data: string, name: string | undefined, final: boolean): boolean;
  /** A whole JSON document that came in place of a stream. */
  document(body: unknown): void;
  /** What the events since the last call brought, merged. */
  take(): Chunk[];
  /** `finished`: a finish reason was seen, only usage may follow. `marked`: the protocol's end marker was seen. */
  readonly progress: "open" | "finished" | "marked";
  /** Called once, after the last event; `take` may then bring the finished calls. */
  verdict(): Verdict;
  readonly usage: WireUsage | undefined;
  /** Characters of text, reasoning and arguments so far, for an estimate where usage is missing. */
  readonly outputChars: number;
}

export interface Wire {
  /** For error messages: `chat completions`. */
  readonly protocol: string;
  /** Throws `ReasonixError` for a request that must not be sent. */
  build(request: ModelRequest): WireRequest;
  /** The request that makes an answer which was `paused` go on. `items`: the provider items of all its parts so far. */
  resume?(request: ModelRequest, items: readonly unknown[]): WireRequest;
  /** Another request in place of one that was refused for good, where that may help; asked once a call. */
  revise?(
    request: ModelRequest,
    refused: { readonly status?: number; readonly code?: string },
  ): WireRequest | undefined;
  decoder(request: ModelRequest): StreamDecoder;
  /** Told after each answer with reported usage, so that a kind can learn how large its tokens are. */
  learn?(request: WireRequest, usage: WireUsage): void;
}

/** What a kind's folder exports. */
export interface WireKind extends ProviderKind {
  /** Where the endpoint lists its models; absent where it does not. Throws `config.type` for an address that is none. */
  modelList?(settings: ProviderSettings): {
    readonly url: URL;
    readonly headers: Readonly<Record<string, string>>;
    readonly protocol: string;
  };
}
