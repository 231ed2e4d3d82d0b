/** A conversation as a document for people: what was said and done, without what only machines read. */
import type { Message } from "../contract/message.ts";

/** Of a tool's result. Characters. */
const LONGEST_RESULT = 4_000;

export function toMarkdown(messages: readonly Message[], { title }: { readonly title: string }): string {
  const parts = [`# ${title.replace(/\s+/g, " ")}`];
  for (const message of messages) {
    if (message.role === "system" || message.host_authored || message.local_only) continue;
    const text = (message.role === "user" ? message.raw_content ?? message.content : message.content)?.trim() ?? "";
    if (message.role === "user") parts.push(`## ${message.steer ? "You, meanwhile" : "You"}`, text);
    else if (message.role === "tool") {
      if (text !== "") parts.push(fenced(text.length > LONGEST_RESULT ? `${text.slice(0, LONGEST_RESULT)}\n…` : text));
    } else {
      parts.push("## Reasonix");
      if (text !== "") parts.push(text);
      for (const call of message.tool_calls ?? []) parts.push(`**${call.name}**`, fenced(call.arguments, "json"));
    }
  }
  return parts.join("\n\n") + "\n";
}

/** A fence longer than any inside. */
function fenced(text: string, language = ""): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
