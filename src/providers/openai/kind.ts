/** Kind `openai`: chat completions, as OpenAI and everybody compatible with it speak them. */
import type { ModelRequest, Provider, ProviderKind, ProviderPorts, ProviderSettings } from "../../contract/provider.ts";
import { createHttpProvider, derivedUrl, parseTarget } from "../http_provider.ts";
import type { Wire } from "../wire.ts";
import { createChatDecoder } from "./decode.ts";
import { chooseDialect } from "./dialects.ts";
import { createRequestBuilder } from "./request.ts";

export const openaiKind: ProviderKind = { kind: "openai", create };

function create(settings: ProviderSettings, ports: ProviderPorts): Provider {
  const address = settings.requestUrl || settings.chatUrl || derivedUrl(settings.baseUrl, "/chat/completions");
  const target = parseTarget(settings, address);
  const choice = chooseDialect({ protocol: settings.reasoningProtocol, host: target.hostname, model: settings.model });
  const { dialect, by } = choice;
  const builder = createRequestBuilder(settings, { url: address, choice });
  const wire: Wire = {
    protocol: "chat completions",
    build: (request) => builder.build(request),
    learn: (request, usage) => builder.learn(request, usage),
    decoder: (request) =>
      createChatDecoder({
        thinkTags: dialect.thinkTags,
        expectsReasoning: dialect.expectsReasoning && by !== "family" && builder.thinks(request),
        takenIds: () => callIds(request),
        random: () => ports.random(),
      }),
  };
  return createHttpProvider(settings, ports, { wire, host: target.host });
}

function* callIds(request: ModelRequest): Iterable<string> {
  for (const message of request.messages) {
    for (const call of message.tool_calls ?? []) yield call.id;
  }
}
