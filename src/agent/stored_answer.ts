/** An answer as the transcript keeps it. */
import type { Message, ToolCall } from "../contract/message.ts";
import type { ModelAnswer } from "../contract/provider.ts";

/** `calls`: those of the answer that are kept. Undefined for an answer that holds nothing. */
export function toStoredAnswer(
  answer: ModelAnswer,
  calls: readonly ToolCall[],
  facts: { readonly createdAt: number; readonly modelRef: string },
): Message | undefined {
  const { text, reasoning, reasoningSignature, providerItems, lastUsage } = answer;
  if (text === "" && reasoning === "" && calls.length === 0 && !providerItems) return undefined;
  return {
    role: "assistant",
    ...(text === "" ? {} : { content: text }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(reasoningSignature === undefined ? {} : { reasoning_signature: reasoningSignature }),
    ...(providerItems === undefined ? {} : { provider_items: providerItems }),
    ...facts,
    ...(lastUsage.estimated || lastUsage.prompt === 0 ? {} : { context_tokens: lastUsage.prompt }),
  };
}
