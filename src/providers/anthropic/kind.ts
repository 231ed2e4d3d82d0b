/** Kind `anthropic`: messages, as Anthropic and those compatible with it speak them. */
import type { Provider, ProviderPorts, ProviderSettings } from "../../contract/provider.ts";
import { bearer, requestHeaders } from "../headers.ts";
import { parseTarget } from "../endpoint.ts";
import { createHttpProvider } from "../http_provider.ts";
import { hasCall } from "../tool_calls.ts";
import type { Wire, WireKind } from "../wire.ts";
import { createMessagesDecoder } from "./decode.ts";
import { chooseDialect } from "./dialects.ts";
import type { ReceivedBlock } from "./received.ts";
import { createRequestBuilder, messagesHeaders } from "./request.ts";

export const anthropicKind: WireKind = { kind: "anthropic", create, modelList };

const PROTOCOL = "messages";
const PATH = "/v1/messages";

function create(settings: ProviderSettings, ports: ProviderPorts): Provider {
  const address = settings.requestUrl || (settings.baseUrl === "" ? "" : root(settings.baseUrl) + PATH);
  const target = parseTarget(settings, address);
  const choice = chooseDialect(settings, target);
  const builder = createRequestBuilder(settings, { url: address, choice });
  const wire: Wire = {
    protocol: PROTOCOL,
    build: (request) => builder.build(request),
    resume: (request, items) => builder.build(request, items as readonly ReceivedBlock[]),
    learn: builder.learn,
    decoder: (request) =>
      createMessagesDecoder({
        expectsReasoning: choice.dialect.expectsReasoning && choice.by !== "family" && builder.plan(request).thinks,
        isTaken: (id) => hasCall(request, id),
        random: () => ports.random(),
      }),
  };
  return createHttpProvider(settings, ports, { wire, target });
}

/** `base_url` without what the path brings itself. */
function root(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/messages$/, "").replace(/\/v1$/, "");
}

function modelList(settings: ProviderSettings): ReturnType<NonNullable<WireKind["modelList"]>> {
  const base = root(settings.baseUrl || settings.requestUrl || "");
  const target = parseTarget(settings, settings.modelsUrl || base);
  const { dialect } = chooseDialect(settings, target);
  const bearers = dialect.modelsAtRoot;
  return {
    url: settings.modelsUrl ? target : new URL(bearers ? `${target.origin}/models` : `${base}/v1/models?limit=1000`),
    headers: bearers ? requestHeaders(settings, bearer(settings)) : messagesHeaders(settings),
    protocol: PROTOCOL,
  };
}
