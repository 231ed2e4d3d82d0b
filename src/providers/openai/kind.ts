/** Kind `openai`: chat completions, as OpenAI and everybody compatible with it speak them. */
import type { Provider, ProviderPorts, ProviderSettings } from "../../contract/provider.ts";
import { bearer, requestHeaders } from "../headers.ts";
import { derivedUrl, listUrl, parseTarget } from "../endpoint.ts";
import { createHttpProvider } from "../http_provider.ts";
import { hasCall } from "../tool_calls.ts";
import type { Wire, WireKind } from "../wire.ts";
import { createChatDecoder } from "./decode.ts";
import { chooseDialect } from "./dialects.ts";
import { createRequestBuilder } from "./request.ts";

export const openaiKind: WireKind = { kind: "openai", create, modelList };

const PROTOCOL = "chat completions";
const PATH = "/chat/completions";

function create(settings: ProviderSettings, ports: ProviderPorts): Provider {
  const address = settings.requestUrl || settings.chatUrl || derivedUrl(settings.baseUrl, PATH);
  const target = parseTarget(settings, address);
  const choice = chooseDialect(settings, target);
  const { dialect, by } = choice;
  const builder = createRequestBuilder(settings, { url: address, choice });
  const wire: Wire = {
    protocol: PROTOCOL,
    build: builder.build,
    learn: builder.learn,
    decoder: (request) =>
      createChatDecoder({
        thinkTags: dialect.thinkTags,
        expectsReasoning: dialect.expectsReasoning && by !== "family" && builder.plan(request).thinks,
        isTaken: (id) => hasCall(request, id),
        random: () => ports.random(),
      }),
  };
  return createHttpProvider(settings, ports, { wire, target });
}

function modelList(settings: ProviderSettings): ReturnType<NonNullable<WireKind["modelList"]>> {
  const address = settings.baseUrl || settings.requestUrl || settings.chatUrl || "";
  return {
    url: parseTarget(settings, settings.modelsUrl || listUrl(address, PATH)),
    headers: requestHeaders(settings, bearer(settings)),
    protocol: PROTOCOL,
  };
}
