/** Finds files by name. */
import { ToolError } from "../../contract/errors.ts";
import type { Tool, ToolKind } from "../../contract/tool.ts";
import type { Files } from "../../contract/workspace.ts";
import { isAbsolute, normalize } from "../../lib/path.ts";
import { showPath } from "../../lib/odd_name.ts";
import { leftOutLines, timeLimit } from "./reply.ts";
import { walkFolders, type WalkReport } from "./walk.ts";
import { PatternError, Wildcard } from "./wildcard.ts";
import description from "./glob.md" with { type: "text" };

/** Paths of one reply. */
const PATH_LIMIT = 2_000;

export const globTool: ToolKind = {
  name: "glob",
  create({ workspace }): Tool {
    const { files, root } = workspace;
    return {
      name: "glob",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: {
          pattern: { type: "string", minLength: 1 },
          timeout_seconds: { type: "integer", minimum: 1, maximum: 300, default: 30 },
        },
        required: ["pattern"],
      },
      async execute(args, { signal }) {
        const asked = parsePattern(args.pattern as string, files.absolute(root));
        const limit = timeLimit((args.timeout_seconds as number | undefined) ?? 30, signal);
        const report: WalkReport = { unreadable: [], skippedIgnored: false };
        let ignored = false;
        let found = await find(files, asked, { ignored: "skip", report, stop: limit.over });
        if (found.paths.length === 0 && report.skippedIgnored && !limit.over()) {
          ignored = true;
          found = await find(files, asked, { ignored: "only", report, stop: limit.over });
        }
        signal.throwIfAborted();
        const { paths, truncated } = found;
        const lines = paths.sort().map(showPath);
        if (lines.length === 0) lines.push("(no matches)");
        else if (ignored) lines.unshift("(only paths that git ignores match)");
        if (lines[0] === "(no matches)" && /\{[^{}]*,[^{}]*\}/.test(args.pattern as string)) {
          lines.push("(braces stand for themselves; use one call for each alternative)");
        }
        if (truncated) lines.push(`... (truncated at ${PATH_LIMIT} paths)`);
        if (limit.over()) lines.push(`... (stopped after ${limit.seconds} s; the list is not complete)`);
        lines.push(...leftOutLines("not readable", [...new Set(report.unreadable)]));
        return { text: lines.join("\n") };
      },
    };
  },
};

interface Asked {
  /** Where the walk starts: the longest start of the pattern that is plain names. */
  readonly folder: string;
  readonly pattern: Wildcard;
  readonly hidden: boolean;
}

function parsePattern(pattern: string, root: string): Asked {
  const wildcard = (text: string): Wildcard => {
    try {
      return new Wildcard(text, { dialect: "path" });
    } catch (error) {
      if (error instanceof PatternError) throw problem(error.message);
      throw error;
    }
  };
  const problem = (text: string) => new ToolError(`syntax error in pattern "${pattern}": ${text}`);
  if (pattern.includes("\0")) throw problem("it holds a NUL character");
  // As written first, so that a position in an error is one of what the model wrote.
  wildcard(pattern);
  const parts = (isAbsolute(pattern) ? pattern : `${root}/${pattern}`).split("/").filter((part) =>
    part !== "." && part !== ""
  );
  const plain: string[] = [];
  while (parts.length > 1 && !/[*?[\\]/.test(parts[0]!)) {
    const part = parts.shift()!;
    if (part === "..") plain.pop();
    else plain.push(part);
  }
  if (parts.includes("..")) throw problem(`".." can only stand before the first wildcard`);
  return {
    folder: normalize(/^[A-Za-z]:$/.test(plain[0] ?? "") ? `${plain.join("/")}/` : `/${plain.join("/")}`),
    pattern: wildcard(parts.join("/")),
    hidden: parts.some((part) => part.startsWith(".")),
  };
}

async function find(
  files: Files,
  asked: Asked,
  options: { readonly ignored: "skip" | "only"; readonly report: WalkReport; stop(): boolean },
): Promise<{ paths: string[]; truncated: boolean }> {
  const paths: string[] = [];
  const walk = walkFolders(files, {
    folder: asked.folder,
    ignored: options.ignored,
    hidden: asked.hidden,
    enter: (names) => names.at(-1) !== ".git" && asked.pattern.mayMatchBelow(names),
    stop: options.stop,
  }, options.report);
  for await (const folder of walk) {
    for (const file of folder.files) {
      if (!asked.pattern.matchesNames(file.names)) continue;
      if (paths.length >= PATH_LIMIT) return { paths, truncated: true };
      paths.push(file.path);
    }
  }
  return { paths, truncated: false };
}
