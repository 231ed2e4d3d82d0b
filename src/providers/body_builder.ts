/**
 * What the request builders of every kind end with: the body, its ceiling cut to what is left of the window, and the
 * notices, which are told with the first request alone.
 */
import type { Message } from "../contract/message.ts";
import type { ProviderSettings } from "../contract/provider.ts";
import { textBytes } from "./images.ts";
import { createPromptMeter, outputLimit } from "./output_limit.ts";
import type { PrefixBuffer } from "./prefix_buffer.ts";
import type { WireRequest, WireUsage } from "./wire.ts";

export interface BodyParts<State> {
  readonly buffer: PrefixBuffer<State>;
  /** Text before the messages. `limit`: the ceiling to write; undefined leaves it out. */
  head(limit: number | undefined): string;
  tail(state: State): string;
  /** The request's own ceiling, else the provider's: 0 automatic, negative none. */
  readonly wanted: number;
  /** Used for 0; undefined where nobody knows what the endpoint allows. */
  readonly automatic: number | undefined;
}

export interface BodyBuilder {
  build<State>(messages: readonly Message[], parts: BodyParts<State>): WireRequest;
  /** Told after each answer how many tokens its request had. */
  learn(request: WireRequest, usage: WireUsage): void;
}

export function createBodyBuilder(
  settings: ProviderSettings,
  request: { readonly url: string; readonly headers: WireRequest["headers"]; readonly notices: readonly string[] },
): BodyBuilder {
  const meter = createPromptMeter();
  let { notices } = request;
  return {
    build(messages, { buffer, head, tail, wanted, automatic }) {
      const { contextWindow } = settings;
      const limitFor = (promptTokens: number) => outputLimit({ wanted, automatic, contextWindow, promptTokens });
      const full = limitFor(0);
      let body = buffer.build(head(full), messages, tail);
      const size = () => textBytes(body, messages, { shown: settings.vision });
      const cut = limitFor(meter.tokens(size()));
      if (cut !== full) body = buffer.build(head(cut), messages, tail);
      const told = notices;
      notices = [];
      return { url: request.url, headers: request.headers, body, textBytes: size(), notices: told };
    },
    learn: (sent, usage) => meter.learn(sent.textBytes, usage.prompt),
  };
}
