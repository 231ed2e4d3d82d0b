/**
 * Reads the events of a responses stream. Items are told apart by their place in the output, since some endpoints give
 * them another id in every event. What came in pieces is not taken again from the events that repeat it whole.
 */
import type { FinishReason } from "../../contract/provider.ts";
import { isRecord } from "../../lib/json.ts";
import { doubtAbout } from "../complete_answer.ts";
import { createJsonEvents } from "../json_events.ts";
import { createSpeech } from "../speech.ts";
import { createCallAssembler } from "../tool_calls.ts";
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
  const speech = createSpeech();
  const events = createJsonEvents(speech);
  const calls = createCallAssembler(options);
  const outputs = new Map<number, Output>();
  let responseId: string | undefined;
  let usage: WireUsage | undefined;
  let finish: FinishReason | undefined;
  let error: unknown;
  let marked = false;

  const outputAt = (index: number, item: Json = {}): Output => {
    let output = outputs.get(index);
    if (!output) outputs.set(index, output = { item, said: false, done: false, argumentsDone: false });
    return output;
  };

  const say = (kind: "text" | "reasoning", index: number, part: unknown) => {
    if (typeof part !== "string" || part === "") return;
    outputAt(index).said = true;
    speech.say(kind, part);
  };

  /** `whole`: the item is complete, and its id and arguments are those that count. */
  const call = (index: number, item: Json, whole?: { readonly args: unknown }) => {
    const wholeArgs = whole?.args;
    speech.flush();
    calls.add({
      index,
      final: whole !== undefined,
      ...(typeof item.call_id === "string" ? { id: item.call_id } : {}),
      ...(typeof item.name === "string" ? { name: item.name } : {}),
      ...(typeof wholeArgs === "string" ? { wholeArgs } : {}),
    }, speech.chunks);
  };

  const added = (index: number, item: Json) => {
    const output = outputAt(index, item);
    output.item = { ...output.item, ...item };
    if (item.type === "function_call") call(index, item);
  };

  const done = (index: number, item: Json) => {
    const output = outputAt(index);
    const repeated = output.done;
    output.item = { ...output.item, ...item };
    output.done = item.status !== "incomplete";
    if (item.type === "function_call") return repeated ? undefined : call(index, item, { args: item.arguments });
    if (output.said) return;
    if (item.type === "message") say("text", index, textOf(item));
    if (item.type === "reasoning") say("reasoning", index, textOf({ content: item.summary }) || textOf(item));
  };

  const end = (response: unknown, reason: FinishReason) => {
    marked = true;
    finish = reason;
    if (!isRecord(response)) return;
    about(response);
    if (!Array.isArray(response.output)) return;
    response.output.forEach((item, index) => {
      if (isRecord(item) && !outputs.get(index)?.done) done(index, item);
    });
  };

  const about = (response: unknown) => {
    if (!isRecord(response)) return;
    if (typeof response.id === "string") responseId = response.id;
    if (response.usage) usage = toUsage(response.usage) ?? usage;
  };

  const incomplete = (response: unknown): FinishReason => {
    const detail = isRecord(response) && isRecord(response.incomplete_details) ? response.incomplete_details : {};
    return detail.reason === "content_filter" ? "content_filter" : "length";
  };

  const take = (value: Json, name: string | undefined): boolean => {
    const index = typeof value.output_index === "number" ? value.output_index : Math.max(0, outputs.size - 1);
    const type = value.type ?? name;
    switch (type) {
      case "response.created":
      case "response.in_progress":
      case "response.queued":
        about(value.response);
        return type === "response.created";
      case "response.output_item.added":
        if (isRecord(value.item)) added(typeof value.output_index === "number" ? index : outputs.size, value.item);
        return true;
      case "response.output_item.done":
        if (isRecord(value.item)) done(index, value.item);
        return true;
      case "response.output_text.delta":
      case "response.refusal.delta":
        say("text", index, value.delta);
        return true;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        say("reasoning", index, value.delta);
        return true;
      case "response.function_call_arguments.delta":
        if (typeof value.delta !== "string" || outputs.get(index)?.item.type !== "function_call") return true;
        speech.flush();
        calls.add({ index, args: value.delta }, speech.chunks);
        return true;
      case "response.function_call_arguments.done": {
        const output = outputs.get(index);
        if (output?.item.type !== "function_call" || output.done) return true;
        call(index, output.item, { args: value.arguments });
        output.argumentsDone = true;
        return true;
      }
      case "response.completed":
        end(value.response, "stop");
        return true;
      case "response.incomplete":
        end(value.response, incomplete(value.response));
        return true;
      case "response.failed": {
        about(value.response);
        const { response } = value;
        error ??= (isRecord(response) ? response.error : undefined) ?? { message: "the response failed" };
        return true;
      }
      case "error":
        error ??= value.error ?? value;
        return true;
      default:
        if (Array.isArray(value.choices)) error ??= OTHER_PROTOCOL;
        else if (value.error) error ??= value.error;
        return typeof type === "string" && type.startsWith("response.");
    }
  };

  return {
    event(data, name, final) {
      const text = data.trim();
      // It follows a response that has ended, and alone ends none.
      if (text === "[DONE]") return true;
      const value = events.parse(text, name, final);
      return value !== undefined && take(value, name);
    },

    document(body) {
      if (!isRecord(body)) return;
      if (body.error) error ??= body.error;
      else if (body.status === "failed" || !Array.isArray(body.output)) error ??= body;
      else end(body, body.status === "incomplete" ? incomplete(body) : "stop");
    },

    take: speech.take,

    get progress() {
      return marked ? "marked" : "open";
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
      if (finish === undefined) return { kind: "cut" };
      const ordered = [...outputs].sort(([a], [b]) => a - b).map(([, output]) => output);
      const asked = ordered.filter(({ item }) => item.type === "function_call");
      const finished = calls.finish(speech.chunks, { cut: finish === "length" });
      const { text, reasoning } = speech;
      if (text === "" && reasoning === "" && ordered.every(({ item }) => SILENT.has(String(item.type)))) {
        if (finish === "stop") return { kind: "empty" };
      }
      const items = toKeep(ordered.map(({ item }) => item as ReceivedItem));
      const answer = {
        text,
        reasoning,
        calls: finished,
        ...(items ? { providerItems: items } : {}),
        finish: finish === "stop" && finished.length > 0 ? "tool_calls" as const : finish,
      };
      const { damaged } = events;
      const doubt = oddCalls(asked, finish) ??
        doubtAbout(answer, { damaged, mendable: false, expectsReasoning: options.expectsReasoning });
      if (doubt === undefined && finish === "stop" && responseId !== undefined) options.completed?.(responseId);
      return { kind: "complete", answer, ...(doubt ? { doubt } : {}) };
    },
  };
}

/** A call that cannot be understood refuses the whole response; one cut at the output limit is the loop's to tell. */
function oddCalls(asked: readonly Output[], finish: FinishReason): Doubt | undefined {
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
