/** Messages in their wire form. The text of a message depends on the message and the rules alone: it never changes. */
import type { Message, ToolCall } from "../../contract/message.ts";
import { unseenNote } from "../images.ts";
import { argumentsObject } from "../tool_calls.ts";
import type { Dialect } from "./dialects.ts";

export interface MessageRules {
  readonly replay: Dialect["replay"];
  readonly signatures: boolean;
  readonly vision: boolean;
  readonly visionDetail: string | undefined;
  /** `provider/model`, to tell what this endpoint itself said. */
  readonly modelRef: string;
}

/** `""` for what is never sent. */
export function encodeMessage(message: Message, rules: MessageRules): string {
  if (message.local_only) return "";
  switch (message.role) {
    case "assistant":
      return JSON.stringify(assistantTurn(message, rules));
    case "tool":
      return JSON.stringify({
        role: "tool",
        tool_call_id: message.tool_call_id ?? "",
        name: message.name ?? "",
        content: message.content ?? "",
      });
    default:
      return JSON.stringify({ role: message.role, content: contentOf(message, rules) });
  }
}

function contentOf(message: Message, rules: MessageRules): unknown {
  const text = message.content ?? "";
  const images = message.images ?? [];
  if (images.length === 0) return text;
  if (!rules.vision) {
    const note = unseenNote(images);
    return text === "" ? note : `${text}\n\n${note}`;
  }
  const detail = rules.visionDetail ? { detail: rules.visionDetail } : {};
  return [
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...images.map((image) => ({ type: "image_url", image_url: { url: image.url, ...detail } })),
  ];
}

function assistantTurn(message: Message, rules: MessageRules): Record<string, unknown> {
  const calls = message.tool_calls ?? [];
  const own = message.modelRef === undefined || message.modelRef === rules.modelRef;
  const turn: Record<string, unknown> = {
    role: "assistant",
    content: message.content || (calls.length > 0 ? null : ""),
  };
  if (rules.replay === "calls" && calls.length > 0) turn.reasoning_content = message.reasoning_content ?? "";
  if (rules.replay === "all" && message.reasoning_content) turn.reasoning_content = message.reasoning_content;
  if (rules.replay === "details" && own) {
    const details = (message.provider_items ?? []).filter(isReasoningDetail);
    if (details.length > 0) turn.reasoning_details = details;
  }
  if (calls.length > 0) turn.tool_calls = calls.map((call) => wireCall(call, rules.signatures && own));
  return turn;
}

function isReasoningDetail(item: unknown): boolean {
  const type = (item as { type?: unknown } | null)?.type;
  return typeof type === "string" && type.startsWith("reasoning.");
}

function wireCall(call: ToolCall, signatures: boolean): Record<string, unknown> {
  return {
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: argumentsObject(call.arguments) ? call.arguments : "{}" },
    ...(signatures && call.thought_signature
      ? { extra_content: { google: { thought_signature: call.thought_signature } } }
      : {}),
  };
}
