/**
 * Endpoints that take what their protocol's types allow and refuse everything else, as well as what people report real
 * ones to refuse: blank text, results without calls, calls without results, roles out of turn, reasoning that is
 * missing or somebody else's. The tables are checked against the types of the vendors' own libraries.
 */
import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";

// deno-lint-ignore no-explicit-any
type Json = any;

/** What is wrong with the request; undefined when nothing is. */
export type Check = (body: Json) => string | undefined;

class Refused extends Error {}

function refuse(text: string): never {
  throw new Refused(text);
}

const checked = (check: (body: Json) => void): Check => (body) => {
  try {
    check(body);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.message;
    throw thrown;
  }
};

function onlyKeys(value: Json, keys: readonly string[], where: string): void {
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) refuse(`${where}: unexpected ${key}`);
    if (value[key] === undefined || (value[key] === null && key !== "content" && key !== "encrypted_content")) {
      refuse(`${where}.${key} is null`);
    }
  }
}

const isText = (value: Json): value is string => typeof value === "string";
const needText = (value: Json, where: string) => isText(value) && value !== "" || refuse(`${where} must not be empty`);
const needJsonObject = (text: Json, where: string) => {
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  } catch {
    // Told below.
  }
  refuse(`${where} is no JSON object`);
};

/** Messages. `thinking`: whose rules for earlier thinking stand. */
export const strictMessages = (vendor: "anthropic" | "deepseek"): Check =>
  checked((body) => {
    onlyKeys(body, BODY_KEYS.messages, "body");
    if (!Number.isInteger(body.max_tokens) || body.max_tokens < 1) refuse("max_tokens: Field required");
    for (const block of body.system ?? []) needText(block.text?.trim(), "system: text content blocks");
    for (const tool of body.tools ?? []) {
      if (tool.type === undefined) {
        onlyKeys(tool, ["name", "description", "input_schema", "cache_control"], "tool");
        if (tool.input_schema?.type !== "object") refuse("tools.input_schema.type must be object");
      }
    }
    const thinks = body.thinking !== undefined && body.thinking.type !== "disabled";
    let open: string[] = [];
    let before = "assistant";
    let marks = (body.system ?? []).concat(body.tools ?? []).filter((one: Json) => one.cache_control).length;
    body.messages.forEach((message: Json, at: number) => {
      const where = `messages.${at}`;
      onlyKeys(message, ["role", "content"], where);
      if (message.role !== "user" && message.role !== "assistant") refuse(`${where}: role ${message.role}`);
      if (message.role === before) refuse(`${where}: roles must alternate`);
      before = message.role;
      if (!Array.isArray(message.content) || message.content.length === 0) refuse(`${where}: content is empty`);
      const answered: string[] = [];
      let calls: string[] = [];
      message.content.forEach((block: Json, place: number) => {
        const here = `${where}.content.${place}`;
        const keys = BLOCK_KEYS[block.type as keyof typeof BLOCK_KEYS];
        if (keys === undefined) refuse(`${here}: block ${block.type}`);
        onlyKeys(block, keys, here);
        if (block.cache_control) marks++;
        if (block.cache_control && vendor === "deepseek") refuse(`${here}: cache_control`);
        switch (block.type) {
          case "text":
            if (block.text.trim() === "") refuse(`${here}: text content blocks must contain non-whitespace text`);
            break;
          case "image":
            if (vendor === "deepseek") refuse(`${here}: images are not supported`);
            if (block.source.type !== "base64" || !/^[A-Za-z0-9+/]+=*$/.test(block.source.data)) {
              refuse(`${here}: image`);
            }
            break;
          case "thinking":
            if (message.role !== "assistant") refuse(`${here}: thinking of the user`);
            if (vendor === "anthropic" && block.signature !== `signed:${block.thinking}`) {
              refuse(`${here}: Invalid signature in thinking block`);
            }
            if (vendor === "deepseek" && block.signature !== undefined) refuse(`${here}: signature`);
            if (place > 0) refuse(`${here}: thinking must come first`);
            break;
          case "tool_use":
            if (message.role !== "assistant") refuse(`${here}: tool_use of the user`);
            needText(block.name, `${here}.name`);
            if (typeof block.input !== "object" || block.input === null) refuse(`${here}.input`);
            calls.push(block.id);
            break;
          case "tool_result": {
            if (message.content.slice(0, place).some((one: Json) => one.type !== "tool_result")) {
              refuse(`${here}: tool_result blocks must come first`);
            }
            if (!open.includes(block.tool_use_id)) refuse(`${here}: unexpected tool_use_id ${block.tool_use_id}`);
            const parts = Array.isArray(block.content) ? block.content : [{ type: "text", text: block.content }];
            for (const part of parts) if (part.type === "text") needText(part.text?.trim(), `${here}: text`);
            answered.push(block.tool_use_id);
          }
        }
      });
      const missing = open.filter((id) => !answered.includes(id));
      if (missing.length > 0) refuse(`${where}: tool_use ids without tool_result: ${missing.join()}`);
      if (new Set(answered).size !== answered.length) refuse(`${where}: two results for one call`);
      if (vendor === "deepseek" && thinks && calls.length > 0 && message.content[0].type !== "thinking") {
        refuse("The `content[].thinking` in the thinking mode must be passed back to the API.");
      }
      open = calls;
      calls = [];
    });
    if (open.length > 0) refuse("the last calls have no results");
    if (before !== "user") refuse("the conversation must end with a user message");
    if (marks > 4) refuse(`a maximum of 4 blocks with cache_control may be provided; found ${marks}`);
  });

/** Chat completions. `reasoning`: earlier turns that called tools must carry theirs, as DeepSeek wants it. */
export const strictChat = (options: { readonly reasoning: boolean }): Check =>
  checked((body) => {
    onlyKeys(body, BODY_KEYS.chat, "body");
    const thinks = options.reasoning && body.thinking?.type === "enabled";
    const open: string[] = [];
    body.messages.forEach((message: Json, at: number) => {
      const where = `messages[${at}]`;
      const keys = CHAT_KEYS[message.role as keyof typeof CHAT_KEYS] ?? refuse(`${where}: role ${message.role}`);
      onlyKeys(message, keys, where);
      if (!("content" in message)) refuse(`${where}.content is missing`);
      if (message.role === "system" && at > 0) refuse(`${where}: system message must be at the beginning`);
      if (message.role === "tool") {
        const place = open.indexOf(message.tool_call_id);
        if (place < 0) refuse(`${where}: role 'tool' must be a response to a preceding message with 'tool_calls'`);
        if (!isText(message.content)) refuse(`${where}.content must be text`);
        open.splice(place, 1);
        return;
      }
      if (open.length > 0) refuse(`${where}: tool_call_ids did not have response messages: ${open.join()}`);
      if (message.role === "assistant") {
        const calls = message.tool_calls ?? [];
        if (message.tool_calls && calls.length === 0) refuse(`${where}.tool_calls is empty`);
        if (message.content === null && calls.length === 0) refuse(`${where}: content or tool_calls must be set`);
        for (const call of calls) {
          onlyKeys(call, ["id", "type", "function"], `${where}.tool_calls`);
          needText(call.id, `${where}.tool_calls.id`);
          needText(call.function.name, `${where}.tool_calls.function.name`);
          needJsonObject(call.function.arguments, `${where}.tool_calls.function.arguments`);
          open.push(call.id);
        }
        if (calls.length > 0 && thinks && !isText(message.reasoning_content)) {
          refuse("The `reasoning_content` in the thinking mode must be passed back to the API.");
        }
        if (/^(?:signed|sealed):/.test(message.reasoning_content ?? "")) refuse(`${where}: foreign reasoning`);
      } else if (Array.isArray(message.content)) {
        for (const part of message.content) {
          if (part.type === "text") needText(part.text, `${where}: text part`);
          else if (part.type !== "image_url" || !part.image_url.url.startsWith("data:image/")) refuse(`${where}: part`);
        }
      }
    });
    if (open.length > 0) refuse(`tool_call_ids did not have response messages: ${open.join()}`);
  });

/** Responses, with nothing stored: what is referred to must be there. */
export const strictResponses: Check = checked((body) => {
  onlyKeys(body, BODY_KEYS.responses, "body");
  if (body.previous_response_id !== undefined && body.store !== true) refuse("previous_response_id without store");
  for (const tool of body.tools ?? []) onlyKeys(tool, ["type", "name", "description", "parameters", "strict"], "tool");
  const open: string[] = [];
  let reasoning: string | undefined;
  body.input.forEach((item: Json, at: number) => {
    const where = `input[${at}]`;
    const type = (item.type ?? "message") as keyof typeof ITEM_KEYS;
    const keys = ITEM_KEYS[type] ?? refuse(`${where}: type ${item.type}`);
    onlyKeys(item, keys, where);
    if (type === "reasoning") {
      if (!isText(item.id) || !Array.isArray(item.summary)) refuse(`${where}: id and summary are required`);
      const said = item.summary.map((part: Json) => part.text).join("");
      const own = item.encrypted_content === `sealed:${said}`;
      if (!own && !item.content?.length) refuse(`${where}: Item '${item.id}' not found; items are not persisted`);
      if (reasoning !== undefined) {
        refuse(`Item '${reasoning}' of type 'reasoning' was provided without its required following item`);
      }
      reasoning = item.id;
      return;
    }
    if (type === "function_call_output") {
      const place = open.indexOf(item.call_id);
      if (place < 0) refuse(`No tool call found for function call output with call_id ${item.call_id}`);
      open.splice(place, 1);
    } else if (type === "function_call") {
      needText(item.call_id, `${where}.call_id`);
      needText(item.name, `${where}.name`);
      needJsonObject(item.arguments, `${where}.arguments`);
      open.push(item.call_id);
    } else if (type === "message") {
      if (open.length > 0 && item.role === "user") refuse(`No tool output found for function call ${open[0]}`);
      if (reasoning !== undefined && item.role === "user") {
        refuse(`Item '${reasoning}' of type 'reasoning' was provided without its required following item`);
      }
      if (!["user", "assistant", "system", "developer"].includes(item.role)) refuse(`${where}: role ${item.role}`);
    }
    reasoning = undefined;
  });
  if (open.length > 0) refuse(`No tool output found for function call ${open[0]}`);
  if (reasoning !== undefined) refuse(`Item '${reasoning}' was provided without its required following item`);
});

type Blocks = Anthropic.Messages.ContentBlockParam;
type KeysOf<T> = readonly (keyof T & string)[];

/** Those blocks that Reasonix may send, with the keys the library's types give them. */
const BLOCK_KEYS = {
  text: ["type", "text", "cache_control", "citations"],
  image: ["type", "source", "cache_control"],
  thinking: ["type", "thinking", "signature"],
  tool_use: ["type", "id", "name", "input", "cache_control"],
  tool_result: ["type", "tool_use_id", "content", "is_error", "cache_control"],
  server_tool_use: ["type", "id", "name", "input", "cache_control"],
  web_search_tool_result: ["type", "tool_use_id", "content", "cache_control"],
} as const satisfies { readonly [T in Blocks["type"]]?: KeysOf<Extract<Blocks, { type: T }>> };

type Chat = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/** `reasoning_content` and the name of a tool message are what compatible endpoints have beside the types. */
const CHAT_KEYS = {
  system: ["role", "content"],
  user: ["role", "content"],
  assistant: ["role", "content", "tool_calls", "reasoning_content"],
  tool: ["role", "content", "tool_call_id", "name"],
} as const satisfies {
  readonly [R in Chat["role"]]?: readonly (keyof Extract<Chat, { role: R }> | "reasoning_content" | "name")[];
};

type Items = OpenAI.Responses.ResponseInputItem;
type Item<T> = Extract<Items, { type: T }>;

const ITEM_KEYS = {
  message: ["type", "role", "content", "phase"] satisfies KeysOf<OpenAI.Responses.EasyInputMessage>,
  reasoning: ["type", "id", "status", "summary", "content", "encrypted_content"] satisfies KeysOf<Item<"reasoning">>,
  function_call: ["type", "call_id", "name", "arguments"] satisfies KeysOf<Item<"function_call">>,
  function_call_output: ["type", "call_id", "output"] satisfies KeysOf<
    OpenAI.Responses.ResponseInputItem.FunctionCallOutput
  >,
};

const BODY_KEYS = {
  messages: [
    "model",
    "max_tokens",
    "stream",
    "thinking",
    "output_config",
    "system",
    "tools",
    "tool_choice",
    "messages",
  ] satisfies KeysOf<Anthropic.Messages.MessageCreateParamsStreaming>,
  chat: [
    "model",
    "stream",
    "stream_options",
    "temperature",
    "max_tokens",
    "max_completion_tokens",
    "reasoning_effort",
    "thinking",
    "tools",
    "tool_choice",
    "messages",
  ] satisfies readonly (keyof OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming | "thinking")[],
  responses: [
    "model",
    "stream",
    "store",
    "include",
    "previous_response_id",
    "temperature",
    "max_output_tokens",
    "reasoning",
    "instructions",
    "tools",
    "tool_choice",
    "input",
  ] satisfies KeysOf<OpenAI.Responses.ResponseCreateParamsStreaming>,
};
