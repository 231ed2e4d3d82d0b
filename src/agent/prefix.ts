/**
 * Watches the request prefix: the cache of a provider is worth money only while each request extends the one before it.
 * Messages are compared by identity, hashes are made of new messages only.
 */
import type { Message } from "../contract/message.ts";
import type { ModelRequest } from "../contract/provider.ts";
import type { UsageView } from "../contract/event.ts";
import { digestText, foldDigest } from "../lib/digest64.ts";

export class PrefixWatch {
  #last: ModelRequest | undefined;
  #hash = 0n;
  #hashed = 0;
  #fixed:
    | { readonly system: string; readonly tools: unknown; readonly systemHash: string; readonly toolsHash: string }
    | undefined;

  /** Answers what makes the diagnostics: hashing can wait until the request is on its way. Called before the next one. */
  observe(request: ModelRequest): () => UsageView["cacheDiagnostics"] {
    const last = this.#last;
    const extended = last === undefined || (last.system === request.system && last.tools === request.tools &&
      last.messages.length <= request.messages.length && last.messages.every((message, at) =>
        message === request.messages[at]
      ));
    if (!extended) [this.#hash, this.#hashed] = [0n, 0];
    this.#last = request;
    return () => this.#diagnose(request, extended);
  }

  #diagnose(request: ModelRequest, extended: boolean): UsageView["cacheDiagnostics"] {
    for (; this.#hashed < request.messages.length; this.#hashed++) {
      this.#hash = foldDigest(this.#hash, wireText(request.messages[this.#hashed]!));
    }
    if (this.#fixed?.system !== request.system || this.#fixed.tools !== request.tools) {
      this.#fixed = {
        system: request.system,
        tools: request.tools,
        systemHash: digestText(foldDigest(0n, request.system)),
        toolsHash: digestText(foldDigest(0n, JSON.stringify(request.tools))),
      };
    }
    const { systemHash, toolsHash } = this.#fixed;
    return { systemHash, toolsHash, prefixHash: digestText(this.#hash), prefixChanged: !extended };
  }
}

function wireText(message: Message): string {
  return `${message.role}\n${message.tool_call_id ?? ""}\n${message.content ?? ""}\n${
    message.tool_calls ? JSON.stringify(message.tool_calls) : ""
  }`;
}
