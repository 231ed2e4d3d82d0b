/**
 * Builds chat completion requests. Keys stand in a fixed order and `messages` stands last, so that a request extends
 * the one before byte for byte up to the closing brackets; building one costs only what is new in it.
 */
import { ReasonixError } from "../../contract/errors.ts";
import type { Message } from "../../contract/message.ts";
import type { ModelRequest, ProviderSettings } from "../../contract/provider.ts";
import type { ToolSchema } from "../../contract/tool.ts";
import { resolveEffort } from "../effort.ts";
import { automaticLimit, outputLimit } from "../output_limit.ts";
import { createPrefixBuffer, type PrefixBuffer } from "../prefix_buffer.ts";
import type { WireRequest, WireUsage } from "../wire.ts";
import { type DialectChoice, effortFields, levelsOf } from "./dialects.ts";
import { encodeMessage } from "./messages.ts";

/** Keys of the body that `extra_body` cannot take over. */
const PROTECTED = ["model", "messages", "tools", "stream", "thinking"] as const;

export interface RequestBuilder {
  build(request: ModelRequest): WireRequest;
  learn(request: WireRequest, usage: WireUsage): void;
  /** True when the request asks for thinking, as far as is known. */
  thinks(request: ModelRequest): boolean;
}

export function createRequestBuilder(
  settings: ProviderSettings,
  options: { readonly url: string; readonly choice: DialectChoice },
): RequestBuilder {
  const { dialect, by } = options.choice;
  const headers = requestHeaders(settings);
  const { extra, ignored } = splitExtra(settings);
  const toolTexts = new WeakMap<readonly ToolSchema[], string>();
  const systems = new Map<string, Message>();
  const buffers = new Map<boolean, PrefixBuffer>();
  let notices = ignored.map((key) =>
    `extra_body.${key} of provider ${settings.name} is ignored: Reasonix sets it itself.`
  );
  // Cautious until the endpoint has counted once: code has few characters in a token.
  let tokensPerByte = 0.3;

  const effortOf = (request: ModelRequest): string | undefined => {
    const known = levelsOf(dialect, settings.supportedEfforts);
    const chosen = request.effort || settings.effort || settings.defaultEffort;
    const level = resolveEffort(chosen, { known, provider: settings.name, model: settings.model });
    if (level !== undefined || chosen === "auto") return level;
    if (dialect.efforts && settings.thinking && settings.thinking in dialect.efforts) return settings.thinking;
    if (settings.thinking === "disabled") return undefined;
    return by === "family" ? undefined : dialect.defaultEffort;
  };
  const thinks = (effort: string | undefined): boolean => effort !== "disabled" && effort !== "none";

  const toolsText = (tools: readonly ToolSchema[]): string => {
    let text = toolTexts.get(tools);
    if (text === undefined) {
      text = JSON.stringify(tools.map((tool) => ({
        type: "function",
        function: { name: tool.name, description: tool.description, parameters: tool.parameters },
      })));
      toolTexts.set(tools, text);
    }
    return text;
  };

  const bufferFor = (replaying: boolean): PrefixBuffer => {
    let buffer = buffers.get(replaying);
    if (!buffer) {
      const unknownThinking = by === "nothing" && settings.thinking !== undefined && settings.thinking !== "disabled";
      const replay = unknownThinking ? "calls" : dialect.replay;
      const rules = {
        replay: replaying ? replay : "never",
        signatures: dialect.signatures || by === "nothing" || by === "family",
        vision: settings.vision,
        visionDetail: settings.visionDetail,
        modelRef: `${settings.name}/${settings.model}`,
      } as const;
      buffer = createPrefixBuffer((message) => encodeMessage(message, rules));
      buffers.set(replaying, buffer);
    }
    return buffer;
  };

  const systemMessage = (text: string): Message => {
    let message = systems.get(text);
    if (!message) {
      systems.clear();
      systems.set(text, message = { role: "system", content: text });
    }
    return message;
  };

  return {
    build(request) {
      const effort = effortOf(request);
      const reasoning = effort !== undefined && thinks(effort);
      const messages = request.system === "" ? request.messages : [systemMessage(request.system), ...request.messages];
      const fields: Record<string, unknown> = {
        model: settings.model,
        stream: true,
        stream_options: { include_usage: true },
      };
      if (request.temperature && dialect.sampling) fields.temperature = request.temperature;
      const thinkingField = by === "nothing" && settings.thinking ? { thinking: { type: settings.thinking } } : {};
      Object.assign(fields, thinkingField, effortFields(dialect, effort));
      if (request.tools.length > 0 && request.toolChoice === "none") fields.tool_choice = "none";
      const head = (limit: number | undefined) => {
        const all = { ...fields, ...(limit === undefined ? {} : { [dialect.tokenField]: limit }), ...extra };
        const tools = request.tools.length > 0 ? `"tools":${toolsText(request.tools)},` : "";
        return `${JSON.stringify(all).slice(0, -1)},${tools}"messages":[`;
      };
      const limited = (promptTokens: number) =>
        outputLimit({
          wanted: request.maxOutputTokens || settings.maxOutputTokens,
          automatic: dialect.automaticLimit ? automaticLimit(reasoning, effort) : undefined,
          contextWindow: settings.contextWindow,
          promptTokens,
        });
      const buffer = bufferFor(thinks(effort));
      let body = buffer.build(head(limited(0)), messages, "]}");
      const cut = limited(Math.ceil(body.length * tokensPerByte));
      if (cut !== limited(0)) body = buffer.build(head(cut), messages, "]}");
      const told = notices;
      notices = [];
      return { url: options.url, headers, body, notices: told };
    },

    learn(request, usage) {
      if (usage.prompt > 0) tokensPerByte = usage.prompt / request.body.length;
    },

    thinks: (request) => thinks(effortOf(request)),
  };
}

function requestHeaders(settings: ProviderSettings): Record<string, string> {
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
        `extra_body.${key} of provider ${settings.name} is null; it must have a value`,
        {
          remedy: `Give extra_body.${key} a value or remove it.`,
        },
      );
    }
    if ((PROTECTED as readonly string[]).includes(key)) ignored.push(key);
    else extra[key] = value;
  }
  return { extra, ignored };
}
