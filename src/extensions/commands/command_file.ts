/** One custom command as a Markdown file: an optional head of `key: value` lines, then the text of a message. Pure. */
import { type HeadValue, parseDocument } from "../../lib/frontmatter.ts";

export interface CommandTemplate {
  readonly description: string;
  readonly argumentHint: string;
  readonly body: string;
}

export type ParsedCommand = CommandTemplate | { readonly problem: string };

export function parseCommand(text: string): ParsedCommand {
  const { head, body, problem } = parseDocument(text);
  if (problem !== undefined) return { problem };
  const template = body.trim();
  if (template === "") return { problem: "it has no text" };
  return {
    description: textOf(head.get("description")) || firstLine(template),
    argumentHint: textOf(head.get("argument-hint")),
    body: template,
  };
}

/** `$ARGUMENTS`, `$1` to `$N` (empty when absent) and `$$`. What is put in is not looked at again. */
export function renderCommand(body: string, args: string): string {
  const words = args.split(/\s+/).filter((word) => word !== "");
  return body.replace(/\$(\$|ARGUMENTS|[1-9]\d*)/g, (_, name: string) => {
    if (name === "$") return "$";
    return name === "ARGUMENTS" ? words.join(" ") : words[Number(name) - 1] ?? "";
  });
}

/** A value in brackets is no list here: `[FILE]`. */
export function textOf(value: HeadValue | undefined): string {
  return typeof value === "object" ? `[${value.join(", ")}]` : value ?? "";
}

function firstLine(body: string): string {
  const line = body.split("\n", 1)[0]!.replace(/^#+\s*/, "");
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}
