/**
 * Reads the events of a chat completion stream. Endpoints differ in every detail the protocol leaves open; all of
 * them are read here the same way, whatever vendor it is. Text is gathered and handed out once per network read.
 */
import type { FinishReason } from "../../contract/provider.ts";
import { isRecord } from "../../lib/json.ts";
import { doubtAbout, toFinish } from "../complete_answer.ts";
import { createJsonEvents } from "../json_events.ts";
import { createSpeech } from "../speech.ts";
import { createCallAssembler } from "../tool_calls.ts";
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
  const speech = createSpeech();
  const { say, flush } = speech;
  const events = createJsonEvents(speech);
  let finish: FinishReason | undefined;
  let marked = false;
  let error: unknown;
  let usage: WireUsage | undefined;
  const calls = createCallAssembler(options);
  const details = createReasoningDetails();
  /** Reasoning came apart from the text. */
  let channel = false;

  const splitter = createThinkSplitter({
    text: (part) => say("text", part),
    reasoning: (part) => say("reasoning", part),
    wasThinking: speech.wasReasoning,
  });
  const sayText = (part: string) => {
    // A model with a channel for its reasoning means a tag as it stands.
    if (options.thinkTags && !channel) splitter.push(part);
    else say("text", part);
  };

  /** Content is a string, or parts of text and thinking. */
  const content = (value: unknown, kind: "text" | "reasoning") => {
    if (typeof value === "string") return kind === "text" ? sayText(value) : say(kind, value);
    for (const part of Array.isArray(value) ? value : []) {
      if (typeof part === "string") content(part, kind);
      if (!isRecord(part)) continue;
      if (part.type === "thinking" || part.type === "reasoning") content(part.thinking ?? part.text, "reasoning");
      else content(part.text, kind);
    }
  };

  const toolCall = (raw: unknown) => {
    if (!isRecord(raw)) return;
    const call = isRecord(raw.function) ? raw.function : {};
    const args = call.arguments;
    flush();
    calls.add({
      ...(typeof raw.index === "number" ? { index: raw.index } : {}),
      ...(typeof raw.id === "string" ? { id: raw.id } : {}),
      ...(typeof call.name === "string" ? { name: call.name } : {}),
      ...(typeof args === "string" ? { args } : {}),
      ...(isRecord(args) ? { wholeArgs: JSON.stringify(args) } : {}),
      ...signatureOf(raw),
    }, speech.chunks);
  };

  const delta = (value: Json) => {
    const said = value.reasoning_content || value.reasoning;
    const spoken = typeof said === "string" && said !== "";
    if (spoken) {
      channel = true;
      say("reasoning", said);
    }
    if (Array.isArray(value.reasoning_details)) {
      const detail = details.add(value.reasoning_details);
      if (!spoken && detail !== "") {
        channel = true;
        say("reasoning", detail);
      }
    }
    if (value.content) content(value.content, "text");
    if (typeof value.refusal === "string") say("text", value.refusal);
    if (Array.isArray(value.tool_calls)) { for (const call of value.tool_calls) toolCall(call); }
    else if (isRecord(value.function_call)) toolCall({ index: 0, function: value.function_call });
  };

  const choice = (value: unknown) => {
    if (!isRecord(value) || (value.index ?? 0) !== 0) return;
    if (value.usage) usage = toUsage(value.usage) ?? usage;
    if (isRecord(value.delta)) delta(value.delta);
    else if (isRecord(value.message)) delta(value.message);
    const reason = value.finish_reason;
    if (typeof reason !== "string" || reason === "") return;
    if (FINISH_ERRORS.has(reason)) error ??= value.error ?? { message: `finish reason ${reason}`, code: reason };
    finish = FINISH[reason] ?? "stop";
  };

  const chunk = (value: Json, name: string | undefined) => {
    if (value.error || name === "error") error ??= value.error || value;
    if (value.usage) usage = toUsage(value.usage) ?? usage;
    if (isRecord(value.x_groq)) {
      error ??= value.x_groq.error;
      if (!value.usage) usage = toUsage(value.x_groq.usage) ?? usage;
    }
    if (isRecord(value.timings) && usage && usage.cacheHit === undefined) usage = withTimings(usage, value.timings);
    if (Array.isArray(value.choices)) { for (const one of value.choices) choice(one); }
  };

  return {
    event(data, name, final) {
      if (data.charCodeAt(0) === OPEN_BRACKET && data.trim() === "[DONE]") {
        marked = true;
        return true;
      }
      const value = events.parse(data, name, final);
      if (value) chunk(value, name);
      return value !== undefined;
    },

    document(body) {
      if (!isRecord(body)) return;
      chunk(body, undefined);
      if (finish === undefined && Array.isArray(body.choices) && body.choices.length > 0) finish = "stop";
      if (finish === undefined && error === undefined) error = body;
    },

    take: speech.take,

    get progress() {
      return marked ? "marked" : finish !== undefined ? "finished" : "open";
    },
    get usage() {
      return usage;
    },
    get outputChars() {
      return speech.chars + calls.argumentChars;
    },

    verdict(): Verdict {
      splitter.end();
      flush();
      if (error !== undefined) return { kind: "error", error };
      if (finish === undefined && !marked) return { kind: "cut" };
      const { text, reasoning } = speech;
      const finished = calls.finish(speech.chunks, { cut: finish === "length" });
      if (
        text === "" && reasoning === "" && finished.length === 0 && finish !== "length" && finish !== "content_filter"
      ) {
        return { kind: "empty" };
      }
      const items = details.items();
      const answer = {
        text,
        reasoning,
        calls: finished,
        ...(items.length > 0 ? { providerItems: items } : {}),
        finish: toFinish(finish, finished.length),
      };
      const { damaged } = events;
      const doubt = doubtAbout(answer, { damaged, mendable: true, expectsReasoning: options.expectsReasoning });
      return { kind: "complete", answer, ...(doubt ? { doubt } : {}) };
    },
  };
}

const OPEN_BRACKET = 91;

function signatureOf(raw: Json): { readonly signature?: string } {
  const google = isRecord(raw.extra_content) && isRecord(raw.extra_content.google) ? raw.extra_content.google : {};
  return typeof google.thought_signature === "string" ? { signature: google.thought_signature } : {};
}

/** llama.cpp counts cached tokens beside the usage. */
function withTimings(usage: WireUsage, timings: Json): WireUsage {
  const hit = timings.cache_n;
  if (typeof hit !== "number" || hit < 0) return usage;
  const cacheHit = Math.min(hit, usage.prompt);
  return { ...usage, cacheHit, cacheMiss: usage.prompt - cacheHit };
}
