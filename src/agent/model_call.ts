/** One model call: the provider's chunks become events; what comes back is the whole answer or one typed failure. */
import { isAbort, ReasonixError } from "../contract/errors.ts";
import type { EventBody } from "../contract/event.ts";
import type { Chunk, ModelAnswer, ModelRequest, Provider } from "../contract/provider.ts";
import type { Usage } from "../contract/usage.ts";
import { untilAborted } from "../lib/waiting.ts";

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
    for await (const chunk of untilStopped(provider.stream(request, signal), signal)) {
      if (chunk.type === "done") return { kind: "answer", answer: chunk.answer };
      if (chunk.type === "error") {
        return { kind: "failure", error: chunk.error, partial, ...(chunk.usage ? { usage: chunk.usage } : {}) };
      }
      if (chunk.type === "text" || chunk.type === "reasoning") partial = true;
      if (chunk.type === "attempt" && chunk.action === "discard") partial = false;
      const event = toEvent(chunk, options);
      if (event) emit(event);
    }
  } catch (error) {
    if (isAbort(error, signal)) return { kind: "failure", error: cancelled(), partial };
    throw error;
  }
  const text = `provider "${provider.name}" ended its stream without an answer or an error`;
  return { kind: "failure", error: new ReasonixError("internal.bug", text), partial };
}

/** Undefined for what nobody is told. */
function toEvent(chunk: Chunk, { readOnly }: ModelCallOptions): EventBody | undefined {
  switch (chunk.type) {
    case "text":
    case "reasoning":
      return { kind: chunk.type, text: chunk.text };
    case "tool_call_start": {
      const { id, name } = chunk;
      const tool = { id, name, args: "", readOnly: readOnly(name), partial: true, runState: "pending" } as const;
      return { kind: "tool_dispatch", tool };
    }
    case "attempt": {
      const { type: _type, reason, ...facts } = chunk;
      return { kind: "stream_attempt", ...facts, ...(reason === undefined ? {} : { reason }) };
    }
    case "retrying": {
      const { type: _type, status, ...facts } = chunk;
      return { kind: "retrying", ...facts, ...(status === undefined ? {} : { httpStatus: status }) };
    }
    case "notice": {
      const { text, code } = chunk;
      return { kind: "notice", level: "warning", text, ...(code === undefined ? {} : { code }) };
    }
    default:
      return undefined;
  }
}

export function isCancelled(error: unknown): boolean {
  return error instanceof ReasonixError && error.code === "turn.cancelled";
}

export function cancelled(): ReasonixError {
  return new ReasonixError("turn.cancelled", "the turn was cancelled");
}

/** Ends at the abort even where the provider does not. */
async function* untilStopped(chunks: AsyncIterable<Chunk>, signal: AbortSignal): AsyncGenerator<Chunk> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // A provider that hangs must not hold the turn: its own cleanup is not waited for.
    void iterator.return?.()?.catch(() => {});
  }
}
