/**
 * One model call over as many HTTP requests as it takes. The request is built once and its bytes are replayed. A failed
 * attempt commits nothing: what it showed is voided by `attempt discard`. The stream of chunks never throws and ends
 * with exactly one `done` or `error`, whatever way it ends.
 */
import { type ErrorCode, isAbort, ReasonixError } from "../contract/errors.ts";
import type { Chunk, ModelRequest } from "../contract/provider.ts";
import { Attempt, type AttemptContext, type StreamEnd } from "./attempt.ts";
import { type Endpoint, nameOf } from "./endpoint.ts";
import type { Failure } from "./attempt_failure.ts";
import { createRetryBudget, MAX_STREAM_ATTEMPTS } from "./retry_policy.ts";
import { streamFailure } from "./http_errors.ts";
import { createUsageMeter } from "./usage.ts";
import type { StreamDecoder, Wire, WireAnswer, WireRequest } from "./wire.ts";

export interface CallContext extends AttemptContext {
  readonly wire: Wire;
  /** What this provider instance learned; shared by its calls. */
  readonly memory: { keyWorked: boolean; calls: number };
}

export function callModel(
  context: CallContext,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void, undefined> {
  return new ModelCall(context, request, signal).chunks();
}

const cancelled = () => new ReasonixError("turn.cancelled", "The model call was cancelled.");

/** An attempt as it is shown. */
interface Mark {
  readonly id: string;
  readonly attempt: number;
  readonly max: number;
}

class ModelCall {
  readonly #context: CallContext;
  readonly #request: ModelRequest;
  readonly #signal: AbortSignal;
  readonly #spent = createUsageMeter();
  /** Which call of its provider this is. */
  #serial = 0;
  /** Attempts that were answered with a stream. */
  #streams = 0;
  /** The attempt that has begun and is neither void nor committed. */
  #shown: Mark | undefined;
  /** Of an answer that pauses, what came so far. */
  readonly #parts: WireAnswer[] = [];
  #doubts = 0;
  #revised = false;

  constructor(context: CallContext, request: ModelRequest, signal: AbortSignal) {
    this.#context = context;
    this.#request = request;
    this.#signal = signal;
  }

  async *chunks(): AsyncGenerator<Chunk, void, undefined> {
    try {
      yield* this.#recover();
    } catch (thrown) {
      const error = this.#toError(thrown);
      if (this.#shown) yield { type: "attempt", action: "discard", ...this.#shown, reason: error.message };
      const usage = this.#spent.sum();
      yield { type: "error", error, ...(usage ? { usage } : {}) };
    }
  }

  /** Throws what ends the call without an answer. */
  async *#recover(): AsyncGenerator<Chunk, void, undefined> {
    const { wire, ports, memory } = this.#context;
    let frozen = wire.build(this.#request);
    this.#serial = ++memory.calls;
    for (const text of frozen.notices) yield { type: "notice", text };
    const budget = createRetryBudget(() => ports.random());
    for (;;) {
      const end = yield* this.#attempt(frozen);
      if (end === "answered") return;
      if (end === "paused") {
        frozen = wire.resume!(this.#request, this.#parts.flatMap((part) => part.providerItems ?? []));
        continue;
      }
      const other = this.#revise(end);
      if (other) {
        frozen = other;
        continue;
      }
      const retry = budget.next(end);
      if (!retry) throw end.error;
      const status = end.status === undefined ? {} : { status: end.status };
      yield { type: "retrying", ...retry, cause: end.cause, ...status };
      await ports.sleep(retry.delayMs, this.#signal);
    }
  }

  async *#attempt(frozen: WireRequest): AsyncGenerator<Chunk, "answered" | "paused" | Failure, undefined> {
    const { wire } = this.#context;
    if (this.#signal.aborted) throw cancelled();
    this.#spent.sent();
    const attempt = new Attempt(this.#context, this.#signal);
    let drain = false;
    try {
      const opened = await attempt.open(frozen);
      if (opened.kind === "cancelled") throw cancelled();
      if (opened.kind === "failed") return opened.failure;
      const mark = this.#shown = this.#nextMark();
      yield { type: "attempt", action: "begin", ...mark };
      const decoder = wire.decoder(this.#request);
      const end = yield* attempt.read(decoder);
      const outcome = this.#judge(end, decoder);
      const sizes = { promptBytes: frozen.textBytes, outputChars: decoder.outputChars };
      if (outcome.kind !== "answer") {
        // An attempt that said nothing and reported nothing is taken to have cost nothing.
        if (decoder.usage || decoder.outputChars > 0) this.#spent.add(decoder.usage, sizes);
        if (outcome.kind === "cancelled") throw cancelled();
        this.#shown = undefined;
        yield { type: "attempt", action: "discard", ...mark, reason: outcome.failure.error.message };
        return outcome.failure;
      }
      const lastUsage = this.#spent.add(decoder.usage, sizes);
      if (decoder.usage) wire.learn?.(frozen, decoder.usage);
      yield* decoder.take();
      this.#shown = undefined;
      yield { type: "attempt", action: "commit", ...mark };
      this.#parts.push(outcome.answer);
      if (outcome.paused) return "paused";
      // The reader may leave at `done`: what follows is in `finally`.
      drain = decoder.progress === "marked";
      yield { type: "done", answer: { ...joined(this.#parts), usage: this.#spent.sum() ?? lastUsage, lastUsage } };
      return "answered";
    } finally {
      await attempt.close({ drain });
    }
  }

  #nextMark(): Mark {
    const attempt = ++this.#streams;
    return { id: `sa-${attempt}-${this.#serial}`, attempt, max: Math.max(attempt, MAX_STREAM_ATTEMPTS) };
  }

  /** Once in a call, in place of a request that was refused for good. */
  #revise(failure: Failure): WireRequest | undefined {
    if (failure.class !== "final" || this.#revised) return undefined;
    this.#revised = true;
    return this.#context.wire.revise?.(this.#request, { status: failure.status, code: failure.saidCode });
  }

  /** A finish reason or an end mark makes an answer complete, however the connection ended after it. */
  #judge(end: StreamEnd, decoder: StreamDecoder): Outcome {
    const { endpoint } = this.#context;
    if (end.kind === "cancelled") return end;
    const verdict = decoder.verdict();
    if (verdict.kind === "error") return { kind: "failed", failure: streamFailure(endpoint, verdict.error) };
    if (verdict.kind === "paused") {
      return { kind: "answer", answer: verdict.answer, paused: this.#parts.length < MAX_PAUSES };
    }
    if (verdict.kind === "complete") {
      const { doubt, answer } = verdict;
      if (doubt === undefined) return { kind: "answer", answer, paused: false };
      const over = ++this.#doubts > doubt.tries;
      if (over && !doubt.refuse) return { kind: "answer", answer, paused: false };
      const odd = { says: doubt.reason, retries: doubt.tries, code: doubt.code };
      return { kind: "failed", failure: oddAnswer(endpoint, "doubt", odd) };
    }
    if (end.kind === "failed") return end;
    const says = verdict.kind === "empty"
      ? "the model answered nothing"
      : "the stream ended before the answer was complete";
    return { kind: "failed", failure: oddAnswer(endpoint, verdict.kind, { says }) };
  }

  #toError(thrown: unknown): ReasonixError {
    if (thrown instanceof ReasonixError) return thrown;
    if (isAbort(thrown, this.#signal)) return cancelled();
    const { provider } = this.#context.endpoint;
    return new ReasonixError("internal.bug", `${provider}: ${String(thrown)}`, { cause: thrown });
  }
}

type Outcome =
  | { readonly kind: "answer"; readonly answer: WireAnswer; readonly paused: boolean }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** An endpoint that keeps interrupting itself is taken at its word in the end. */
const MAX_PAUSES = 8;

/** The parts of an answer that paused, as the one answer they are. */
function joined(parts: readonly WireAnswer[]): WireAnswer {
  const last = parts.at(-1)!;
  if (parts.length === 1) return last;
  const items = parts.flatMap((part) => part.providerItems ?? [{ type: "text", text: part.text }]);
  return {
    ...last,
    text: parts.map((part) => part.text).join(""),
    reasoning: parts.map((part) => part.reasoning).join(""),
    providerItems: items,
  };
}

const CODES = { empty: "provider.empty", cut: "provider.interrupted", doubt: "provider.bad_response" } as const;
const CAUSES = { empty: "empty_answer", cut: "connection_closed", doubt: "upstream_error" } as const;

function oddAnswer(
  endpoint: Endpoint,
  kind: "empty" | "cut" | "doubt",
  detail: { readonly says: string; readonly retries?: number; readonly code?: ErrorCode | undefined },
): Failure {
  return {
    class: kind,
    cause: CAUSES[kind],
    error: new ReasonixError(detail.code ?? CODES[kind], `${nameOf(endpoint)}: ${detail.says}`, { retry: true }),
    ...(detail.retries === undefined ? {} : { retries: detail.retries }),
  };
}
