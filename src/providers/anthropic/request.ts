/**
 * Builds messages requests. Keys stand in a fixed order and `messages` comes last, so that a request extends the one
 * before byte for byte up to its last block; only the mark that says how far to cache moves from block to block. What
 * is special to a single request stands behind the messages.
 */
import type { ModelRequest, ProviderSettings } from "../../contract/provider.ts";
import type { ToolSchema } from "../../contract/tool.ts";
import { createBodyBuilder } from "../body_builder.ts";
import { readExtraBody } from "../extra_body.ts";
import { bearer, requestHeaders } from "../headers.ts";
import { automaticLimit } from "../output_limit.ts";
import { createBuffers, createPrefixBuffer } from "../prefix_buffer.ts";
import type { WireRequest, WireUsage } from "../wire.ts";
import { closeMessages, createBlockEncoder, isBlank, NOTHING_OPEN } from "./blocks.ts";
import type { DialectChoice } from "./dialects.ts";
import type { ReceivedBlock } from "./received.ts";
import { planThinking, type Replay, type ThinkingPlan } from "./thinking.ts";

/** Keys of the body that `extra_body` cannot take over. */
const PROTECTED: readonly string[] = ["model", "messages", "system", "tools", "stream", "thinking"];

const EPHEMERAL = { cache_control: { type: "ephemeral" } };
const WEB_SEARCH = { type: "web_search_20250305", name: "web_search" };

export interface RequestBuilder {
  /**
   * `paused`: blocks of an answer the endpoint interrupted and wants back to go on. Throws
   * `provider.unsupported_effort` or `provider.unknown_reasoning`.
   */
  build(request: ModelRequest, paused?: readonly ReceivedBlock[]): WireRequest;
  plan(request: ModelRequest): ThinkingPlan;
  learn(request: WireRequest, usage: WireUsage): void;
}

export function messagesHeaders(settings: ProviderSettings): Record<string, string> {
  const key = settings.authHeader ? bearer(settings) : settings.apiKey === "" ? {} : { "x-api-key": settings.apiKey };
  return requestHeaders(settings, { "anthropic-version": "2023-06-01", ...key });
}

/** Throws `config.type` for an `extra_body` with a null in it. */
export function createRequestBuilder(
  settings: ProviderSettings,
  options: { readonly url: string; readonly choice: DialectChoice },
): RequestBuilder {
  const { choice } = options;
  const { dialect } = choice;
  const headers = messagesHeaders(settings);
  const extra = readExtraBody(settings, PROTECTED);
  const body = createBodyBuilder(settings, { url: options.url, headers, notices: extra.notices });
  const fixedText = createFixedText({ webSearch: settings.webSearch, marks: dialect.cacheMarks });
  const bufferFor = createBuffers((replay: Replay) =>
    createPrefixBuffer(
      createBlockEncoder({
        replay,
        vision: settings.vision,
        cacheMarks: dialect.cacheMarks,
        serverTools: dialect.serverTools,
        modelRef: `${settings.name}/${settings.model}`,
      }),
      NOTHING_OPEN,
    )
  );
  const plan = (request: ModelRequest) => planThinking(settings, choice, request);

  return {
    plan,

    build(request, paused = []) {
      const thinking = plan(request);
      const { messages } = request;
      const head = (limit: number | undefined) => {
        const fields = {
          model: settings.model,
          max_tokens: limit,
          stream: true,
          ...(request.temperature && dialect.sampling ? { temperature: request.temperature } : {}),
          ...thinking.fields(limit!),
          ...extra.fields,
        };
        return `${JSON.stringify(fields).slice(0, -1)}${fixedText(request)},"messages":[`;
      };
      const goOn = paused.length === 0 ? "" : `,${JSON.stringify({ role: "assistant", content: paused })}`;
      const choose = request.tools.length > 0 && request.toolChoice === "none" ? `,"tool_choice":{"type":"none"}` : "";
      const tail = (open: typeof NOTHING_OPEN) => `${closeMessages(open)}${goOn}]${choose}}`;
      return body.build(messages, {
        buffer: bufferFor(thinking.replay, messages),
        head,
        tail,
        // The protocol has no answer without a ceiling.
        wanted: Math.max(0, request.maxOutputTokens || settings.maxOutputTokens),
        automatic: automaticLimit(thinking),
      });
    },

    learn: body.learn,
  };
}

/** System prompt and tool list, which do not change within a session: each is serialized once. */
function createFixedText(
  options: { readonly webSearch: boolean; readonly marks: boolean },
): (request: ModelRequest) => string {
  const tools = new WeakMap<readonly ToolSchema[], Map<boolean, string>>();
  const toolsText = (schemas: readonly ToolSchema[], marked: boolean): string => {
    if (schemas.length === 0) return "";
    const known = tools.get(schemas) ?? new Map<boolean, string>();
    tools.set(schemas, known);
    const held = known.get(marked);
    if (held !== undefined) return held;
    const list: object[] = schemas.map(({ name, description, parameters }) => ({
      name,
      ...(isBlank(description) ? {} : { description }),
      input_schema: parameters,
    }));
    if (options.webSearch && !schemas.some(({ name }) => name === WEB_SEARCH.name)) list.push(WEB_SEARCH);
    if (marked) list.push({ ...list.pop(), ...EPHEMERAL });
    const text = `,"tools":${JSON.stringify(list)}`;
    known.set(marked, text);
    return text;
  };
  return ({ system, tools }) => {
    const none = isBlank(system);
    const block = { type: "text", text: system, ...(options.marks ? EPHEMERAL : {}) };
    return (none ? "" : `,"system":${JSON.stringify([block])}`) + toolsText(tools, options.marks && none);
  };
}
