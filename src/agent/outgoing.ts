/**
 * What goes out is always valid; what is stored is never repaired. A healthy message goes out as the very object that
 * is stored, and a repaired one as the same object every time, so that a provider can keep what it serialized and every
 * request extends the one before it.
 */
import type { Message, ToolCall } from "../contract/message.ts";
import { errorText } from "../lib/error_text.ts";
import { isRecord } from "../lib/json.ts";

const UNANSWERED = "error: the turn was interrupted before this call finished; its effect is unknown";

export class Outgoing {
  readonly #repaired = new WeakMap<Message, Message>();
  readonly #placeholders = new WeakMap<Message, Map<string, Message>>();

  /** The conversation as it may be sent: no system message, nothing local, each call answered once and in call order. */
  toOutgoing(stored: readonly Message[]): Message[] {
    const out: Message[] = [];
    for (let i = 0; i < stored.length; i++) {
      const message = stored[i]!;
      // A tool message that stands after no call of its own is an orphan.
      if (message.local_only || message.role === "system" || message.role === "tool") continue;
      out.push(this.#sendable(message));
      if (!message.tool_calls?.length) continue;
      const results: Message[] = [];
      while (stored[i + 1]?.role === "tool" || stored[i + 1]?.local_only) {
        const next = stored[++i]!;
        if (!next.local_only) results.push(next);
      }
      out.push(...this.#answers(message, message.tool_calls, results));
    }
    return out;
  }

  #sendable(message: Message): Message {
    const calls = message.tool_calls;
    if (calls === undefined) return message;
    return this.#once(message, () =>
      calls.every((call) => isArgumentObject(call.arguments)) ? message : {
        ...message,
        tool_calls: calls.map((call) => isArgumentObject(call.arguments) ? call : { ...call, arguments: "{}" }),
      });
  }

  #answers(asking: Message, calls: readonly ToolCall[], results: readonly Message[]): Message[] {
    const ids = new Set(calls.map((call) => call.id));
    const byId = ids.size === calls.length && results.every((result) => result.tool_call_id !== undefined);
    return calls.map((call, at) => {
      const found = byId ? results.find((result) => result.tool_call_id === call.id) : results[at];
      if (found === undefined) return this.#placeholder(asking, call);
      if (found.name && found.tool_call_id === call.id) return found;
      return this.#once(found, () => ({ ...found, name: call.name, tool_call_id: call.id }));
    });
  }

  #placeholder(asking: Message, call: ToolCall): Message {
    const kept = this.#placeholders.get(asking) ?? new Map<string, Message>();
    this.#placeholders.set(asking, kept);
    const known = kept.get(call.id);
    if (known) return known;
    const made: Message = { role: "tool", tool_call_id: call.id, name: call.name, content: UNANSWERED };
    kept.set(call.id, made);
    return made;
  }

  #once(message: Message, repair: () => Message): Message {
    const known = this.#repaired.get(message);
    if (known) return known;
    const made = repair();
    this.#repaired.set(message, made);
    return made;
  }
}

/** Whether raw argument text is a JSON object. */
function isArgumentObject(text: string): boolean {
  return parseArguments(text).kind === "object";
}

export type ParsedArguments =
  | { readonly kind: "object"; readonly value: Record<string, unknown> }
  /** JSON, but no object. */
  | { readonly kind: "other"; readonly value: unknown }
  | { readonly kind: "malformed"; readonly problem: string };

export function parseArguments(text: string): ParsedArguments {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "malformed", problem: errorText(error) };
  }
  return isRecord(value) ? { kind: "object", value } : { kind: "other", value };
}

/** Empty and `null` arguments are a legal call without parameters. */
export function normalizeArguments(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" || trimmed === "null" ? "{}" : text;
}
