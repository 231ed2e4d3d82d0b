/**
 * Reads the events of a responses stream. Items are told apart by their place in the output, since some endpoints give
 * them another id in every event. What came in pieces is not taken again from the events that repeat it whole.
 */
import type { Chunk, FinishReason } from "../../contract/provider.ts";
import { isRecord } from "../../lib/json.ts";
import { doubtAbout } from "../complete_answer.ts";
import { createJsonEvents } from "../json_events.ts";
import { createSpeech } from "../speech.ts";
import { type CallAssembler, createCallAssembler } from "../tool_calls.ts";
import { toUsage } from "../usage.ts";
import type { DecoderOptions, Doubt, StreamDecoder, Verdict, WireUsage } from "../wire.ts";
import { type ReceivedItem, textOf, toKeep } from "./received.ts";

export interface ResponsesDecoderOptions extends DecoderOptions {
  /** Told the id of a complete response. */
  completed?(id: string): void;
}

type Json = Record<string, unknown>;

interface Output {
  /** As received last. */
  item: Json;
  /** Text or reasoning of it was said already. */
  said: boolean;
  done: boolean;
  argumentsDone: boolean;
}

export function createResponsesDecoder(options: ResponsesDecoderOptions): StreamDecoder {
  return new ResponsesDecoder(options);
}

class ResponsesDecoder implements StreamDecoder {
  readonly #options: ResponsesDecoderOptions;
  readonly #speech = createSpeech();
  readonly #events = createJsonEvents(this.#speech);
  readonly #calls: CallAssembler;
  readonly #outputs = new Map<number, Output>();
  #responseId: string | undefined;
  #usage: WireUsage | undefined;
  #finish: FinishReason | undefined;
  #error: unknown;

  constructor(options: ResponsesDecoderOptions) {
    this.#options = options;
    this.#calls = createCallAssembler(options);
  }

  get progress(): StreamDecoder["progress"] {
    return this.#finish !== undefined ? "marked" : "open";
  }

  get usage(): WireUsage | undefined {
    return this.#usage;
  }

  get outputChars(): number {
    return this.#speech.chars + this.#calls.argumentChars;
  }

  event(data: string, name: string | undefined, final: boolean): boolean {
    const text = data.trim();
    // It follows a response that has ended, and alone ends none.
    if (text === "[DONE]") return true;
    const value = this.#events.parse(text, name, final);
    return value !== undefined && this.#read(value, value.type ?? name);
  }

  document(body: unknown): void {
    if (!isRecord(body)) return;
    if (body.error) this.#error ??= body.error;
    else if (body.status === "failed" || !Array.isArray(body.output)) this.#error ??= body;
    else this.#end(body, body.status === "incomplete" ? whyIncomplete(body) : "stop");
  }

  take(): Chunk[] {
    return this.#speech.take();
  }

  verdict(): Verdict {
    this.#speech.flush();
    if (this.#error !== undefined) return { kind: "error", error: this.#error };
    const finish = this.#finish;
    if (finish === undefined) return { kind: "cut" };
    const ordered = [...this.#outputs].sort(([a], [b]) => a - b).map(([, output]) => output);
    const calls = this.#calls.finish(this.#speech.chunks, { cut: finish === "length" });
    const { text, reasoning } = this.#speech;
    const silent = text === "" && reasoning === "" && ordered.every(({ item }) => SILENT.has(String(item.type)));
    if (silent && finish === "stop") return { kind: "empty" };
    const items = toKeep(ordered.map(({ item }) => item as ReceivedItem));
    const answer = {
      text,
      reasoning,
      calls,
      ...(items ? { providerItems: items } : {}),
      finish: finish === "stop" && calls.length > 0 ? "tool_calls" as const : finish,
    };
    const { damaged } = this.#events;
    const { expectsReasoning } = this.#options;
    const doubt = oddCalls(ordered, finish) ?? doubtAbout(answer, { damaged, mendable: false, expectsReasoning });
    if (doubt) return { kind: "complete", answer, doubt };
    if (finish === "stop" && this.#responseId !== undefined) this.#options.completed?.(this.#responseId);
    return { kind: "complete", answer };
  }

  /** An event about an item, or else about the response. True when it belongs to an answer. */
  #read(value: Json, type: unknown): boolean {
    switch (type) {
      case "response.output_item.added":
        this.#added(value);
        return true;
      case "response.output_item.done":
        if (isRecord(value.item)) this.#done(this.#indexOf(value), value.item);
        return true;
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.#say("text", this.#indexOf(value), value.delta);
        return true;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#say("reasoning", this.#indexOf(value), value.delta);
        return true;
      case "response.function_call_arguments.delta":
        this.#addArguments(this.#indexOf(value), value.delta);
        return true;
      case "response.function_call_arguments.done":
        this.#endArguments(this.#indexOf(value), value.arguments);
        return true;
      default:
        return this.#readResponse(value, type);
    }
  }

  #readResponse(value: Json, type: unknown): boolean {
    switch (type) {
      case "response.created":
      case "response.in_progress":
      case "response.queued":
        this.#learn(value.response);
        return type === "response.created";
      case "response.completed":
        this.#end(value.response, "stop");
        return true;
      case "response.incomplete":
        this.#end(value.response, whyIncomplete(value.response));
        return true;
      case "response.failed":
        this.#learn(value.response);
        this.#error ??= whyFailed(value.response);
        return true;
      case "error":
        this.#error ??= value.error ?? value;
        return true;
      default:
        if (Array.isArray(value.choices)) this.#error ??= OTHER_PROTOCOL;
        else if (value.error) this.#error ??= value.error;
        return typeof type === "string" && type.startsWith("response.");
    }
  }

  /** An event that does not say which item it is about is about the latest. */
  #indexOf({ output_index: index }: Json): number {
    return typeof index === "number" ? index : Math.max(0, this.#outputs.size - 1);
  }

  #outputAt(index: number): Output {
    let output = this.#outputs.get(index);
    if (!output) this.#outputs.set(index, output = { item: {}, said: false, done: false, argumentsDone: false });
    return output;
  }

  #added({ output_index, item }: Json): void {
    if (!isRecord(item)) return;
    const index = typeof output_index === "number" ? output_index : this.#outputs.size;
    const output = this.#outputAt(index);
    output.item = { ...output.item, ...item };
    if (item.type === "function_call") this.#call(index, item);
  }

  #done(index: number, item: Json): void {
    const output = this.#outputAt(index);
    const repeated = output.done;
    output.item = { ...output.item, ...item };
    output.done = item.status !== "incomplete";
    if (item.type === "function_call") {
      if (!repeated) this.#call(index, item, { args: item.arguments });
    } else if (!output.said) {
      if (item.type === "message") this.#say("text", index, textOf(item));
      if (item.type === "reasoning") this.#say("reasoning", index, textOf({ content: item.summary }) || textOf(item));
    }
  }

  #say(kind: "text" | "reasoning", index: number, part: unknown): void {
    if (typeof part !== "string" || part === "") return;
    this.#outputAt(index).said = true;
    this.#speech.say(kind, part);
  }

  #addArguments(index: number, args: unknown): void {
    if (typeof args !== "string" || this.#outputs.get(index)?.item.type !== "function_call") return;
    this.#speech.flush();
    this.#calls.add({ index, args }, this.#speech.chunks);
  }

  #endArguments(index: number, args: unknown): void {
    const output = this.#outputs.get(index);
    if (output?.item.type !== "function_call" || output.done) return;
    this.#call(index, output.item, { args });
    output.argumentsDone = true;
  }

  /** `whole`: the item is complete, and its id and arguments are those that count. */
  #call(index: number, item: Json, whole?: { readonly args: unknown }): void {
    const wholeArgs = whole?.args;
    this.#speech.flush();
    this.#calls.add({
      index,
      final: whole !== undefined,
      ...(typeof item.call_id === "string" ? { id: item.call_id } : {}),
      ...(typeof item.name === "string" ? { name: item.name } : {}),
      ...(typeof wholeArgs === "string" ? { wholeArgs } : {}),
    }, this.#speech.chunks);
  }

  #end(response: unknown, reason: FinishReason): void {
    this.#finish = reason;
    this.#learn(response);
    if (!isRecord(response) || !Array.isArray(response.output)) return;
    response.output.forEach((item, index) => {
      if (isRecord(item) && !this.#outputs.get(index)?.done) this.#done(index, item);
    });
  }

  #learn(response: unknown): void {
    if (!isRecord(response)) return;
    if (typeof response.id === "string") this.#responseId = response.id;
    if (response.usage) this.#usage = toUsage(response.usage) ?? this.#usage;
  }
}

function whyIncomplete(response: unknown): FinishReason {
  const detail = isRecord(response) && isRecord(response.incomplete_details) ? response.incomplete_details : {};
  return detail.reason === "content_filter" ? "content_filter" : "length";
}

function whyFailed(response: unknown): unknown {
  return (isRecord(response) ? response.error : undefined) ?? { message: "the response failed" };
}

/** A call that cannot be understood refuses the whole response; one cut at the output limit is the loop's to tell. */
function oddCalls(outputs: readonly Output[], finish: FinishReason): Doubt | undefined {
  const asked = outputs.filter(({ item }) => item.type === "function_call");
  if (asked.some(({ item }) => typeof item.name !== "string" || item.name === "")) {
    return refusal("responses.invalid_function_call: the response calls a function without naming it");
  }
  if (finish === "stop" && asked.some(({ done, argumentsDone }) => !done && !argumentsDone)) {
    return refusal("responses.unfinished_function_call: the response ended inside a function call");
  }
  return undefined;
}

const refusal = (reason: string): Doubt => ({ reason, tries: 1, refuse: true, code: "provider.invalid_call" });

/** Items that say nothing by being there. */
const SILENT = new Set(["message", "reasoning", "undefined"]);
const OTHER_PROTOCOL = {
  type: "invalid_request_error",
  message: 'a chat completion came in place of a response; set kind = "openai" for this provider',
};
