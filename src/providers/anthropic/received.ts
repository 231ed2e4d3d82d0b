/**
 * Content blocks as the endpoint sent them. An answer is stored as text, reasoning and calls; where its blocks say more
 * than that — tools the endpoint ran itself, several spans of thinking, citations — the blocks are kept beside it.
 */

export type ReceivedBlock = { readonly type: string } & Readonly<Record<string, unknown>>;

const TYPES = new Set(["text", "thinking", "redacted_thinking", "tool_use", "server_tool_use", "mcp_tool_use"]);

/** Whether a stored item is a block of this protocol. */
export function isReceivedBlock(item: unknown): item is ReceivedBlock {
  if (typeof item !== "object" || item === null) return false;
  const { type } = item as { type?: unknown };
  return typeof type === "string" && (TYPES.has(type) || type.endsWith("_tool_result"));
}

/** Undefined where text, reasoning, its signature and the calls say it all. */
export function toKeep(blocks: readonly ReceivedBlock[]): readonly ReceivedBlock[] | undefined {
  const thoughts = blocks.filter((block) => block.type === "thinking" || block.type === "redacted_thinking");
  const plain = blocks.every((block) =>
    block.type === "text" || block.type === "thinking" || block.type === "tool_use"
  );
  const ordered = thoughts.length === 0 || (thoughts.length === 1 && blocks[0] === thoughts[0]);
  return plain && ordered ? undefined : blocks;
}
