/** Messages in their wire form. The text of a message depends on the message and the rules alone: it never changes. */
import type { Image, Message, ToolCall } from "../../contract/message.ts";
import { unseenNote } from "../images.ts";
import type { Encode } from "../prefix_buffer.ts";
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

/** Pictures of results so far that have not been sent. */
export interface Pending {
  readonly begun: boolean;
  readonly images: readonly Image[];
}

export const NOTHING_PENDING: Pending = { begun: false, images: [] };

/**
 * The protocol takes no pictures in results: those of a round of calls follow in a message of the user behind the last
 * result of the round.
 */
export function createMessageEncoder(rules: MessageRules): Encode<Pending> {
  return (message, before) => {
    const text = encodeMessage(message, rules);
    if (text === "") return { text, state: before };
    const isResult = message.role === "tool";
    const shown = isResult ? "" : pictureMessage(before.images, rules);
    const images = isResult ? [...before.images, ...(rules.vision ? message.images ?? [] : [])] : [];
    return { text: [before.begun ? "," : "", shown && `${shown},`, text].join(""), state: { begun: true, images } };
  };
}

/** What is still to be said behind the last message. */
export function pendingPictures(pending: Pending, rules: MessageRules): string {
  const shown = pictureMessage(pending.images, rules);
  return shown && `,${shown}`;
}

function pictureMessage(images: readonly Image[], rules: MessageRules): string {
  if (images.length === 0) return "";
  const content = images.length === 1 ? "[The image of the result above.]" : "[The images of the results above.]";
  return JSON.stringify({ role: "user", content: contentOf({ role: "user", content, images }, rules) });
}

/** `""` for what is never sent. */
function encodeMessage(message: Message, rules: MessageRules): string {
  if (message.local_only) return "";
  switch (message.role) {
    case "assistant":
      return JSON.stringify(assistantTurn(message, rules));
    case "tool":
      return JSON.stringify({
        role: "tool",
        tool_call_id: message.tool_call_id ?? "",
        name: message.name ?? "",
        content: rules.vision ? message.content ?? "" : contentOf(message, rules),
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
  const reasoning = own || isPlain(message) ? message.reasoning_content ?? "" : "";
  if (rules.replay === "calls" && calls.length > 0) turn.reasoning_content = reasoning;
  if (rules.replay === "all" && reasoning !== "") turn.reasoning_content = reasoning;
  if (rules.replay === "details" && own) {
    const details = (message.provider_items ?? []).filter(isReasoningDetail);
    if (details.length > 0) turn.reasoning_details = details;
  }
  if (calls.length > 0) turn.tool_calls = calls.map((call) => wireCall(call, rules.signatures && own));
  return turn;
}

/** Reasoning that another protocol keeps in a form of its own means nothing here. */
function isPlain({ reasoning_signature, provider_items }: Message): boolean {
  return !reasoning_signature && !provider_items;
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
