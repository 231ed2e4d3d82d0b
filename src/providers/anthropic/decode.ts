/**
 * Reads the events of a messages stream. Blocks are told apart by their index; what belongs to a kind of block that is
 * not known is kept as it came and never stands in the way of the rest.
 */
import type { FinishReason } from "../../contract/provider.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { doubtAbout, toFinish } from "../complete_answer.ts";
import { createJsonEvents } from "../json_events.ts";
import { createSpeech } from "../speech.ts";
import { createCallAssembler } from "../tool_calls.ts";
import { toUsage } from "../usage.ts";
import type { DecoderOptions, StreamDecoder, Verdict, WireUsage } from "../wire.ts";
import { type ReceivedBlock, toKeep } from "./received.ts";

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
  const events = createJsonEvents(speech);
  const calls = createCallAssembler(options);
  const blocks = new Map<number, MutableBlock>();
  /** Arguments of tools the endpoint runs itself, which come in pieces like those of others. */
  const serverInput = new Map<MutableBlock, string>();
  let counts: Json = {};
  let usage: WireUsage | undefined;
  let finish: FinishReason | "pause" | undefined;
  let marked = false;
  let error: unknown;

  const count = (raw: unknown) => {
    if (!isRecord(raw)) return;
    // Later events correct earlier ones; a zero is no correction of what was counted.
    for (const [key, value] of Object.entries(raw)) if (value || !counts[key]) counts = { ...counts, [key]: value };
    usage = toUsage(counts) ?? usage;
  };

  const stopFor = (reason: unknown, detail?: unknown) => {
    if (typeof reason !== "string" || reason === "") return;
    finish = FINISH[reason] ?? "stop";
    if (reason !== "refusal") return;
    const said = isRecord(detail)
      ? [detail.category, detail.explanation].filter((part) => typeof part === "string")
      : [];
    speech.flush();
    const why = said.length > 0 ? `: ${said.join(", ").slice(0, 300)}` : "";
    speech.chunks.push({ type: "notice", code: "provider.rejected", text: `The model declined to answer${why}.` });
  };

  const start = (index: number, raw: unknown) => {
    if (!isRecord(raw) || typeof raw.type !== "string" || blocks.has(index)) return;
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
        const whole = isRecord(block.input) && Object.keys(block.input).length > 0;
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
    if (!isRecord(raw)) return;
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
    if (!isRecord(raw)) return;
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
        if (isRecord(value.delta)) stopFor(value.delta.stop_reason, value.delta.stop_details);
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

  return {
    event(data, name, final) {
      const text = data.trim();
      if (text === "[DONE]") {
        marked = true;
        return true;
      }
      const value = events.parse(text, name, final);
      return value !== undefined && take(value, name);
    },

    document(body) {
      if (!isRecord(body)) return;
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
        finish: toFinish(finish === "pause" ? undefined : finish, finished.length),
      };
      if (finish === "pause" && finished.length === 0) return { kind: "paused", answer };
      const { damaged } = events;
      const doubt = doubtAbout(answer, { damaged, mendable: true, expectsReasoning: options.expectsReasoning });
      return { kind: "complete", answer, ...(doubt ? { doubt } : {}) };
    },
  };
}

/** The block that a delta belongs to whose start was lost. Calls have no name then, and are not made up. */
function blockFor(delta: Json): Json | undefined {
  if (delta.type === "text_delta") return { type: "text", text: "" };
  if (delta.type === "thinking_delta" || delta.type === "signature_delta") return { type: "thinking", thinking: "" };
  return undefined;
}

function withInput(block: MutableBlock, json: string | undefined): ReceivedBlock {
  const input = parseJson(json ?? "");
  return input === undefined ? block : { ...block, input };
}

const saysNothing = (block: ReceivedBlock): boolean => block.type === "text" || block.type === "thinking";
const textOf = (value: unknown): string => typeof value === "string" ? value : "";
