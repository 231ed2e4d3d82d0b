/**
 * Reads the events of a messages stream. Blocks are told apart by their index; what belongs to a kind of block that is
 * not known is kept as it came and never stands in the way of the rest.
 */
import type { ToolCall } from "../../contract/message.ts";
import type { Chunk, FinishReason } from "../../contract/provider.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { ownValue } from "../../lib/own_value.ts";
import { doubtAbout, toFinish } from "../complete_answer.ts";
import { createJsonEvents } from "../json_events.ts";
import { createSpeech } from "../speech.ts";
import { type CallAssembler, createCallAssembler } from "../tool_calls.ts";
import { toUsage } from "../usage.ts";
import type { DecoderOptions, StreamDecoder, Verdict, WireAnswer, WireUsage } from "../wire.ts";
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
  return new MessagesDecoder(options);
}

class MessagesDecoder implements StreamDecoder {
  readonly #options: DecoderOptions;
  readonly #speech = createSpeech();
  readonly #events = createJsonEvents(this.#speech);
  readonly #calls: CallAssembler;
  readonly #blocks = new Map<number, MutableBlock>();
  /** Arguments of tools the endpoint runs itself, which come in pieces like those of others. */
  readonly #serverInput = new Map<MutableBlock, string>();
  #counts: Json = {};
  #usage: WireUsage | undefined;
  #finish: FinishReason | "pause" | undefined;
  #error: unknown;
  #marked = false;

  constructor(options: DecoderOptions) {
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
    const text = data.trim();
    if (text === "[DONE]") {
      this.#marked = true;
      return true;
    }
    const value = this.#events.parse(text, name, final);
    return value !== undefined && this.#read(value, name);
  }

  document(body: unknown): void {
    if (!isRecord(body)) return;
    if (body.type === "error" || body.error) this.#error ??= body.error || body;
    else if (Array.isArray(body.content)) {
      this.#message(body);
      this.#finish ??= "stop";
    } else this.#error = body;
  }

  take(): Chunk[] {
    return this.#speech.take();
  }

  verdict(): Verdict {
    this.#speech.flush();
    if (this.#error !== undefined) return { kind: "error", error: this.#error };
    if (this.progress === "open") return { kind: "cut" };
    const finish = this.#finish;
    const calls = this.#calls.finish(this.#speech.chunks, { cut: finish === "length" });
    const blocks = this.#received();
    const answer = this.#answer(calls, blocks);
    const silent = answer.text === "" && answer.reasoning === "" && calls.length === 0;
    if (silent && finish !== "length" && finish !== "content_filter" && blocks.every(saysNothing)) {
      return { kind: "empty" };
    }
    if (finish === "pause" && calls.length === 0) return { kind: "paused", answer };
    const { damaged } = this.#events;
    const { expectsReasoning } = this.#options;
    const doubt = doubtAbout(answer, { damaged, mendable: true, expectsReasoning });
    return { kind: "complete", answer, ...(doubt ? { doubt } : {}) };
  }

  /** The blocks in order, with the arguments that came in pieces. */
  #received(): readonly ReceivedBlock[] {
    const ordered = [...this.#blocks].sort(([a], [b]) => a - b);
    return ordered.map(([, block]) => withInput(block, this.#serverInput.get(block)));
  }

  #answer(calls: readonly ToolCall[], blocks: readonly ReceivedBlock[]): WireAnswer {
    const finish = this.#finish === "pause" ? undefined : this.#finish;
    const signature = blocks.findLast((block) => block.type === "thinking")?.signature;
    const items = this.#finish === "pause" ? blocks : toKeep(blocks);
    return {
      text: this.#speech.text,
      reasoning: this.#speech.reasoning,
      ...(typeof signature === "string" && signature !== "" ? { reasoningSignature: signature } : {}),
      calls,
      ...(items ? { providerItems: items } : {}),
      finish: toFinish(finish, calls.length),
    };
  }

  /** True when the event belongs to an answer. */
  #read(value: Json, name: string | undefined): boolean {
    const index = typeof value.index === "number" ? value.index : 0;
    switch (value.type ?? name) {
      case "message_start":
        this.#message(value.message);
        return true;
      case "content_block_start":
        this.#start(index, value.content_block);
        return true;
      case "content_block_delta":
        this.#delta(index, value.delta);
        return true;
      case "message_delta":
        if (isRecord(value.delta)) this.#stopFor(value.delta.stop_reason, value.delta.stop_details);
        this.#count(value.usage);
        return true;
      case "message_stop":
        this.#marked = true;
        return true;
      case "content_block_stop":
        return true;
      case "error":
        this.#error ??= value.error || value;
        return true;
      case "ping":
        return false;
      default:
        if (value.error) this.#error ??= value.error;
        return value.error !== undefined;
    }
  }

  #message(raw: unknown): void {
    if (!isRecord(raw)) return;
    this.#count(raw.usage);
    if (Array.isArray(raw.content)) raw.content.forEach((block, index) => this.#start(index, block));
    this.#stopFor(raw.stop_reason, raw.stop_details);
  }

  #count(raw: unknown): void {
    if (!isRecord(raw)) return;
    // Later events correct earlier ones; a zero is no correction of what was counted.
    for (const [key, value] of Object.entries(raw)) {
      if (value || !this.#counts[key]) this.#counts = { ...this.#counts, [key]: value };
    }
    this.#usage = toUsage(this.#counts) ?? this.#usage;
  }

  #stopFor(reason: unknown, detail: unknown): void {
    if (typeof reason !== "string" || reason === "") return;
    this.#finish = ownValue(FINISH, reason) ?? "stop";
    if (reason !== "refusal") return;
    const text = `The model declined to answer${whyDeclined(detail)}.`;
    this.#speech.flush();
    this.#speech.chunks.push({ type: "notice", code: "provider.rejected", text });
  }

  #start(index: number, raw: unknown): void {
    if (!isRecord(raw) || typeof raw.type !== "string" || this.#blocks.has(index)) return;
    const block = { ...raw } as MutableBlock;
    this.#blocks.set(index, block);
    switch (block.type) {
      case "text":
        block.text = textOf(block.text);
        return this.#speech.say("text", textOf(block.text));
      case "thinking":
        block.thinking = textOf(block.thinking);
        return this.#speech.say("reasoning", textOf(block.thinking));
      case "tool_use":
        return this.#startCall(index, block);
    }
  }

  #startCall(index: number, { id, name, input }: Json): void {
    const whole = isRecord(input) && Object.keys(input).length > 0;
    this.#speech.flush();
    this.#calls.add({
      index,
      ...(typeof id === "string" ? { id } : {}),
      ...(typeof name === "string" ? { name } : {}),
      ...(whole ? { wholeArgs: JSON.stringify(input) } : {}),
    }, this.#speech.chunks);
  }

  #delta(index: number, raw: unknown): void {
    if (!isRecord(raw)) return;
    if (!this.#blocks.has(index)) this.#start(index, blockFor(raw));
    const block = this.#blocks.get(index);
    if (!block) return;
    switch (raw.type) {
      case "text_delta":
        if (block.type !== "text") return;
        block.text = textOf(block.text) + textOf(raw.text);
        return this.#speech.say("text", textOf(raw.text));
      case "thinking_delta":
        if (block.type !== "thinking") return;
        block.thinking = textOf(block.thinking) + textOf(raw.thinking);
        return this.#speech.say("reasoning", textOf(raw.thinking));
      case "signature_delta":
        if (block.type === "thinking") block.signature = textOf(block.signature) + textOf(raw.signature);
        return;
      case "citations_delta":
        block.citations = [...(Array.isArray(block.citations) ? block.citations : []), raw.citation];
        return;
      case "input_json_delta":
        if (block.type === "tool_use") {
          this.#speech.flush();
          this.#calls.add({ index, args: textOf(raw.partial_json) }, this.#speech.chunks);
        } else this.#serverInput.set(block, (this.#serverInput.get(block) ?? "") + textOf(raw.partial_json));
    }
  }
}

function whyDeclined(detail: unknown): string {
  if (!isRecord(detail)) return "";
  const said = [detail.category, detail.explanation].filter((part) => typeof part === "string");
  return said.length > 0 ? `: ${said.join(", ").slice(0, 300)}` : "";
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
