/**
 * Reads the events of a chat completion stream. Endpoints differ in every detail the protocol leaves open; all of
 * them are read here the same way, whatever vendor it is. Text is gathered and handed out once per network read.
 */
import type { Chunk, FinishReason } from "../../contract/provider.ts";
import { isRecord } from "../../lib/json.ts";
import { ownValue } from "../../lib/own_value.ts";
import { doubtAbout, toFinish } from "../complete_answer.ts";
import { createJsonEvents } from "../json_events.ts";
import { createSpeech } from "../speech.ts";
import { type CallAssembler, createCallAssembler } from "../tool_calls.ts";
import { toUsage } from "../usage.ts";
import type { DecoderOptions, StreamDecoder, Verdict, WireUsage } from "../wire.ts";
import { createReasoningDetails } from "./reasoning_details.ts";
import { createThinkSplitter } from "./think_tags.ts";

export interface ChatDecoderOptions extends DecoderOptions {
  /** Thinking may come inside the text, between tags. */
  readonly thinkTags: boolean;
}

type Json = Record<string, unknown>;

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  end_turn: "stop",
  eos: "stop",
  tool_calls: "tool_calls",
  tool_use: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  content_filter: "content_filter",
  sensitive: "content_filter",
};

/** Finish reasons that stand for an error. */
const FINISH_ERRORS = new Set(["error", "network_error", "insufficient_system_resource", "upstream_error"]);

export function createChatDecoder(options: ChatDecoderOptions): StreamDecoder {
  return new ChatDecoder(options);
}

class ChatDecoder implements StreamDecoder {
  readonly #options: ChatDecoderOptions;
  readonly #speech = createSpeech();
  readonly #events = createJsonEvents(this.#speech);
  readonly #splitter = createThinkSplitter({
    text: (part) => this.#speech.say("text", part),
    reasoning: (part) => this.#speech.say("reasoning", part),
    wasThinking: () => this.#speech.wasReasoning(),
  });
  readonly #details = createReasoningDetails();
  readonly #calls: CallAssembler;
  #usage: WireUsage | undefined;
  #finish: FinishReason | undefined;
  #error: unknown;
  #marked = false;
  /** Reasoning came apart from the text. */
  #channel = false;

  constructor(options: ChatDecoderOptions) {
    this.#options = options;
    this.#calls = createCallAssembler(options);
  }

  get progress(): StreamDecoder["progress"] {
    return this.#marked ? "marked" : this.#finish !== undefined ? "finished" : "open";
  }

  get usage(): WireUsage | undefined {
    return this.#usage;
  }

  get outputChars(): number {
    return this.#speech.chars + this.#calls.argumentChars;
  }

  event(data: string, name: string | undefined, final: boolean): boolean {
    if (data.charCodeAt(0) === OPEN_BRACKET && data.trim() === "[DONE]") {
      this.#marked = true;
      return true;
    }
    const value = this.#events.parse(data, name, final);
    if (value) this.#chunk(value, name);
    return value !== undefined;
  }

  document(body: unknown): void {
    if (!isRecord(body)) return;
    this.#chunk(body, undefined);
    if (this.#finish !== undefined) return;
    if (Array.isArray(body.choices) && body.choices.length > 0) this.#finish = "stop";
    else if (this.#error === undefined) this.#error = body;
  }

  take(): Chunk[] {
    return this.#speech.take();
  }

  verdict(): Verdict {
    this.#splitter.end();
    this.#speech.flush();
    if (this.#error !== undefined) return { kind: "error", error: this.#error };
    if (this.progress === "open") return { kind: "cut" };
    const calls = this.#calls.finish(this.#speech.chunks, { cut: this.#finish === "length" });
    const { text, reasoning } = this.#speech;
    const stopped = this.#finish !== "length" && this.#finish !== "content_filter";
    if (text === "" && reasoning === "" && calls.length === 0 && stopped) return { kind: "empty" };
    const items = this.#details.items();
    const answer = {
      text,
      reasoning,
      calls,
      ...(items.length > 0 ? { providerItems: items } : {}),
      finish: toFinish(this.#finish, calls.length),
    };
    const { damaged } = this.#events;
    const { expectsReasoning } = this.#options;
    const doubt = doubtAbout(answer, { damaged, mendable: true, expectsReasoning });
    return { kind: "complete", answer, ...(doubt ? { doubt } : {}) };
  }

  #chunk(value: Json, name: string | undefined): void {
    if (value.error || name === "error") this.#error ??= value.error || value;
    this.#count(value.usage);
    if (isRecord(value.x_groq)) {
      this.#error ??= value.x_groq.error ?? undefined;
      if (!value.usage) this.#count(value.x_groq.usage);
    }
    if (isRecord(value.timings)) this.#usage = withTimings(this.#usage, value.timings);
    if (Array.isArray(value.choices)) { for (const one of value.choices) this.#choice(one); }
  }

  #count(usage: unknown): void {
    if (usage) this.#usage = toUsage(usage) ?? this.#usage;
  }

  #choice(value: unknown): void {
    if (!isRecord(value) || (value.index ?? 0) !== 0) return;
    this.#count(value.usage);
    if (isRecord(value.delta)) this.#delta(value.delta);
    else if (isRecord(value.message)) this.#delta(value.message);
    const reason = value.finish_reason;
    if (typeof reason !== "string" || reason === "") return;
    if (FINISH_ERRORS.has(reason)) this.#error ??= value.error ?? { message: `finish reason ${reason}`, code: reason };
    this.#finish = ownValue(FINISH, reason) ?? "stop";
  }

  #delta(value: Json): void {
    this.#think(value);
    if (value.content) this.#content(value.content, "text");
    if (typeof value.refusal === "string") this.#speech.say("text", value.refusal);
    if (Array.isArray(value.tool_calls)) { for (const call of value.tool_calls) this.#toolCall(call); }
    else if (isRecord(value.function_call)) this.#toolCall({ index: 0, function: value.function_call });
  }

  /** Reasoning that comes plain and in details at once is said once. */
  #think(value: Json): void {
    const plain = value.reasoning_content || value.reasoning;
    const details = Array.isArray(value.reasoning_details) ? this.#details.add(value.reasoning_details) : "";
    const said = typeof plain === "string" && plain !== "" ? plain : details;
    if (said === "") return;
    this.#channel = true;
    this.#speech.say("reasoning", said);
  }

  /** Content is a string, or parts of text and thinking. */
  #content(value: unknown, kind: "text" | "reasoning"): void {
    if (typeof value === "string") return this.#say(kind, value);
    for (const part of Array.isArray(value) ? value : []) {
      if (typeof part === "string") this.#say(kind, part);
      if (!isRecord(part)) continue;
      if (part.type === "thinking" || part.type === "reasoning") this.#content(part.thinking ?? part.text, "reasoning");
      else this.#content(part.text, kind);
    }
  }

  #say(kind: "text" | "reasoning", part: string): void {
    // A model with a channel for its reasoning means a tag as it stands.
    if (kind === "text" && this.#options.thinkTags && !this.#channel) this.#splitter.push(part);
    else this.#speech.say(kind, part);
  }

  #toolCall(raw: unknown): void {
    if (!isRecord(raw)) return;
    const call = isRecord(raw.function) ? raw.function : {};
    const args = call.arguments;
    this.#speech.flush();
    this.#calls.add({
      ...(typeof raw.index === "number" ? { index: raw.index } : {}),
      ...(typeof raw.id === "string" ? { id: raw.id } : {}),
      ...(typeof call.name === "string" ? { name: call.name } : {}),
      ...(typeof args === "string" ? { args } : {}),
      ...(isRecord(args) ? { wholeArgs: JSON.stringify(args) } : {}),
      ...signatureOf(raw),
    }, this.#speech.chunks);
  }
}

const OPEN_BRACKET = 91;

function signatureOf(raw: Json): { readonly signature?: string } {
  const google = isRecord(raw.extra_content) && isRecord(raw.extra_content.google) ? raw.extra_content.google : {};
  return typeof google.thought_signature === "string" ? { signature: google.thought_signature } : {};
}

/** llama.cpp counts cached tokens beside the usage. */
function withTimings(usage: WireUsage | undefined, timings: Json): WireUsage | undefined {
  if (usage === undefined || usage.cacheHit !== undefined) return usage;
  const hit = timings.cache_n;
  if (typeof hit !== "number" || hit < 0) return usage;
  const cacheHit = Math.min(hit, usage.prompt);
  return { ...usage, cacheHit, cacheMiss: usage.prompt - cacheHit };
}
