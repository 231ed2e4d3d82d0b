/** The one digest of a folded view: a message of the host that says what it is. */
import type { Message } from "../../contract/message.ts";
import { ownBlock } from "../../lib/own_block.ts";

const OPEN = "<compaction-summary>";
const CLOSE = "</compaction-summary>";
const NOTE =
  "The older part of this conversation was folded. Messages of the person that stand before this one are kept " +
  "word for word and stay in force; the rest is summarised here by a model and may have gaps. Look again at files and " +
  "commands before relying on details.";

/** `facts`: what the host itself knows of the present, such as the task list. */
export function toDigest(summary: string, facts: readonly string[]): Message {
  const state = facts.length === 0 ? "" : `\n\n${ownBlock("host-state", facts.join("\n\n"))}`;
  return { role: "user", content: `${OPEN}\n${NOTE}\n\n${summary}\n${CLOSE}${state}`, host_authored: true };
}

export function isDigest(message: Message): boolean {
  return message.role === "user" && message.host_authored === true && (message.content ?? "").startsWith(OPEN);
}

/** The summary inside a digest, also of one that another version wrote. */
export function summaryOf(digest: Message): string {
  const text = digest.content ?? "";
  const end = text.indexOf(CLOSE);
  const inner = text.slice(OPEN.length, end < 0 ? undefined : end).trim();
  return inner.startsWith(NOTE) ? inner.slice(NOTE.length).trim() : inner;
}

/** A model's answer as the text of a digest: without a wrapper of its own, and unable to close ours. */
export function cleanSummary(answer: string): string {
  return answer.replaceAll(/<\/?(?:compaction-summary|host-state)>/gi, "").trim();
}
