/**
 * Builds responses requests. Keys stand in a fixed order and `input` comes last, so that a request extends the one
 * before byte for byte up to the closing brackets. Where the endpoint keeps the history (`stateful`), only what came
 * after its last answer is sent, as long as the conversation still begins with what that answer answered.
 */
import type { Message } from "../../contract/message.ts";
import type { ModelRequest, ProviderSettings } from "../../contract/provider.ts";
import type { ToolSchema } from "../../contract/tool.ts";
import { createBodyBuilder } from "../body_builder.ts";
import { chooseEffort, type EffortChoice } from "../effort.ts";
import { readExtraBody } from "../extra_body.ts";
import { bearer, requestHeaders } from "../headers.ts";
import { createBuffers, createListBuffer } from "../prefix_buffer.ts";
import type { WireRequest, WireUsage } from "../wire.ts";
import type { DialectChoice } from "./dialects.ts";
import { encodeItems, type ItemRules } from "./items.ts";

/** Keys of the body that `extra_body` cannot take over; `reasoning` is merged. */
const PROTECTED: readonly string[] = ["model", "input", "instructions", "tools", "stream", "previous_response_id"];

export interface RequestBuilder {
  /** Throws `provider.unsupported_effort` or `provider.unknown_reasoning`. */
  build(request: ModelRequest): WireRequest;
  plan(request: ModelRequest): EffortChoice;
  learn(request: WireRequest, usage: WireUsage): void;
  /** The endpoint has answered `request` and knows it, with its answer, by `id`. */
  answered(request: ModelRequest, id: string): void;
  /** The endpoint knows no more of earlier answers. True when there were any. */
  forget(): boolean;
}

/** Throws `config.type` for an `extra_body` with a null in it. */
export function createRequestBuilder(
  settings: ProviderSettings,
  options: { readonly url: string; readonly choice: DialectChoice },
): RequestBuilder {
  const { dialect } = options.choice;
  const stateful = settings.responsesMode === "stateful";
  const headers = requestHeaders(settings, bearer(settings));
  const extra = readExtraBody(settings, PROTECTED);
  const body = createBodyBuilder(settings, { url: options.url, headers, notices: extra.notices });
  const { reasoning: extraReasoning, ...extraFields } = extra.fields;
  const toolsText = createToolsText(settings.webSearch);
  const bufferFor = createBuffers((replay: ItemRules["replay"]) =>
    createListBuffer((message) =>
      encodeItems(message, {
        replay,
        vision: settings.vision,
        visionDetail: settings.visionDetail,
        modelRef: `${settings.name}/${settings.model}`,
      })
    )
  );
  let known: { readonly id: string; readonly messages: readonly Message[]; readonly fixed: string } | undefined;

  const plan = (request: ModelRequest): EffortChoice => chooseEffort(settings, options.choice, request.effort);

  const fixedOf = ({ system, tools }: ModelRequest): string =>
    (system === "" ? "" : `,"instructions":${JSON.stringify(system)}`) + toolsText(tools);

  /** What the endpoint does not know yet. */
  const news = (
    request: ModelRequest,
    fixed: string,
  ): { readonly messages: readonly Message[]; readonly id?: string } => {
    const { messages } = request;
    const count = known?.messages.length ?? 0;
    if (!known || known.fixed !== fixed || messages[count]?.role !== "assistant" || messages.length < count + 2) {
      return { messages };
    }
    const same = known.messages.every((message, at) => message === messages[at]);
    return same ? { messages: messages.slice(count + 1), id: known.id } : { messages };
  };

  return {
    plan,

    build(request) {
      const { effort, thinks } = plan(request);
      const fixed = fixedOf(request);
      const { messages, id } = stateful ? news(request, fixed) : { messages: request.messages };
      const level = effort === undefined ? undefined : dialect.efforts?.[effort] ?? effort;
      const reasoning = {
        ...(level === undefined ? {} : { effort: level }),
        ...(typeof extraReasoning === "object" ? extraReasoning : {}),
      };
      const head = (limit: number | undefined) => {
        const fields = {
          model: settings.model,
          stream: true,
          ...(dialect.encrypts && !stateful ? { store: false, include: ["reasoning.encrypted_content"] } : {}),
          ...(stateful ? { store: true } : {}),
          ...(id === undefined ? {} : { previous_response_id: id }),
          ...(request.temperature && dialect.sampling ? { temperature: request.temperature } : {}),
          ...(limit === undefined ? {} : { max_output_tokens: limit }),
          ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
          ...extraFields,
        };
        return `${JSON.stringify(fields).slice(0, -1)}${fixed},"input":[`;
      };
      const none = request.tools.length > 0 && request.toolChoice === "none";
      const tail = () => none ? `],"tool_choice":"none"}` : "]}";
      return body.build(messages, {
        buffer: bufferFor(!thinks ? "never" : dialect.plainReasoning ? "plain" : "received", messages),
        head,
        tail,
        wanted: request.maxOutputTokens || settings.maxOutputTokens,
        automatic: undefined,
      });
    },

    learn: (request, usage) => {
      if (!stateful) body.learn(request, usage);
    },

    answered(request, id) {
      if (stateful) known = { id, messages: request.messages, fixed: fixedOf(request) };
    },

    forget() {
      const knew = known !== undefined;
      known = undefined;
      return knew;
    },
  };
}

/** The tool list is serialized once; it does not change within a session. */
function createToolsText(webSearch: boolean): (tools: readonly ToolSchema[]) => string {
  const texts = new WeakMap<readonly ToolSchema[], string>();
  return (tools) => {
    if (tools.length === 0) return "";
    const held = texts.get(tools);
    if (held !== undefined) return held;
    const list: object[] = tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      parameters,
      // The default would rewrite the schema.
      strict: false,
    }));
    if (webSearch && !tools.some(({ name }) => name === "web_search")) list.push({ type: "web_search" });
    const text = `,"tools":${JSON.stringify(list)}`;
    texts.set(tools, text);
    return text;
  };
}
