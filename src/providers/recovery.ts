/**
 * One model call over as many HTTP requests as it takes. The request is built once and its bytes are replayed. A failed
 * attempt commits nothing: what it showed is voided by `attempt discard`. The stream of chunks never throws and ends
 * with exactly one `done` or `error`, whatever way it ends.
 */
import { type ErrorCode, isAbort, ReasonixError } from "../contract/errors.ts";
import type { Chunk, ModelRequest } from "../contract/provider.ts";
import { Attempt, type AttemptContext, type StreamEnd } from "./attempt.ts";
import { createRetryBudget, type Failure, MAX_STREAM_ATTEMPTS } from "./failure.ts";
import { streamFailure } from "./http_errors.ts";
import { createUsageMeter, type UsageMeter } from "./usage.ts";
import type { StreamDecoder, Verdict, Wire, WireAnswer } from "./wire.ts";

export interface CallContext extends AttemptContext {
  readonly wire: Wire;
  /** What this provider instance learned; shared by its calls. */
  readonly memory: { keyWorked: boolean; calls: number };
}

export async function* callModel(
  context: CallContext,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void, undefined> {
  const run: Run = { signal, spent: createUsageMeter(), shown: undefined };
  try {
    yield* recover(context, request, run);
  } catch (thrown) {
    const error = thrown instanceof ReasonixError
      ? thrown
      : isAbort(thrown, signal)
      ? cancelled()
      : new ReasonixError("internal.bug", `${context.endpoint.provider}: ${String(thrown)}`, { cause: thrown });
    if (run.shown) yield { type: "attempt", action: "discard", ...run.shown, reason: error.message };
    const usage = run.spent.sum();
    yield { type: "error", error, ...(usage ? { usage } : {}) };
  }
}

const cancelled = () => new ReasonixError("turn.cancelled", "The model call was cancelled.");

interface Run {
  readonly signal: AbortSignal;
  readonly spent: UsageMeter;
  /** The attempt that has begun and is neither void nor committed. */
  shown: { readonly id: string; readonly attempt: number; readonly max: number } | undefined;
}

/** Throws what ends the call without an answer. */
async function* recover(context: CallContext, request: ModelRequest, run: Run): AsyncGenerator<Chunk, void, undefined> {
  const { wire, ports, memory } = context;
  let frozen = wire.build(request);
  const parts: WireAnswer[] = [];
  let revised = false;
  for (const text of frozen.notices) yield { type: "notice", text };
  const serial = ++memory.calls;
  const budget = createRetryBudget(() => ports.random());
  const doubts = { met: 0 };
  for (let streams = 0;;) {
    if (run.signal.aborted) throw cancelled();
    run.spent.sent();
    const attempt = new Attempt(context, run.signal);
    let drain = false;
    let failure: Failure;
    try {
      const opened = await attempt.open(frozen);
      if (opened.kind === "cancelled") throw cancelled();
      if (opened.kind === "failed") failure = opened.failure;
      else {
        streams++;
        const mark = { id: `sa-${streams}-${serial}`, attempt: streams, max: Math.max(streams, MAX_STREAM_ATTEMPTS) };
        run.shown = mark;
        yield { type: "attempt", action: "begin", ...mark };
        const decoder = wire.decoder(request);
        const end = yield* attempt.read(decoder);
        const outcome = judge(context, end, { decoder, doubts, pauses: parts.length });
        const sizes = { promptBytes: frozen.textBytes, outputChars: decoder.outputChars };
        if (outcome.kind === "answer") {
          const lastUsage = run.spent.add(decoder.usage, sizes);
          if (decoder.usage) wire.learn?.(frozen, decoder.usage);
          yield* decoder.take();
          run.shown = undefined;
          yield { type: "attempt", action: "commit", ...mark };
          parts.push(outcome.answer);
          if (outcome.paused) {
            frozen = wire.resume!(request, parts.flatMap((part) => part.providerItems ?? []));
            continue;
          }
          // The reader may leave at `done`: what follows is in `finally`.
          drain = decoder.progress === "marked";
          yield { type: "done", answer: { ...joined(parts), usage: run.spent.sum() ?? lastUsage, lastUsage } };
          return;
        }
        // An attempt that said nothing and reported nothing is taken to have cost nothing.
        if (decoder.usage || decoder.outputChars > 0) run.spent.add(decoder.usage, sizes);
        if (outcome.kind === "cancelled") throw cancelled();
        failure = outcome.failure;
        run.shown = undefined;
        yield { type: "attempt", action: "discard", ...mark, reason: failure.error.message };
      }
    } finally {
      await attempt.close({ drain });
    }
    if (failure.class === "final" && !revised) {
      revised = true;
      const other = wire.revise?.(request, { status: failure.status, code: failure.saidCode });
      if (other) {
        frozen = other;
        continue;
      }
    }
    const retry = budget.next(failure);
    if (!retry) throw failure.error;
    const status = failure.status === undefined ? {} : { status: failure.status };
    yield { type: "retrying", ...retry, cause: failure.cause, ...status };
    await ports.sleep(retry.delayMs, run.signal);
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

interface Judged {
  /** Pauses of this call so far. */
  readonly pauses: number;
  readonly decoder: StreamDecoder;
  /** Doubtful answers of this call so far. */
  readonly doubts: { met: number };
}

/** A finish reason or an end mark makes an answer complete, however the connection ended after it. */
function judge(context: CallContext, end: StreamEnd, judged: Judged): Outcome {
  if (end.kind === "cancelled") return end;
  const verdict = judged.decoder.verdict();
  if (verdict.kind === "error") return { kind: "failed", failure: streamFailure(context.endpoint, verdict.error) };
  if (verdict.kind === "paused") {
    return { kind: "answer", answer: verdict.answer, paused: judged.pauses < MAX_PAUSES };
  }
  if (verdict.kind === "complete") {
    const { doubt, answer } = verdict;
    if (doubt === undefined) return { kind: "answer", answer, paused: false };
    const over = ++judged.doubts.met > doubt.tries;
    if (over && !doubt.refuse) return { kind: "answer", answer, paused: false };
    return {
      kind: "failed",
      failure: oddAnswer(context, "doubt", { says: doubt.reason, retries: doubt.tries, code: doubt.code }),
    };
  }
  if (end.kind === "failed") return end;
  return { kind: "failed", failure: unfinished(context, verdict) };
}

function unfinished(context: CallContext, verdict: Verdict): Failure {
  return verdict.kind === "empty"
    ? oddAnswer(context, "empty", { says: "the model answered nothing" })
    : oddAnswer(context, "cut", { says: "the stream ended before the answer was complete" });
}

const CODES = { empty: "provider.empty", cut: "provider.interrupted", doubt: "provider.bad_response" } as const;
const CAUSES = { empty: "empty_answer", cut: "connection_closed", doubt: "upstream_error" } as const;

function oddAnswer(
  context: CallContext,
  kind: "empty" | "cut" | "doubt",
  detail: { readonly says: string; readonly retries?: number; readonly code?: ErrorCode | undefined },
): Failure {
  const { provider, protocol, host } = context.endpoint;
  return {
    class: kind,
    cause: CAUSES[kind],
    error: new ReasonixError(detail.code ?? CODES[kind], `${provider} (${protocol}) at ${host}: ${detail.says}`, {
      retry: true,
    }),
    ...(detail.retries === undefined ? {} : { retries: detail.retries }),
  };
}
