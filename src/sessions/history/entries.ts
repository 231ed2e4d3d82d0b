/** What of a stored message can be searched: the person's words, answers, what tools were called with and what they said. */
import type { Message } from "../../contract/message.ts";
import { isUserTurn } from "../message_log.ts";

/** The first four are searched unless kinds are named. */
export const KINDS = ["user_text", "assistant_text", "tool_input", "tool_error", "tool_output"] as const;
export type Kind = typeof KINDS[number];
export const USUAL_KINDS: readonly Kind[] = KINDS.slice(0, 4);

export interface Entry {
  readonly kind: Kind;
  readonly text: string;
  readonly tool?: string;
}

/** Of longer texts the beginning is searched. Characters. */
const SEARCHED = { text: 64_000, output: 16_000 };

/** Looking into the past leaves the words that were looked for: they would be their own best hit. */
const LOOKS_BACK = new Set(["history", "memory"]);

export function searchableOf(message: Message): readonly Entry[] {
  const { role, content = "", raw_content, tool_calls = [], name } = message;
  if (role === "user") {
    return isUserTurn(message) ? entry("user_text", raw_content ?? content, SEARCHED.text) : [];
  }
  if (role === "assistant") {
    return [
      ...entry("assistant_text", content, SEARCHED.text),
      ...tool_calls.filter((call) => !LOOKS_BACK.has(call.name)).flatMap((call) =>
        entry("tool_input", `${call.name} ${spoken(call.arguments)}`, SEARCHED.text, call.name)
      ),
    ];
  }
  if (role !== "tool" || LOOKS_BACK.has(name ?? "")) return [];
  const isError = /^(?:error|blocked):/.test(content) || /permission denied/i.test(content.slice(0, 2_000));
  return entry(isError ? "tool_error" : "tool_output", raw_content ?? content, SEARCHED.output, name);
}

function entry(kind: Kind, text: string, limit: number, tool?: string): Entry[] {
  if (text.trim() === "") return [];
  return [{ kind, text: text.slice(0, limit), ...(tool === undefined ? {} : { tool }) }];
}

/** The texts in JSON arguments, as they are meant; what is no JSON stays as it is. */
function spoken(args: string): string {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string" || typeof value === "number") texts.push(String(value));
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  try {
    collect(JSON.parse(args));
  } catch {
    return args;
  }
  return texts.join("\n");
}
