/** One custom command as a Markdown file: an optional head of `key: value` lines, then the text of a message. Pure. */

export interface CommandTemplate {
  readonly description: string;
  readonly argumentHint: string;
  readonly body: string;
}

export type ParsedCommand = CommandTemplate | { readonly problem: string };

const FENCE = "---";

export function parseCommand(text: string): ParsedCommand {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  let body = lines;
  const head = new Map<string, string>();
  if (lines[0]?.trimEnd() === FENCE) {
    const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === FENCE);
    if (end < 0) return { problem: `its head is not closed: a line of "${FENCE}" is missing` };
    for (const [at, line] of lines.slice(1, end).entries()) {
      if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
      const found = /^\s*([\w-]+)\s*:(.*)$/.exec(line);
      if (!found) return { problem: `line ${at + 2} of its head is not "key: value"` };
      head.set(found[1]!, plain(found[2]!.trim()));
    }
    body = lines.slice(end + 1);
  }
  const template = body.join("\n").trim();
  if (template === "") return { problem: "it has no text" };
  return {
    description: head.get("description") || firstLine(template),
    argumentHint: head.get("argument-hint") ?? "",
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

/** Quotes that other tools write around values. */
function plain(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value);
  return quoted ? quoted[2]! : value;
}

function firstLine(body: string): string {
  const line = body.split("\n", 1)[0]!.replace(/^#+\s*/, "");
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}
