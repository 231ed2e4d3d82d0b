/** What an earlier run left, as far as the transcript proves it. */
import type { ContextState } from "../../contract/context.ts";
import type { Message } from "../../contract/message.ts";
import { prefixHash } from "./prefix_hash.ts";

/** A projection holds only over the very messages it covers, a receipt only over those it was about. */
export async function proveState(
  stored: ContextState,
  messages: readonly Message[],
): Promise<{ readonly state: ContextState; readonly isForeign: boolean }> {
  const holds = async (count: number, hash: string) =>
    count <= messages.length && await prefixHash(messages, count) === hash;
  const { projection, lastReceipt, ...rest } = stored;
  if (projection && !await holds(projection.coveredCount, projection.coveredPrefixHash)) {
    return { state: { generation: 0 }, isForeign: true };
  }
  // The receipt of the projection in force speaks of the same messages: they are not read a second time.
  const isMine = lastReceipt !== undefined &&
    (lastReceipt.inputHash === projection?.coveredPrefixHash ||
      await holds(lastReceipt.coveredCount, lastReceipt.inputHash));
  return {
    state: { ...rest, ...(projection ? { projection } : {}), ...(isMine ? { lastReceipt } : {}) },
    isForeign: false,
  };
}

/** The highest level of fullness the model was told since the projection was made. */
export function toldLevel(messages: readonly Message[], since: number): number {
  for (let at = messages.length - 1; at >= since; at--) {
    const message = messages[at]!;
    if (message.role !== "user" || message.raw_content === undefined) continue;
    const found = /<context-budget level="([\d.]+)">/.exec(message.content ?? "");
    if (found) return Number(found[1]);
  }
  return 0;
}
