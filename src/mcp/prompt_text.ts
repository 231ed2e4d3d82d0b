/** A server's prompt as the text of one message from the person. Pure. */
import { isRecord } from "../lib/json.ts";
import type { Fields } from "./connection.ts";
import { readPart } from "./result.ts";

/** Words given to the assistant's mouth are told as such: the person's turn holds them all. */
export function readPrompt(result: Fields): string {
  const messages = Array.isArray(result["messages"]) ? result["messages"] : [];
  return messages.flatMap((message) => {
    if (!isRecord(message)) return [];
    const { role, content } = message;
    const text = (Array.isArray(content) ? content : [content]).map(readPart).join("\n\n");
    return [role === "assistant" ? `Assistant: ${text}` : text];
  }).join("\n\n");
}
