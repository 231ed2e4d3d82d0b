/**
 * Builds chat completion requests. Keys stand in a fixed order and `messages` comes last, so that a request extends
 * the one before byte for byte up to the closing brackets; building one costs only what is new in it. What is special
 * to a single request stands behind the messages for the same reason.
 */
import type { Message } from "../../contract/message.ts";
import type { ModelRequest, ProviderSettings } from "../../contract/provider.ts";
import type { ToolSchema } from "../../contract/tool.ts";
import { createBodyBuilder } from "../body_builder.ts";
import { readExtraBody } from "../extra_body.ts";
import { bearer, requestHeaders } from "../headers.ts";
import { automaticLimit } from "../output_limit.ts";
import { createBuffers, createPrefixBuffer } from "../prefix_buffer.ts";
import type { WireRequest, WireUsage } from "../wire.ts";
import type { DialectChoice } from "./dialects.ts";
import { createMessageEncoder, type MessageRules, NOTHING_PENDING, type Pending, pendingPictures } from "./messages.ts";
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
  const headers = requestHeaders(settings, bearer(settings));
  const extra = readExtraBody(settings, PROTECTED);
  const body = createBodyBuilder(settings, { url: options.url, headers, notices: extra.notices });
  const toolsText = createToolsText();
  const rulesFor = (replay: ReasoningPlan["replay"]): MessageRules => ({
    replay,
    signatures: dialect.signatures || by === "nothing" || by === "family",
    vision: settings.vision,
    visionDetail: settings.visionDetail,
    modelRef: `${settings.name}/${settings.model}`,
  });
  const bufferFor = createBuffers((replay: ReasoningPlan["replay"]) =>
    createPrefixBuffer(createMessageEncoder(rulesFor(replay)), NOTHING_PENDING)
  );
  const systemMessage = createSystemMessages();

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
          ...extra.fields,
        };
        return `${JSON.stringify(fields).slice(0, -1)},${tools}"messages":[`;
      };
      const end = tools !== "" && request.toolChoice === "none" ? `],"tool_choice":"none"}` : "]}";
      const tail = (pending: Pending) => pendingPictures(pending, rulesFor(reasoning.replay)) + end;
      return body.build(messages, {
        buffer: bufferFor(reasoning.replay, messages),
        head,
        tail,
        wanted: request.maxOutputTokens || settings.maxOutputTokens,
        automatic: dialect.automaticLimit ? automaticLimit(reasoning) : undefined,
      });
    },

    learn: body.learn,
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
