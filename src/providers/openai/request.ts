/**
 * Builds chat completion requests. Keys stand in a fixed order and `messages` comes last, so that a request extends
 * the one before byte for byte up to the closing brackets; building one costs only what is new in it. What is special
 * to a single request stands behind the messages for the same reason.
 */
import { ReasonixError } from "../../contract/errors.ts";
import type { Message } from "../../contract/message.ts";
import type { ModelRequest, ProviderSettings } from "../../contract/provider.ts";
import type { ToolSchema } from "../../contract/tool.ts";
import { automaticLimit, outputLimit } from "../output_limit.ts";
import { createPrefixBuffer, type PrefixBuffer } from "../prefix_buffer.ts";
import type { WireRequest, WireUsage } from "../wire.ts";
import type { DialectChoice } from "./dialects.ts";
import { encodeMessage } from "./messages.ts";
import { planReasoning, type ReasoningPlan } from "./reasoning.ts";

/** Keys of the body that `extra_body` cannot take over. */
const PROTECTED: readonly string[] = ["model", "messages", "tools", "stream", "thinking"];

export interface RequestBuilder {
  /** Throws `provider.unsupported_effort` or `provider.unknown_reasoning`. */
  build(request: ModelRequest): WireRequest;
  plan(request: ModelRequest): ReasoningPlan;
  learn(request: WireRequest, usage: WireUsage): void;
}

/** Throws `config.type` for an `extra_body` with a null in it. */
export function createRequestBuilder(
  settings: ProviderSettings,
  options: { readonly url: string; readonly choice: DialectChoice },
): RequestBuilder {
  const { choice } = options;
  const { dialect, by } = choice;
  const headers = requestHeaders(settings);
  const { extra, ignored } = splitExtra(settings);
  let notices = ignored.map((key) =>
    `extra_body.${key} of provider ${settings.name} is ignored: Reasonix sets it itself.`
  );
  const toolsText = createToolsText();
  const bufferFor = createBuffers((replay) => (message) =>
    encodeMessage(message, {
      replay,
      signatures: dialect.signatures || by === "nothing" || by === "family",
      vision: settings.vision,
      visionDetail: settings.visionDetail,
      modelRef: `${settings.name}/${settings.model}`,
    })
  );
  const systemMessage = createSystemMessages();
  // Cautious until the endpoint has counted once: code has few characters in a token.
  let tokensPerByte = 0.3;

  const plan = (request: ModelRequest) => planReasoning(settings, choice, request.effort);

  return {
    plan,

    build(request) {
      const reasoning = plan(request);
      const messages = request.system === "" ? request.messages : [systemMessage(request.system), ...request.messages];
      const tools = request.tools.length > 0 ? `"tools":${toolsText(request.tools)},` : "";
      const head = (limit: number | undefined) => {
        const fields = {
          model: settings.model,
          stream: true,
          stream_options: { include_usage: true },
          ...(request.temperature && dialect.sampling ? { temperature: request.temperature } : {}),
          ...(limit === undefined ? {} : { [dialect.tokenField]: limit }),
          ...reasoning.fields,
          ...extra,
        };
        return `${JSON.stringify(fields).slice(0, -1)},${tools}"messages":[`;
      };
      const tail = tools !== "" && request.toolChoice === "none" ? `],"tool_choice":"none"}` : "]}";
      const limitFor = (promptTokens: number) =>
        outputLimit({
          wanted: request.maxOutputTokens || settings.maxOutputTokens,
          automatic: dialect.automaticLimit ? automaticLimit(reasoning) : undefined,
          contextWindow: settings.contextWindow,
          promptTokens,
        });
      const buffer = bufferFor(reasoning.replay, messages);
      const full = limitFor(0);
      let body = buffer.build(head(full), messages, tail);
      const images = settings.vision ? imageBytes(messages) : NO_IMAGES;
      const cut = limitFor(Math.ceil(textBytes(body, images) * tokensPerByte));
      if (cut !== full) body = buffer.build(head(cut), messages, tail);
      const told = notices;
      notices = [];
      return { url: options.url, headers, body, textBytes: textBytes(body, images), notices: told };
    },

    learn(request, usage) {
      if (usage.prompt > 0) tokensPerByte = usage.prompt / request.textBytes;
    },
  };
}

/** The tool list is serialized once; it does not change within a session. */
function createToolsText(): (tools: readonly ToolSchema[]) => string {
  const texts = new WeakMap<readonly ToolSchema[], string>();
  return (tools) => {
    let text = texts.get(tools);
    if (text === undefined) {
      text = JSON.stringify(tools.map((tool) => ({
        type: "function",
        function: { name: tool.name, description: tool.description, parameters: tool.parameters },
      })));
      texts.set(tools, text);
    }
    return text;
  };
}

/** One message object for each system prompt, so that it is encoded once. */
function createSystemMessages(): (text: string) => Message {
  const known = new Map<string, Message>();
  return (text) => {
    let message = known.get(text);
    if (!message) {
      if (known.size >= 32) known.clear();
      known.set(text, message = { role: "system", content: text });
    }
    return message;
  };
}

/** Roughly what a picture costs, in bytes of text. */
const IMAGE_AS_TEXT = 6000;

interface ImageSize {
  readonly count: number;
  readonly bytes: number;
}

const NO_IMAGES: ImageSize = { count: 0, bytes: 0 };

function imageBytes(messages: readonly Message[]): ImageSize {
  let [count, bytes] = [0, 0];
  for (const message of messages) {
    for (const image of message.images ?? []) {
      count++;
      bytes += image.url.length;
    }
  }
  return { count, bytes };
}

const textBytes = (body: Uint8Array, images: ImageSize): number =>
  Math.max(0, body.length - images.bytes) + images.count * IMAGE_AS_TEXT;

type Replay = ReasoningPlan["replay"];

/** One buffer for each conversation that goes through this provider, known by its first message, and gone with it. */
function createBuffers(
  encoder: (replay: Replay) => (message: Message) => string,
): (replay: Replay, messages: readonly Message[]) => PrefixBuffer {
  const conversations = new WeakMap<Message, { replay: Replay; buffer: PrefixBuffer }>();
  return (replay, messages) => {
    const key = messages.find((message) => message.role !== "system");
    const held = key && conversations.get(key);
    if (held?.replay === replay) return held.buffer;
    const buffer = createPrefixBuffer(encoder(replay));
    if (key) conversations.set(key, { replay, buffer });
    return buffer;
  };
}

/** The configured headers win over those of the protocol. */
export function requestHeaders(settings: ProviderSettings): Record<string, string> {
  return {
    "content-type": "application/json",
    "accept": "text/event-stream",
    "user-agent": "Reasonix",
    ...(settings.apiKey === "" ? {} : { authorization: `Bearer ${settings.apiKey}` }),
    ...Object.fromEntries(Object.entries(settings.headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
}

function splitExtra(settings: ProviderSettings): { extra: Record<string, unknown>; ignored: string[] } {
  const extra: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [key, value] of Object.entries(settings.extraBody)) {
    if (value === null || value === undefined) {
      throw new ReasonixError(
        "config.type",
        `extra_body.${key} of provider ${settings.name} is null; it needs a value`,
        {
          remedy: `Give extra_body.${key} a value or remove it.`,
        },
      );
    }
    if (PROTECTED.includes(key)) ignored.push(key);
    else extra[key] = value;
  }
  return { extra, ignored };
}
