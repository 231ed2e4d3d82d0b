/** One model call: the provider's chunks become events; what comes back is the whole answer or one typed failure. */
import { isAbort, ReasonixError } from "../contract/errors.ts";
import type { EventBody } from "../contract/event.ts";
import type { Chunk, ModelAnswer, ModelRequest, Provider } from "../contract/provider.ts";
import type { Usage } from "../contract/usage.ts";

export type ModelOutcome =
  | { readonly kind: "answer"; readonly answer: ModelAnswer }
  /** `partial`: the failed stream had already shown something. */
  | { readonly kind: "failure"; readonly error: ReasonixError; readonly usage?: Usage; readonly partial: boolean };

export interface ModelCallOptions {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  emit(body: EventBody): void;
  /** Whether a tool of this name only reads; for the card shown while its arguments stream. */
  readOnly(tool: string): boolean;
}

export async function callModel(options: ModelCallOptions): Promise<ModelOutcome> {
  const { provider, request, signal, emit } = options;
  let partial = false;
  try {
    for await (const chunk of untilAborted(provider.stream(request, signal), signal)) {
      switch (chunk.type) {
        case "text":
        case "reasoning":
          partial = true;
          emit({ kind: chunk.type, text: chunk.text });
          break;
        case "tool_call_start":
          emit({
            kind: "tool_dispatch",
            tool: {
              id: chunk.id,
              name: chunk.name,
              args: "",
              readOnly: options.readOnly(chunk.name),
              partial: true,
              runState: "pending",
            },
          });
          break;
        case "attempt":
          if (chunk.action === "discard") partial = false;
          emit({
            kind: "stream_attempt",
            id: chunk.id,
            action: chunk.action,
            attempt: chunk.attempt,
            max: chunk.max,
            ...(chunk.reason === undefined ? {} : { reason: chunk.reason }),
          });
          break;
        case "retrying":
          emit({
            kind: "retrying",
            attempt: chunk.attempt,
            max: chunk.max,
            delayMs: chunk.delayMs,
            cause: chunk.cause,
            ...(chunk.status === undefined ? {} : { httpStatus: chunk.status }),
          });
          break;
        case "notice":
          emit({
            kind: "notice",
            level: "warning",
            text: chunk.text,
            ...(chunk.code === undefined ? {} : { code: chunk.code }),
          });
          break;
        case "done":
          return { kind: "answer", answer: chunk.answer };
        case "error":
          return { kind: "failure", error: chunk.error, partial, ...(chunk.usage ? { usage: chunk.usage } : {}) };
        case "tool_call":
        case "tool_call_progress":
          break;
      }
    }
  } catch (error) {
    if (isAbort(error, signal)) return { kind: "failure", error: cancelled(), partial };
    throw error;
  }
  const text = `provider "${provider.name}" ended its stream without an answer or an error`;
  return { kind: "failure", error: new ReasonixError("internal.bug", text), partial };
}

export function cancelled(): ReasonixError {
  return new ReasonixError("turn.cancelled", "the turn was cancelled");
}

/** Ends at the abort even where the provider does not. */
async function* untilAborted(chunks: AsyncIterable<Chunk>, signal: AbortSignal): AsyncGenerator<Chunk> {
  const iterator = chunks[Symbol.asyncIterator]();
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(cancelled());
  stopped.promise.catch(() => {});
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (true) {
      const next = await Promise.race([iterator.next(), stopped.promise]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // A provider that hangs must not hold the turn: its own cleanup is not waited for.
    void iterator.return?.()?.catch(() => {});
  }
}
