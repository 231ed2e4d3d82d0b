// Requests that others' clients were recorded sending, and that the vendors took: ours for the same conversation are
// the same, field by field, but for the listed exceptions.
import assert from "node:assert/strict";
import type { Message, ToolCall } from "../../src/contract/message.ts";
import type { ProviderSettings } from "../../src/contract/provider.ts";
import type { ToolSchema } from "../../src/contract/tool.ts";
import { createProvider } from "../../src/providers/mod.ts";
import { gather, providerSettings, scriptedFetch, testPorts } from "../support/provider_call.ts";
import { sharedPath } from "../support/shared.ts";
import { EXCEPTIONS, NO_COUNTERPART, SAME_NAMES } from "./recorded_request_exceptions.ts";

// deno-lint-ignore no-explicit-any
type Json = any;
type Kind = "openai" | "anthropic" | "responses";

/** The vendors whose dialects we claim to speak, by the word for them in the names of recordings. */
const VENDORS: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  openai: {
    openai: "https://api.openai.com/v1",
    azure: "https://x.openai.azure.com/openai/v1",
    openrouter: "https://openrouter.ai/api/v1",
    "vercel-gateway": "https://ai-gateway.vercel.sh/v1",
    zai: "https://api.z.ai/api/paas/v4",
    deepseek: "https://api.deepseek.com",
  },
  anthropic: { anthropic: "https://api.anthropic.com" },
  responses: {
    openai: "https://api.openai.com/v1",
    azure: "https://x.openai.azure.com/openai/v1",
    deepseek: "https://api.deepseek.com",
    xai: "https://api.x.ai/v1",
  },
};

interface Conversation {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly messages: readonly Message[];
  readonly settings: Partial<ProviderSettings>;
}

const folder = sharedPath("fixtures/streams");
const FOLDERS: Readonly<Record<Kind, string>> = { openai: "chat", anthropic: "anthropic", responses: "responses" };
const REF = "acme/m";

const textOf = (content: Json): string =>
  typeof content === "string" ? content : (content ?? []).map((part: Json) => part.text ?? "").join("");

function fromChat(body: Json): Conversation {
  const system = body.messages.filter((one: Json) => one.role === "system").map((one: Json) => textOf(one.content));
  const messages = body.messages.filter((one: Json) => one.role !== "system").map((one: Json): Message => ({
    role: one.role,
    ...(one.content ? { content: textOf(one.content) } : {}),
    ...(one.tool_call_id ? { tool_call_id: one.tool_call_id } : {}),
    ...(one.reasoning_content ? { reasoning_content: one.reasoning_content } : {}),
    ...(one.reasoning_details ? { provider_items: one.reasoning_details } : {}),
    ...(one.tool_calls
      ? {
        tool_calls: one.tool_calls.map((call: Json): ToolCall => ({
          id: call.id,
          name: call.function.name,
          arguments: call.function.arguments,
        })),
      }
      : {}),
    ...imagesOf(one.content, (part) => part.image_url?.url),
    ...(one.role === "assistant" ? { modelRef: REF } : {}),
  }));
  return {
    system: system.join("\n"),
    tools: (body.tools ?? []).filter((tool: Json) => tool.function).map((
      { function: { name, description, parameters } }: Json,
    ) => ({
      name,
      description,
      parameters,
    })),
    messages,
    settings: { maxOutputTokens: body.max_tokens ?? body.max_completion_tokens ?? 0 },
  };
}

function imagesOf(content: Json, url: (part: Json) => string | undefined): Pick<Message, "images"> {
  const images = Array.isArray(content) ? content.flatMap((part) => url(part) ?? []) : [];
  return images.length === 0 ? {} : { images: images.map((one) => ({ url: one })) };
}

function fromMessages(body: Json): Conversation {
  const messages = body.messages.flatMap(({ role, content }: Json): Message[] => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (role === "assistant") {
      const thinking = blocks.find((block: Json) => block.type === "thinking");
      const text = blocks.filter((block: Json) => block.type === "text").map((block: Json) => block.text).join("");
      const calls = blocks.filter((block: Json) => block.type === "tool_use");
      return [{
        role,
        modelRef: REF,
        ...(text ? { content: text } : {}),
        ...(thinking ? { reasoning_content: thinking.thinking, reasoning_signature: thinking.signature } : {}),
        ...(calls.length === 0 ? {} : {
          tool_calls: calls.map(({ id, name, input }: Json) => ({ id, name, arguments: JSON.stringify(input) })),
        }),
      }];
    }
    return blocks.map((block: Json): Message =>
      block.type === "tool_result"
        ? { role: "tool", tool_call_id: block.tool_use_id, content: textOf(block.content) }
        : { role: "user", content: block.text }
    );
  });
  return {
    system: textOf(body.system ?? ""),
    tools: (body.tools ?? []).filter((tool: Json) => tool.input_schema).map((tool: Json) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.input_schema,
    })),
    messages,
    settings: { maxOutputTokens: body.max_tokens, ...(body.thinking ? { effort: "low" } : {}) },
  };
}

function fromResponses(body: Json): Conversation {
  const messages: Json[] = [];
  const input = typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input;
  const turn = () => {
    if (messages.at(-1)?.role !== "assistant") messages.push({ role: "assistant", modelRef: REF });
    return messages.at(-1);
  };
  for (const item of input) {
    if (item.role === "developer" || item.role === "system") continue;
    if (item.type === "function_call_output") {
      messages.push({ role: "tool", tool_call_id: item.call_id, content: textOf(item.output) });
    } else if (item.type === "function_call") {
      const { tool_calls = [], provider_items } = turn();
      turn().tool_calls = [...tool_calls, { id: item.call_id, name: item.name, arguments: item.arguments }];
      if (provider_items) provider_items.push({ type: "function_call", call_id: item.call_id });
    } else if (item.type === "reasoning") {
      turn().provider_items = [...turn().provider_items ?? [], item];
    } else if (item.role === "assistant") {
      turn().content = textOf(item.content);
      turn().provider_items?.push({ type: "message", content: textOf(item.content), phase: item.phase });
    } else {
      messages.push({
        role: "user",
        content: textOf(item.content),
        ...imagesOf(item.content, (part) => part.image_url),
      });
    }
  }
  const developer = input.filter((item: Json) => item.role === "developer" || item.role === "system");
  return {
    system: body.instructions ?? developer.map((item: Json) => textOf(item.content)).join("\n"),
    tools: (body.tools ?? []).filter((tool: Json) => tool.type === "function").map((tool: Json) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
    })),
    messages,
    settings: { maxOutputTokens: body.max_output_tokens ?? 0 },
  };
}

const READERS = { openai: fromChat, anthropic: fromMessages, responses: fromResponses };

/** One form for what the protocol lets be said in several. */
function plain(kind: Kind, body: Json): Json {
  const copy = structuredClone(body);
  const simple = (content: Json) =>
    Array.isArray(content) && content.length > 0 &&
      content.every((part) => part.type === "text" || part.type === "input_text" || part.type === "output_text")
      ? textOf(content)
      : content;
  if (kind === "openai") {
    for (const message of copy.messages) message.content = simple(message.content) || null;
    for (const [name, other] of SAME_NAMES) {
      if (name in copy) copy[other] = copy[name];
      delete copy[name];
    }
  } else if (kind === "anthropic") {
    if (typeof copy.system === "string") copy.system = [{ type: "text", text: copy.system }];
    copy.tools = copy.tools?.filter((tool: Json) => tool.input_schema);
    for (const message of copy.messages) {
      if (typeof message.content === "string") message.content = [{ type: "text", text: message.content }];
      for (const block of message.content) {
        if (block.type === "tool_result") block.content = simple(block.content);
        if (block.is_error === false) delete block.is_error;
      }
    }
  } else {
    if (typeof copy.input === "string") copy.input = [{ role: "user", content: copy.input }];
    const developer = copy.input.filter((item: Json) => item.role === "developer" || item.role === "system");
    if (developer.length > 0) copy.instructions = developer.map((item: Json) => textOf(item.content)).join("\n");
    copy.input = copy.input.filter((item: Json) => !developer.includes(item));
    copy.tools = copy.tools?.filter((tool: Json) => tool.type === "function");
    for (const item of copy.input) {
      if (item.type === "message" || item.role) {
        delete item.type;
        item.content = simple(item.content);
      }
      if (item.encrypted_content === null) delete item.encrypted_content;
      if (Array.isArray(item.content) && item.content.length === 0) delete item.content;
    }
  }
  if (kind === "openai") copy.tools = copy.tools?.filter((tool: Json) => tool.function);
  if (copy.tools?.length === 0) delete copy.tools;
  // What is null or blank is not said.
  for (const [key, value] of Object.entries(copy)) if (value === null || value === "") delete copy[key];
  return JSON.parse(JSON.stringify(copy));
}

function without(value: Json, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (value === null || typeof value !== "object") return;
  if (key === "*") { for (const one of value) without(one, rest); }
  else if (rest.length === 0) delete value[key!];
  else without(value[key!], rest);
}

function compared(kind: Kind, body: Json): Json {
  const copy = plain(kind, body);
  for (const { kind: of, path } of EXCEPTIONS) if (of === kind) without(copy, path.split("."));
  return copy;
}

for (const kind of ["openai", "anthropic", "responses"] as const) {
  const directory = `${folder}/${FOLDERS[kind]}`;
  const vendorOf = (name: string) => VENDORS[kind][name.split("--")[1]!];
  const names = folder === undefined
    ? []
    : [...Deno.readDirSync(directory)].map(({ name }) => name).filter((name) =>
      name.endsWith(".request.json") && vendorOf(name) !== undefined &&
      !NO_COUNTERPART.some(({ name: pattern }) => pattern.test(name))
    ).sort();

  Deno.test({
    name: `requests of kind ${kind} are those that were recorded, but for the listed exceptions`,
    ignore: folder === undefined,
    async fn() {
      assert.ok(names.length > 15, String(names.length));
      for (const name of names) {
        const recorded = JSON.parse(Deno.readTextFileSync(`${directory}/${name}`));
        const { settings, ...conversation } = READERS[kind](recorded);
        const { fetch, bodies } = scriptedFetch([() => new Response("", { status: 400 })]);
        const provider = await createProvider(
          providerSettings({
            kind,
            name: "acme",
            model: recorded.model,
            baseUrl: vendorOf(name)!,
            vision: true,
            ...settings,
          }),
          testPorts({ fetch }),
        );
        const messages = conversation.messages.map((one) =>
          one.modelRef ? { ...one, modelRef: `acme/${recorded.model}` } : one
        );
        const { error } = await gather(provider, { ...conversation, messages });
        assert.ok(bodies[0], `${name}: ${error?.message}`);
        const ours = JSON.parse(new TextDecoder().decode(bodies[0]));
        assert.deepEqual(compared(kind, ours), compared(kind, recorded), name);
      }
    },
  });
}
