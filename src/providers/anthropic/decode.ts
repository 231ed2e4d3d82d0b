/**
 * Reads the events of a messages stream. Blocks are told apart by their index; what belongs to a kind of block that is
 * not known is kept as it came and never stands in the way of the rest.
 */
import type { FinishReason } from "../../contract/provider.ts";
import { createSpeech } from "../speech.ts";
import { createCallAssembler } from "../tool_calls.ts";
import { toUsage } from "../usage.ts";
import type { StreamDecoder, Verdict, WireUsage } from "../wire.ts";
import { type ReceivedBlock, toKeep } from "./received.ts";

export interface DecoderOptions {
  /** A tool turn without reasoning and text is odd at this endpoint. */
  readonly expectsReasoning: boolean;
  /** Ids of the conversation's earlier calls. */
  takenIds(): Iterable<string>;
  random(): number;
}

type Json = Record<string, unknown>;
type MutableBlock = { type: string } & Json;

const FINISH: Readonly<Record<string, FinishReason | "pause">> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content_filter",
  pause_turn: "pause",
};

export function createMessagesDecoder(options: DecoderOptions): StreamDecoder {
  const speech = createSpeech();
  const calls = createCallAssembler(options);
  const blocks = new Map<number, MutableBlock>();
  /** Arguments of tools the endpoint runs itself, which come in pieces like those of others. */
  const serverInput = new Map<MutableBlock, string>();
  let counts: Json = {};
  let usage: WireUsage | undefined;
  let finish: FinishReason | "pause" | undefined;
  let marked = false;
  let error: unknown;
  let damaged = 0;

  const count = (raw: unknown) => {
    if (!isObject(raw)) return;
    // Later events correct earlier ones; a zero is no correction of what was counted.
    for (const [key, value] of Object.entries(raw)) if (value || !counts[key]) counts = { ...counts, [key]: value };
    usage = toUsage(counts) ?? usage;
  };

  const stopFor = (reason: unknown, detail?: unknown) => {
    if (typeof reason !== "string" || reason === "") return;
    finish = FINISH[reason] ?? "stop";
    if (reason !== "refusal") return;
    const said = isObject(detail)
      ? [detail.category, detail.explanation].filter((part) => typeof part === "string")
      : [];
    speech.flush();
    const why = said.length > 0 ? `: ${said.join(", ").slice(0, 300)}` : "";
    speech.chunks.push({ type: "notice", code: "provider.rejected", text: `The model declined to answer${why}.` });
  };

  const start = (index: number, raw: unknown) => {
    if (!isObject(raw) || typeof raw.type !== "string" || blocks.has(index)) return;
    const block = { ...raw } as MutableBlock;
    blocks.set(index, block);
    switch (block.type) {
      case "text":
        block.text = textOf(block.text);
        speech.say("text", textOf(block.text));
        break;
      case "thinking":
        block.thinking = textOf(block.thinking);
        speech.say("reasoning", textOf(block.thinking));
        break;
      case "tool_use": {
        const whole = isObject(block.input) && Object.keys(block.input).length > 0;
        speech.flush();
        calls.add({
          index,
          ...(typeof block.id === "string" ? { id: block.id } : {}),
          ...(typeof block.name === "string" ? { name: block.name } : {}),
          ...(whole ? { wholeArgs: JSON.stringify(block.input) } : {}),
        }, speech.chunks);
      }
    }
  };

  const delta = (index: number, raw: unknown) => {
    if (!isObject(raw)) return;
    if (!blocks.has(index)) start(index, blockFor(raw));
    const block = blocks.get(index);
    if (!block) return;
    switch (raw.type) {
      case "text_delta":
        if (block.type !== "text") return;
        block.text = textOf(block.text) + textOf(raw.text);
        return speech.say("text", textOf(raw.text));
      case "thinking_delta":
        if (block.type !== "thinking") return;
        block.thinking = textOf(block.thinking) + textOf(raw.thinking);
        return speech.say("reasoning", textOf(raw.thinking));
      case "signature_delta":
        if (block.type === "thinking") block.signature = textOf(block.signature) + textOf(raw.signature);
        return;
      case "citations_delta":
        block.citations = [...(Array.isArray(block.citations) ? block.citations : []), raw.citation];
        return;
      case "input_json_delta":
        if (block.type === "tool_use") {
          speech.flush();
          calls.add({ index, args: textOf(raw.partial_json) }, speech.chunks);
        } else serverInput.set(block, (serverInput.get(block) ?? "") + textOf(raw.partial_json));
    }
  };

  const message = (raw: unknown) => {
    if (!isObject(raw)) return;
    count(raw.usage);
    if (Array.isArray(raw.content)) raw.content.forEach((block, index) => start(index, block));
    stopFor(raw.stop_reason, raw.stop_details);
  };

  const take = (value: Json, name: string | undefined): boolean => {
    const index = typeof value.index === "number" ? value.index : 0;
    switch (value.type ?? name) {
      case "message_start":
        message(value.message);
        return true;
      case "content_block_start":
        start(index, value.content_block);
        return true;
      case "content_block_delta":
        delta(index, value.delta);
        return true;
      case "message_delta":
        if (isObject(value.delta)) stopFor(value.delta.stop_reason, value.delta.stop_details);
        count(value.usage);
        return true;
      case "message_stop":
        marked = true;
        return true;
      case "content_block_stop":
        return true;
      case "error":
        error ??= value.error || value;
        return true;
      case "ping":
        return false;
      default:
        if (value.error) error ??= value.error;
        return value.error !== undefined;
    }
  };

  const unreadable = (data: string, name: string | undefined, final: boolean): boolean => {
    if (data === "" || data.startsWith(":") || final || name === "ping") return false;
    if (name === "error") {
      error ??= data;
      return true;
    }
    if (damaged++ === 0) {
      speech.flush();
      speech.chunks.push({ type: "notice", code: "provider.bad_response", text: SKIPPED });
    }
    return false;
  };

  return {
    event(data, name, final) {
      const text = data.trim();
      if (text === "[DONE]") {
        marked = true;
        return true;
      }
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return unreadable(text, name, final);
      }
      return isObject(value) && take(value, name);
    },

    document(body) {
      if (!isObject(body)) return;
      if (body.type === "error" || body.error) error ??= body.error || body;
      else if (Array.isArray(body.content)) {
        message(body);
        finish ??= "stop";
      } else error = body;
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
      speech.flush();
      if (error !== undefined) return { kind: "error", error };
      if (finish === undefined && !marked) return { kind: "cut" };
      const finished = calls.finish(speech.chunks, { cut: finish === "length" });
      const ordered = [...blocks].sort(([a], [b]) => a - b).map(([, block]) =>
        withInput(block, serverInput.get(block))
      );
      const { text, reasoning } = speech;
      const silent = text === "" && reasoning === "" && finished.length === 0;
      if (silent && finish !== "length" && finish !== "content_filter" && ordered.every(saysNothing)) {
        return { kind: "empty" };
      }
      const signature = ordered.findLast((block) => block.type === "thinking")?.signature;
      const items = finish === "pause" ? ordered : toKeep(ordered);
      const answer = {
        text,
        reasoning,
        ...(typeof signature === "string" && signature !== "" ? { reasoningSignature: signature } : {}),
        calls: finished,
        ...(items ? { providerItems: items } : {}),
        finish: toFinish(finish, finished.length > 0),
      };
      if (finish === "pause" && finished.length === 0) return { kind: "paused", answer };
      if (damaged > 0 && finished.length > 0) {
        // A lost piece of arguments can leave valid JSON that says something else.
        const sound = finished.every((call) => isJson(call.arguments));
        return { kind: "complete", answer, doubt: { reason: DAMAGED, tries: 2, refuse: !sound } };
      }
      if (options.expectsReasoning && finished.length > 0 && text === "" && reasoning === "") {
        return { kind: "complete", answer, doubt: { reason: NO_REASONING, tries: 1, refuse: false } };
      }
      return { kind: "complete", answer };
    },
  };
}

const SKIPPED = "A line of the model's stream was not JSON and was skipped.";
const DAMAGED = "part of a stream that called tools was not readable";
const NO_REASONING = "the model called tools without the reasoning it must give";

/** Calls make a stop a call for tools, and without calls there is none, whatever the endpoint says. */
function toFinish(said: FinishReason | "pause" | undefined, calls: boolean): FinishReason {
  if (said === "length" || said === "content_filter") return said;
  return calls ? "tool_calls" : "stop";
}

/** The block that a delta belongs to whose start was lost. Calls have no name then, and are not made up. */
function blockFor(delta: Json): Json | undefined {
  if (delta.type === "text_delta") return { type: "text", text: "" };
  if (delta.type === "thinking_delta" || delta.type === "signature_delta") return { type: "thinking", thinking: "" };
  return undefined;
}

function withInput(block: MutableBlock, json: string | undefined): ReceivedBlock {
  if (json === undefined || json === "") return block;
  try {
    return { ...block, input: JSON.parse(json) };
  } catch {
    return block;
  }
}

const saysNothing = (block: ReceivedBlock): boolean => block.type === "text" || block.type === "thinking";
const textOf = (value: unknown): string => typeof value === "string" ? value : "";
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
