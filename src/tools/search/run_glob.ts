/** The search behind `glob`. */
import { ToolError } from "../../contract/errors.ts";
import type { ToolContext, ToolOutput, ToolPorts } from "../../contract/tool.ts";
import { FileError, type Files } from "../../contract/workspace.ts";
import { isAbsolute, join } from "../../lib/path.ts";
import { showPath } from "../../lib/shown_path.ts";
import { leftOutLines, type Limit, timeLimit, unnameableLines } from "./reply.ts";
import { emptyReport, walkFolders, type WalkReport } from "./walk.ts";
import { PatternError, Wildcard } from "./wildcard.ts";

/** Paths of one reply. */
const PATH_LIMIT = 2_000;

export async function runGlob(
  { workspace }: ToolPorts,
  args: Record<string, unknown>,
  { signal }: ToolContext,
): Promise<ToolOutput> {
  const { files, root } = workspace;
  const pattern = args.pattern as string;
  const limit = timeLimit((args.timeout_seconds as number | undefined) ?? 30, signal);
  const search = new Search(files, parsePattern(pattern, files.absolute(root)), limit);
  await search.run();
  signal.throwIfAborted();
  return { text: search.reply(pattern) };
}

interface Asked {
  /** Where the walk starts: the longest start of the pattern that is plain names. */
  readonly folder: string;
  readonly pattern: Wildcard;
  readonly hidden: boolean;
  /** Set when there is no wildcard: the one path that is meant. */
  readonly path?: string;
}

function parsePattern(pattern: string, root: string): Asked {
  const problem = (text: string) => new ToolError(`syntax error in pattern "${pattern}": ${text}`);
  const wildcard = (text: string): Wildcard => {
    try {
      return new Wildcard(text, { dialect: "path" });
    } catch (error) {
      if (error instanceof PatternError) throw problem(error.message);
      throw error;
    }
  };
  if (pattern.includes("\0")) throw problem("it holds a NUL character");
  // As written first, so that a position in an error is one of what the model wrote.
  wildcard(pattern);
  const parts = pattern.split("/").filter((part) => part !== "." && part !== "");
  const drive = /^[A-Za-z]:$/.test(parts[0] ?? "") && isAbsolute(pattern) ? `${parts.shift()}/` : "/";
  let folder = isAbsolute(pattern) ? drive : root;
  while (parts.length > 1 && !/[*?[\\]/.test(parts[0]!)) folder = join(folder, parts.shift()!);
  if (parts.includes("..")) throw problem(`".." can only stand before the first wildcard`);
  const last = parts.join("/");
  return {
    folder,
    pattern: wildcard(last),
    hidden: parts.some((part) => part.startsWith(".")),
    ...(/[*?[\\]/.test(last) ? {} : { path: join(folder, last) }),
  };
}

class Search {
  readonly #files: Files;
  readonly #asked: Asked;
  readonly #limit: Limit;
  readonly #report: WalkReport = emptyReport();
  readonly #paths: string[] = [];
  readonly #folders = new Set<string>();
  #onlyIgnored = false;
  #truncated = false;

  constructor(files: Files, asked: Asked, limit: Limit) {
    this.#files = files;
    this.#asked = asked;
    this.#limit = limit;
  }

  async run(): Promise<void> {
    if (this.#asked.path !== undefined) return await this.#one(this.#asked.path);
    await this.#pass("skip");
    if (this.#paths.length > 0 || this.#folders.size > 0 || !this.#report.skippedIgnored || this.#limit.over()) return;
    this.#onlyIgnored = true;
    await this.#pass("only");
  }

  /** A path without wildcards was named outright: hidden, ignored and linked ones as well. */
  async #one(path: string): Promise<void> {
    try {
      const stat = await this.#files.stat(path);
      if (stat?.kind === "directory") this.#folders.add(path);
      else if (stat !== undefined) this.#paths.push(path);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.#report.unreadable.push(path);
    }
  }

  async #pass(ignored: "skip" | "only"): Promise<void> {
    const { folder, pattern, hidden } = this.#asked;
    const enter = (names: readonly string[]): boolean => {
      if (names.at(-1) === ".git") return false;
      if (pattern.matchesNames(names)) this.#folders.add(join(folder, names.join("/")));
      return pattern.mayMatchBelow(names);
    };
    const stop = () => this.#limit.over();
    for await (const one of walkFolders(this.#files, { folder, ignored, hidden, enter, stop }, this.#report)) {
      for (const file of one.files) {
        if (!pattern.matchesNames(file.names)) continue;
        if (this.#paths.length >= PATH_LIMIT) {
          this.#truncated = true;
          return;
        }
        this.#paths.push(file.path);
      }
    }
  }

  reply(pattern: string): string {
    const lines = this.#paths.sort().map(showPath);
    if (lines.length > 0) {
      if (this.#onlyIgnored) lines.unshift("(only paths that git ignores match)");
    } else if (this.#folders.size > 0) {
      lines.push("(no files match; these folders do)");
      lines.push(...[...this.#folders].sort().slice(0, PATH_LIMIT).map((path) => `${showPath(path)}/`));
    } else {
      lines.push("(no matches)");
      if (/\{[^{}]*,[^{}]*\}/.test(pattern)) {
        lines.push("(braces stand for themselves; use one call for each alternative)");
      }
    }
    if (this.#truncated) lines.push(`... (truncated at ${PATH_LIMIT} paths)`);
    if (this.#limit.over()) lines.push(`... (stopped after ${this.#limit.seconds} s; the list is not complete)`);
    lines.push(...leftOutLines("not readable", this.#report.unreadable), ...unnameableLines(this.#report.unnameable));
    return lines.join("\n");
  }
}
