/** What a folder asks for, in lines for the person who is to answer for it. Every word of it comes from the folder. */
import type { FolderInquiry } from "../../../assembly/mod.ts";
import { toLine } from "../../../lib/terminal_text.ts";

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
      lines.push(`    - ${before === undefined ? "(nothing)" : toLine(before, 1000)}`);
      lines.push(`    + ${after === undefined ? "(nothing)" : toLine(after, 1000)}`);
    }
  }
  lines.push("With trust it:");
  for (const { kind, name, value } of demands) lines.push(`  ${KINDS[kind]} ${toLine(name)}: ${toLine(value, 1000)}`);
  return lines;
}
