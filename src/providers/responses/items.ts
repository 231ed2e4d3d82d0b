/** Messages as input items. The items of a message depend on the message and the rules alone: they never change. */
import type { Image, Message, ToolCall } from "../../contract/message.ts";
import { unseenNote } from "../images.ts";
import { argumentsObject } from "../tool_calls.ts";
import { isReceivedItem, type ReceivedItem } from "./received.ts";

export interface ItemRules {
  /** Which reasoning goes back: what this endpoint encrypted, or plain text with turns that call tools. */
  readonly replay: "never" | "received" | "plain";
  readonly vision: boolean;
  readonly visionDetail: string | undefined;
  /** `provider/model`, to tell what this endpoint itself said. */
  readonly modelRef: string;
}

type Item = Readonly<Record<string, unknown>>;

/** Items separated by commas; `""` for what is never sent. */
export function encodeItems(message: Message, rules: ItemRules): string {
  if (message.local_only) return "";
  return itemsOf(message, rules).map((item) => JSON.stringify(item)).join(",");
}

function itemsOf(message: Message, rules: ItemRules): Item[] {
  switch (message.role) {
    case "assistant":
      return assistantItems(message, rules);
    case "tool":
      return [{ type: "function_call_output", call_id: message.tool_call_id ?? "", output: contentOf(message, rules) }];
    default:
      return [{ role: message.role, content: contentOf(message, rules) }];
  }
}

function contentOf({ content: text = "", images = [] }: Message, rules: ItemRules): unknown {
  if (images.length === 0) return text;
  if (!rules.vision) return text === "" ? unseenNote(images) : `${text}\n\n${unseenNote(images)}`;
  return [...(text === "" ? [] : [{ type: "input_text", text }]), ...images.map((image) => pictureOf(image, rules))];
}

const pictureOf = (image: Image, rules: ItemRules): Item => ({
  type: "input_image",
  image_url: image.url,
  detail: rules.visionDetail ?? "auto",
});

const said = (text: string): Item => ({ role: "assistant", content: text });

const callItem = (call: ToolCall): Item => ({
  type: "function_call",
  call_id: call.id,
  name: call.name,
  arguments: argumentsObject(call.arguments) ? call.arguments : "{}",
});

function assistantItems(message: Message, rules: ItemRules): Item[] {
  const own = message.modelRef === rules.modelRef;
  const received = own ? (message.provider_items ?? []).filter(isReceivedItem) : [];
  if (received.length > 0) return asReceived(received, message, rules);
  const calls = message.tool_calls ?? [];
  return [
    ...(calls.length > 0 && rules.replay === "plain" ? plainReasoning(message) : []),
    ...(message.content ? [said(message.content)] : []),
    ...calls.map(callItem),
  ];
}

/** Reasoning that another protocol keeps in a form of its own means nothing here. */
function plainReasoning(message: Message): Item[] {
  const { reasoning_content: text, reasoning_signature, provider_items } = message;
  if (!text || reasoning_signature !== undefined || provider_items) return [];
  const id = `rs_${message.tool_calls![0]!.id}`;
  return [{ type: "reasoning", id, summary: [], content: [{ type: "reasoning_text", text }] }];
}

function asReceived(received: readonly ReceivedItem[], message: Message, rules: ItemRules): Item[] {
  const left = new Map((message.tool_calls ?? []).map((call) => [call.id, call]));
  const items: Item[] = [];
  for (const item of received) {
    switch (item.type) {
      case "function_call": {
        // What was dropped from the answer, or goes by another id now, is not sent.
        const call = left.get(String(item.call_id));
        if (call) items.push(callItem(call));
        left.delete(String(item.call_id));
        break;
      }
      case "reasoning":
        if (mayGoBack(item, rules)) items.push(item);
        break;
      case "message":
        items.push(spoken(item));
        break;
      default: {
        // The endpoint does not know the id of what it did not store.
        const { id: _id, ...rest } = item;
        items.push(rest);
      }
    }
  }
  items.push(...[...left.values()].map(callItem));
  // Reasoning that nothing came of is refused.
  while (items.at(-1)?.type === "reasoning") items.pop();
  return items;
}

function mayGoBack(item: ReceivedItem, { replay }: ItemRules): boolean {
  if (replay === "never") return false;
  return typeof item.encrypted_content === "string" || (Array.isArray(item.content) && item.content.length > 0);
}

function spoken({ content, phase }: ReceivedItem): Item {
  return phase === undefined ? said(String(content ?? "")) : { ...said(String(content ?? "")), phase };
}
