/** Kind `demo`: plays one real task through the ordinary stream, offline and without a key. */
import { ReasonixError } from "../../contract/errors.ts";
import { isAbort } from "../../contract/errors.ts";
import type { ToolCall } from "../../contract/message.ts";
import type { Chunk, ModelRequest, Provider, ProviderPorts, ProviderSettings } from "../../contract/provider.ts";
import type { Usage } from "../../contract/usage.ts";
import type { WireKind } from "../wire.ts";
import { type DemoStep, nextStep } from "./script.ts";

export const demoKind: WireKind = { kind: "demo", create };

/** Milliseconds between two pieces of text: as fast as a quick model. */
const PACE_MS = 6;
const PIECE = /\s*\S{1,12}/gu;
const CACHE_BLOCK_TOKENS = 64;

function create(settings: ProviderSettings, ports: ProviderPorts): Provider {
  const cache = createPromptCache();
  let calls = 0;
  return {
    name: settings.name,
    model: settings.model,
    contextWindow: settings.contextWindow,
    ...(settings.price ? { price: settings.price } : {}),
    async *stream(request, signal) {
      const mark = { id: `sa-1-${++calls}`, attempt: 1, max: 1 };
      try {
        yield { type: "attempt", action: "begin", ...mark };
        yield* play(request, { signal, ports, mark, cache, settings });
      } catch (thrown) {
        yield { type: "attempt", action: "discard", ...mark };
        yield {
          type: "error",
          error: isAbort(thrown, signal)
            ? new ReasonixError("turn.cancelled", "The model call was cancelled.")
            : new ReasonixError("internal.bug", `${settings.name}: ${String(thrown)}`, { cause: thrown }),
        };
      }
    },
  };
}

interface Stage {
  readonly signal: AbortSignal;
  readonly ports: ProviderPorts;
  readonly mark: { readonly id: string; readonly attempt: number; readonly max: number };
  readonly cache: PromptCache;
  readonly settings: ProviderSettings;
}

async function* play(request: ModelRequest, stage: Stage): AsyncGenerator<Chunk, void, undefined> {
  const { signal, ports } = stage;
  const step = nextStep(request);
  for (const type of ["reasoning", "text"] as const) {
    for (const text of step[type]?.match(PIECE) ?? []) {
      await ports.sleep(PACE_MS, signal);
      yield { type, text };
    }
  }
  const made = toCalls(request, step);
  for (const [index, call] of made.entries()) {
    await ports.sleep(PACE_MS, signal);
    yield { type: "tool_call_start", index, id: call.id, name: call.name };
  }
  for (const [index, call] of made.entries()) yield { type: "tool_call", index, call };
  signal.throwIfAborted();
  const usage = stage.cache.count(request, step);
  yield { type: "attempt", action: "commit", ...stage.mark };
  yield {
    type: "done",
    answer: {
      text: step.text,
      reasoning: step.reasoning ?? "",
      calls: made,
      finish: made.length > 0 ? "tool_calls" : "stop",
      usage,
      lastUsage: usage,
    },
  };
}

/** Ids count the calls of the conversation, so that they are distinct and the same in every run. */
function toCalls(request: ModelRequest, step: DemoStep): readonly ToolCall[] {
  const before = request.messages.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0);
  return step.calls.map((call, at) => ({
    id: `demo_${before + at + 1}`,
    name: call.name,
    arguments: JSON.stringify(call.args),
  }));
}

interface PromptCache {
  count(request: ModelRequest, step: DemoStep): Usage;
}

/** Counts as a provider with a prompt cache would: what a request shares with the one before it is a hit. */
function createPromptCache(): PromptCache {
  let last = "";
  const tokens = (chars: number) => Math.ceil(chars / 4);
  return {
    count(request, step) {
      const prompt = JSON.stringify([request.tools, request.system, request.messages]);
      let shared = 0;
      while (shared < last.length && shared < prompt.length && last[shared] === prompt[shared]) shared++;
      last = prompt;
      const all = tokens(prompt.length);
      const cacheHit = Math.min(all, Math.floor(tokens(shared) / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS);
      const reasoning = tokens(step.reasoning?.length ?? 0);
      const completion = reasoning + tokens(step.text.length + JSON.stringify(step.calls).length);
      return {
        prompt: all,
        completion,
        total: all + completion,
        cacheHit,
        cacheMiss: all - cacheHit,
        reasoning,
        requestAttempts: 1,
      };
    },
  };
}
