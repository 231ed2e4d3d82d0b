/**
 * Output items as the endpoint sent them. An answer is stored as text, reasoning and calls; where its items say more
 * than that — opaque reasoning, tools the endpoint ran itself, several messages — they are kept beside it, in order.
 */

export type ReceivedItem = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Kept of what is stored elsewhere: a call by its id, a message by its text. The rest is kept as received. */
const KEPT = new Set(["reasoning", "message", "function_call", "web_search_call", "compaction"]);

/** Whether a stored item is one of this protocol. */
export function isReceivedItem(item: unknown): item is ReceivedItem {
  return typeof item === "object" && item !== null && KEPT.has(String((item as { type?: unknown }).type));
}

/** Undefined where text and calls say it all. */
export function toKeep(items: readonly ReceivedItem[]): readonly ReceivedItem[] | undefined {
  const known = items.filter(isReceivedItem);
  const messages = known.filter((item) => item.type === "message");
  const plain = known.every((item) => item.type === "message" || item.type === "function_call") &&
    messages.length < 2 && messages.every((item) => typeof item.phase !== "string");
  if (plain) return undefined;
  return known.map((item) => {
    if (item.type === "function_call") return { type: item.type, call_id: item.call_id };
    if (item.type !== "message") return item;
    return { type: item.type, content: textOf(item), ...(typeof item.phase === "string" ? { phase: item.phase } : {}) };
  });
}

/** What a message item says. */
export function textOf({ content }: Readonly<Record<string, unknown>>): string {
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => {
    const { text, refusal } = (part ?? {}) as { text?: unknown; refusal?: unknown };
    return typeof text === "string" ? text : typeof refusal === "string" ? refusal : "";
  }).join("");
}
