/** Kind `responses`: OpenAI responses. */
import type { Provider, ProviderPorts, ProviderSettings } from "../../contract/provider.ts";
import { bearer, requestHeaders } from "../headers.ts";
import { derivedUrl, listUrl, parseTarget } from "../endpoint.ts";
import { createHttpProvider } from "../http_provider.ts";
import { hasCall } from "../tool_calls.ts";
import type { Wire, WireKind } from "../wire.ts";
import { createResponsesDecoder } from "./decode.ts";
import { chooseDialect } from "./dialects.ts";
import { createRequestBuilder } from "./request.ts";

export const responsesKind: WireKind = { kind: "responses", create, modelList };

const PROTOCOL = "responses";
const PATH = "/responses";
/** How an endpoint says that it does not keep what it was asked to go on from. */
const FORGOTTEN: ReadonlySet<string> = new Set(["previous_response_not_found", "invalid_previous_response_id"]);

function create(settings: ProviderSettings, ports: ProviderPorts): Provider {
  const address = settings.requestUrl || derivedUrl(settings.baseUrl, PATH);
  const target = parseTarget(settings, address);
  const choice = chooseDialect(settings, target);
  const builder = createRequestBuilder(settings, { url: address, choice });
  const wire: Wire = {
    protocol: PROTOCOL,
    build: builder.build,
    learn: builder.learn,
    revise: (request, refused) =>
      (FORGOTTEN.has(refused.code ?? "") || refused.status === 404) && builder.forget()
        ? builder.build(request)
        : undefined,
    decoder: (request) =>
      createResponsesDecoder({
        expectsReasoning: choice.dialect.plainReasoning && choice.by !== "family" && builder.plan(request).thinks,
        isTaken: (id) => hasCall(request, id),
        random: () => ports.random(),
        completed: (id) => builder.answered(request, id),
      }),
  };
  return createHttpProvider(settings, ports, { wire, target });
}

function modelList(settings: ProviderSettings): ReturnType<NonNullable<WireKind["modelList"]>> {
  return {
    url: parseTarget(settings, settings.modelsUrl || listUrl(settings.baseUrl || settings.requestUrl || "", PATH)),
    headers: requestHeaders(settings, bearer(settings)),
    protocol: PROTOCOL,
  };
}
