/** Proof that a transcript begins with what a projection covers: a hash of what a model could see of it. */
import type { Message } from "../../contract/message.ts";
import { sha256 } from "../../lib/bytes.ts";

/** Longer histories are hashed in a chain, so that no text of their whole length is ever made. Characters. */
const LINK = 1024 * 1024;

/** 32 hex digits over the first `count` messages. */
export async function prefixHash(messages: readonly Message[], count: number): Promise<string> {
  let hash = "";
  let lines: string[] = [];
  let size = 0;
  for (let i = 0; i < count; i++) {
    const message = messages[i]!;
    if (message.local_only) continue;
    const line = visibleText(message);
    lines.push(line);
    size += line.length;
    if (size < LINK) continue;
    hash = await sha256(hash + lines.join("\n"));
    [lines, size] = [[], 0];
  }
  return (await sha256(hash + lines.join("\n"))).slice(0, 32);
}

function visibleText({ role, content, tool_calls, tool_call_id, name }: Message): string {
  const calls = (tool_calls ?? []).map((call) => [call.id, call.name, call.arguments]);
  return JSON.stringify([role, content ?? "", calls, tool_call_id ?? "", name ?? ""]);
}

export async function textHash(text: string): Promise<string> {
  return (await sha256(text)).slice(0, 32);
}
