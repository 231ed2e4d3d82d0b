/**
 * Messages as content blocks. Messages of one role that follow each other become one message of several blocks, so a
 * message is written with its last block left open: what comes behind closes it, or adds a cache mark to it. The text
 * of a message depends on the message, the rules and what stands open before it; it never changes.
 */
import type { Image, Message } from "../../contract/message.ts";
import { parseDataUrl, unseenNote } from "../images.ts";
import type { Encode } from "../prefix_buffer.ts";
import { argumentsObject } from "../tool_calls.ts";
import { isReceivedBlock, type ReceivedBlock } from "./received.ts";
import type { Replay } from "./thinking.ts";

export interface BlockRules {
  readonly replay: Replay;
  readonly vision: boolean;
  readonly cacheMarks: boolean;
  readonly serverTools: boolean;
  /** `provider/model`, to tell what this endpoint itself said. */
  readonly modelRef: string;
}

/** What stands open behind the messages so far. */
export interface OpenBlock {
  readonly role: "" | "user" | "assistant";
  /** Whether a cache mark may be added to it. */
  readonly markable: boolean;
}

type Block = Readonly<Record<string, unknown>>;

export const NOTHING_OPEN: OpenBlock = { role: "", markable: false };
const MARK = `,"cache_control":{"type":"ephemeral"}`;

/** In place of blocks that endpoints refuse for being blank. */
const EMPTY_RESULT = "(no output)";
const EMPTY_MESSAGE = "(empty message)";
/** A conversation begins with the user, whatever is left of it. */
const BEFORE_ASSISTANT = "(The beginning of this conversation was left out.)";

export function createBlockEncoder(rules: BlockRules): Encode<OpenBlock> {
  return (message, before) => {
    if (message.local_only || message.role === "system") return { text: "", state: before };
    const role = message.role === "assistant" ? "assistant" : "user";
    const blocks = role === "assistant" ? assistantBlocks(message, rules) : userBlocks(message, rules);
    const last = blocks.at(-1);
    if (last === undefined) return { text: "", state: before };
    const markable = rules.cacheMarks && last.type !== "thinking" && last.type !== "redacted_thinking";
    const opening = before.role === "" && role === "assistant"
      ? openMessage("user") + openBlock(textBlock(BEFORE_ASSISTANT)) + "}]}," + openMessage(role)
      : before.role === ""
      ? openMessage(role)
      : before.role === role
      ? "},"
      : "}]}," + openMessage(role);
    // The session's context: the first thing said, and the same in every request.
    const standing = rules.cacheMarks && before.role === "" && message.host_authored === true;
    const text = opening + blocks.map(openBlock).join("},") + (standing && markable ? MARK : "");
    return { text, state: { role, markable: markable && !standing } };
  };
}

/** Closes what stands open; the newest block carries the mark that moves with the conversation. */
export function closeMessages(open: OpenBlock): string {
  return open.role === "" ? "" : `${open.markable ? MARK : ""}}]}`;
}

export const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === "";

const openMessage = (role: string): string => `{"role":"${role}","content":[`;
const openBlock = (block: Block): string => JSON.stringify(block).slice(0, -1);
const textBlock = (text: string): Block => ({ type: "text", text });

function userBlocks(message: Message, rules: BlockRules): Block[] {
  if (message.role === "tool") return [toolResult(message, rules)];
  const blocks = textAndImages(message, rules);
  return blocks.length > 0 ? blocks : [textBlock(EMPTY_MESSAGE)];
}

function textAndImages(message: Message, rules: BlockRules): Block[] {
  const { content, images = [] } = message;
  const text = isBlank(content) ? [] : [textBlock(content!)];
  if (images.length === 0) return text;
  if (!rules.vision) return [...text, textBlock(unseenNote(images)!)];
  return [...images.map(imageBlock), ...text];
}

function imageBlock(image: Image): Block {
  const held = parseDataUrl(image.url);
  const source = held
    ? { type: "base64", media_type: held.mediaType, data: held.data }
    : { type: "url", url: image.url };
  return { type: "image", source };
}

function toolResult(message: Message, rules: BlockRules): Block {
  const parts = textAndImages(message, rules);
  const plain = parts.every((part) => part.type === "text");
  const content = plain ? parts.map((part) => part.text).join("\n\n") || EMPTY_RESULT : parts;
  return {
    type: "tool_result",
    tool_use_id: message.tool_call_id ?? "",
    content,
    ...(isFailure(message) ? { is_error: true } : {}),
  };
}

function isFailure({ tool_failure, tool_execution, content }: Message): boolean {
  if (tool_failure) return true;
  if (tool_execution) return ["failed", "timed_out", "cancelled"].includes(tool_execution.state);
  return /^(?:error|blocked):/.test(content ?? "");
}

function assistantBlocks(message: Message, rules: BlockRules): Block[] {
  const own = message.modelRef === rules.modelRef;
  const received = own && rules.serverTools ? (message.provider_items ?? []).filter(isReceivedBlock) : [];
  if (received.length > 0) return asReceived(received, message, rules);
  const calls = message.tool_calls ?? [];
  return [
    ...thinking(message, rules),
    ...(isBlank(message.content) ? [] : [textBlock(message.content!)]),
    ...calls.map((call) => toolUse(call)),
  ];
}

function toolUse(call: NonNullable<Message["tool_calls"]>[number]): Block {
  return { type: "tool_use", id: call.id, name: call.name, input: argumentsObject(call.arguments) ?? {} };
}

function thinking(message: Message, rules: BlockRules): Block[] {
  const { reasoning_content: text, reasoning_signature: signature, provider_items: items } = message;
  switch (rules.replay) {
    case "never":
      return [];
    case "signed":
      return message.modelRef === rules.modelRef && signature
        ? [{ type: "thinking", thinking: text ?? "", signature }]
        : [];
    default: {
      if ((message.tool_calls ?? []).length === 0) return [];
      // Reasoning that another protocol keeps in a form of its own means nothing here.
      const plain = sameProvider(message, rules) || (!signature && !items);
      const said = plain ? text ?? "" : "";
      return said === "" && rules.replay === "unsigned_if_any" ? [] : [{ type: "thinking", thinking: said }];
    }
  }
}

const providerOf = (modelRef: string): string => modelRef.slice(0, modelRef.indexOf("/"));

function sameProvider(message: Message, rules: BlockRules): boolean {
  return message.modelRef !== undefined && providerOf(message.modelRef) === providerOf(rules.modelRef);
}

/** An answer whose blocks say more than text and calls do, in its own order. */
function asReceived(received: readonly ReceivedBlock[], message: Message, rules: BlockRules): Block[] {
  const left = new Map((message.tool_calls ?? []).map((call) => [call.id, call]));
  const withThinking = rules.replay === "signed" && !received.some((block) => block.type === "redacted_thinking");
  const blocks: Block[] = [];
  for (const block of received) {
    if (block.type === "tool_use") {
      // What was dropped from the answer, or goes by another id now, is not sent.
      const call = left.get(String(block.id));
      if (call) blocks.push(toolUse(call));
      left.delete(String(block.id));
    } else if (block.type === "thinking") {
      if (withThinking && block.signature) blocks.push(block);
    } else if (block.type === "text") {
      if (!isBlank(String(block.text ?? ""))) blocks.push(block);
    } else if (block.type !== "redacted_thinking") blocks.push(block);
  }
  return [...blocks, ...[...left.values()].map(toolUse)];
}
