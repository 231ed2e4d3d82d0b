/** What a folder asks for, in lines for the person who is to answer for it. Every word of it comes from the folder. */
import type { FolderInquiry } from "../../../assembly/mod.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { shellQuote } from "../../../lib/shell_quote.ts";
import { toLine } from "../../../lib/terminal_text.ts";

const LONGEST = 1000;

const KINDS = {
  setting: "sets",
  server: "starts server",
  provider: "may ask the model at",
  hook: "runs hook",
} as const;

export function trustReport({ root, state, demands, changes, problems }: FolderInquiry): string[] {
  const lines = [`folder: ${toLine(root, 1000)}`];
  for (const problem of problems) lines.push(`! ${toLine("text" in problem ? problem.text : problem.message, 500)}`);
  if (demands.length === 0) {
    return [...lines, "It asks for nothing that needs trust: no hooks, no MCP servers, no settings that loosen yours."];
  }
  if (state === "changed" || state === "trusted") {
    lines.push(changes.length === 0 ? "Nothing has changed since you trusted it." : "Changed since you trusted it:");
    for (const { kind, name, before, after } of changes) {
      lines.push(`  ${KINDS[kind]} ${toLine(name)}`);
      lines.push(`    - ${before === undefined ? "(nothing)" : inWords(before)}`);
      lines.push(`    + ${after === undefined ? "(nothing)" : inWords(after)}`);
    }
  }
  lines.push("With trust it:");
  for (const { kind, name, value } of demands) lines.push(`  ${KINDS[kind]} ${toLine(name)}: ${inWords(value)}`);
  return lines;
}

/** A record as the line that would run, with what else it sets behind it; anything else as it is. Leaves nothing out. */
function inWords(value: string): string {
  const record = parseJson(value);
  if (!isRecord(record)) return toLine(value, LONGEST);
  const { command, args = [], type, ...rest } = record;
  const words = [command, ...(Array.isArray(args) ? args : [args])];
  if (!words.every((word) => typeof word === "string")) return toLine(value, LONGEST);
  const more = Object.entries({ ...(type === "stdio" ? {} : { type }), ...rest })
    .filter(([, set]) => set !== undefined && !(isRecord(set) && Object.keys(set).length === 0))
    .map(([key, set]) => `${key} ${JSON.stringify(set)}`);
  return toLine([words.map(shellQuote).join(" "), ...more].join(" · "), LONGEST);
}
