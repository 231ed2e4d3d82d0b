/**
 * The model of the tests: answers come from a script, every request is kept, and a request that does not extend the
 * one before it fails the test. One fake, used by all.
 */
import assert from "node:assert/strict";
import { ReasonixError } from "../../src/contract/errors.ts";
import type { EventBody } from "../../src/contract/event.ts";
import type { ToolCall } from "../../src/contract/message.ts";
import type { Chunk, FinishReason, ModelRequest, Provider } from "../../src/contract/provider.ts";
import type { Usage } from "../../src/contract/usage.ts";

export interface ScriptedAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly args: unknown; readonly id?: string }[];
  readonly finish?: FinishReason;
  /** Ends the stream with this instead of an answer. */
  readonly error?: ReasonixError;
  /** Sends nothing until this settles; the abort ends it. */
  readonly hold?: Promise<unknown>;
  /** Told in place of the provider's own count. */
  readonly usage?: Usage;
}

export interface ScriptedOptions {
  readonly contextWindow?: number;
  /** Answers requests for a summary. */
  readonly summarize?: (request: ModelRequest) => ScriptedAnswer;
  /** What comes when the script is at its end. */
  readonly next?: () => ScriptStep | undefined;
  /** Counts the tokens of a request in place of always telling the same. */
  readonly countTokens?: boolean;
}

/** A value, or what to answer to a request. */
export type ScriptStep = ScriptedAnswer | ((request: ModelRequest) => ScriptedAnswer);

const USAGE: Usage = { prompt: 100, completion: 10, total: 110, cacheHit: 80, cacheMiss: 20, requestAttempts: 1 };

export class ScriptedProvider implements Provider {
  readonly name = "scripted";
  readonly model = "test-model";
  readonly contextWindow: number;
  /** Of the conversation. */
  readonly requests: ModelRequest[] = [];
  /** For a summary: a request without tools, beside the conversation. It extends nothing. */
  readonly summaryRequests: ModelRequest[] = [];
  readonly #script: ScriptStep[];
  #calls = 0;
  readonly #summarize: ((request: ModelRequest) => ScriptedAnswer) | undefined;
  readonly #next: () => ScriptStep | undefined;
  readonly #countTokens: boolean;
  /** A fold that was applied is the one event that may rewrite the prefix, once: `watch` listens for it. */
  allowNextReset = false;

  constructor(script: readonly ScriptStep[], options: ScriptedOptions = {}) {
    this.#script = [...script];
    this.contextWindow = options.contextWindow ?? 100_000;
    this.#summarize = options.summarize;
    this.#next = options.next ?? (() => undefined);
    this.#countTokens = options.countTokens ?? false;
  }

  /** Give it every event. */
  readonly watch = (event: EventBody): void => {
    if (event.kind === "compaction_done" && event.outcome === "applied") this.allowNextReset = true;
  };

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<Chunk> {
    const isSummary = this.#summarize !== undefined && request.tools.length === 0;
    if (isSummary) this.summaryRequests.push(request);
    else {
      this.#checkPrefix(request);
      this.requests.push(request);
    }
    const step = isSummary ? this.#summarize : this.#script.shift() ?? this.#next();
    if (step === undefined) throw new Error("the script is at its end, yet the model was asked once more");
    const answer = typeof step === "function" ? step(request) : step;
    if (answer.hold) {
      const aborted = new Promise<"aborted">((settle) => {
        if (signal.aborted) settle("aborted");
        signal.addEventListener("abort", () => settle("aborted"), { once: true });
      });
      if (await Promise.race([answer.hold, aborted]) === "aborted") {
        yield { type: "error", error: new ReasonixError("turn.cancelled", "cancelled") };
        return;
      }
    }
    if (answer.reasoning) yield { type: "reasoning", text: answer.reasoning };
    if (answer.text) yield { type: "text", text: answer.text };
    if (answer.error) {
      yield { type: "error", error: answer.error };
      return;
    }
    const calls: ToolCall[] = (answer.calls ?? []).map((call) => ({
      id: call.id ?? `call_${++this.#calls}`,
      name: call.name,
      arguments: typeof call.args === "string" ? call.args : JSON.stringify(call.args),
    }));
    for (const [index, call] of calls.entries()) {
      yield { type: "tool_call_start", index, id: call.id, name: call.name };
      yield { type: "tool_call", index, call };
    }
    const usage = answer.usage ?? (this.#countTokens ? counted(request) : USAGE);
    yield {
      type: "done",
      answer: {
        text: answer.text ?? "",
        reasoning: answer.reasoning ?? "",
        calls,
        finish: answer.finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
        usage,
        lastUsage: usage,
      },
    };
  }

  #checkPrefix(request: ModelRequest): void {
    const last = this.requests.at(-1);
    checkPairs(request);
    if (last === undefined || this.allowNextReset) {
      this.allowNextReset = false;
      return;
    }
    assert.equal(request.system, last.system, "the system prompt changed within a session");
    assert.equal(JSON.stringify(request.tools), JSON.stringify(last.tools), "the tool list changed within a session");
    const before = last.messages.map((message) => JSON.stringify(message));
    const now = request.messages.slice(0, before.length).map((message) => JSON.stringify(message));
    assert.deepEqual(now, before, "the request does not extend the one before it");
  }
}

/** A quarter of the characters, as a real endpoint would count. */
function counted({ system, tools, messages }: ModelRequest): Usage {
  const text = messages.reduce((size, { content, tool_calls }) =>
    size + 16 + (content?.length ?? 0) +
    (tool_calls ?? []).reduce((sum, call) => sum + 16 + call.name.length + call.arguments.length, 0), 0);
  const prompt = Math.ceil((system.length + (tools.length === 0 ? 0 : JSON.stringify(tools).length) + text) / 4);
  return { prompt, completion: 10, total: prompt + 10, requestAttempts: 1 };
}

/** What holds for every request, whatever the test is about: each call has one result, each result its call. */
function checkPairs(request: ModelRequest): void {
  for (const [at, message] of request.messages.entries()) {
    assert.equal(message.local_only, undefined, "a local-only message was sent");
    for (const [offset, call] of (message.tool_calls ?? []).entries()) {
      const result = request.messages[at + 1 + offset];
      assert.equal(result?.role, "tool", `call ${call.id} has no result`);
      assert.equal(result.tool_call_id, call.id, "results stand in another order than their calls");
      assert.equal(typeof JSON.parse(call.arguments), "object", "arguments that are not JSON were sent");
    }
  }
  const calls = request.messages.flatMap((message) => message.tool_calls ?? []).length;
  assert.equal(
    request.messages.filter((message) => message.role === "tool").length,
    calls,
    "a result without its call",
  );
}
