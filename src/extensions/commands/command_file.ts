/** One custom command as a Markdown file: an optional head of `key: value` lines, then the text of a message. Pure. */
import { clip } from "../../lib/clip.ts";
import { headText, parseDocument } from "../../lib/frontmatter.ts";
import { isAbsolute } from "../../lib/path.ts";
import { referenceNames } from "../../lib/reference_names.ts";

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
    description: headText(head.get("description")) || firstLine(template),
    argumentHint: headText(head.get("argument-hint")),
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

/**
 * The first `@` reference of a rendered text that leads out of the workspace by its name and that the person did not
 * type: what a repository brings may point into it alone. Undefined when there is none.
 */
export function leadsOut(text: string, args: string): string | undefined {
  const typed = new Set([...referenceNames(args), ...args.split(/\s+/)]);
  return [...referenceNames(text)].find((name) => isOutside(name) && !typed.has(name));
}

function isOutside(name: string): boolean {
  return isAbsolute(name) || name.startsWith("~") || name.split(/[/\\]/).includes("..");
}

function firstLine(body: string): string {
  return clip(body.split("\n", 1)[0]!.replace(/^#+\s*/, ""), 100);
}
