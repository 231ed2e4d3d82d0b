/** The listing behind `ls`. */
import { ToolError } from "../../contract/errors.ts";
import type { ToolContext, ToolOutput, ToolPorts } from "../../contract/tool.ts";
import { FileError, type Files } from "../../contract/workspace.ts";
import { showPath } from "../../lib/shown_path.ts";
import { findPath } from "../find_path.ts";
import { leftOutLines, type Limit, timeLimit } from "./reply.ts";

/** Lines of one reply. */
const ENTRY_LIMIT = 5_000;
const SECONDS = 30;
/** Sizes asked for at once. */
const STATS_AT_ONCE = 32;
const NOT_ENTERED = new Set([".git", "node_modules"]);

export async function runLs(
  { workspace: { files } }: ToolPorts,
  args: Record<string, unknown>,
  { signal }: ToolContext,
): Promise<ToolOutput> {
  const path = await findPath(files, (args.path as string | undefined) ?? ".");
  const limit = timeLimit(SECONDS, signal);
  const listing = new Listing(files, limit);
  await listing.add(path, "", args.recursive === true);
  signal.throwIfAborted();
  const { lines, unreadable } = listing;
  if (lines.length === 0 && unreadable.length === 0) return { text: "(empty directory)" };
  const notes = leftOutLines("not readable", unreadable);
  if (listing.truncated) notes.push(`... (truncated at ${ENTRY_LIMIT} entries)`);
  else if (limit.over()) notes.push(`... (stopped after ${SECONDS} s; the list is not complete)`);
  return { text: [...lines, ...notes].join("\n") };
}

class Listing {
  readonly #files: Files;
  readonly #limit: Limit;
  readonly lines: string[] = [];
  readonly unreadable: string[] = [];
  truncated = false;

  constructor(files: Files, limit: Limit) {
    this.#files = files;
    this.#limit = limit;
  }

  async add(folder: string, prefix: string, recursive: boolean): Promise<void> {
    const entries = await this.#list(folder, prefix === "");
    for (let at = 0; at < entries.length; at += STATS_AT_ONCE) {
      const some = entries.slice(at, at + STATS_AT_ONCE);
      const tails = await Promise.all(some.map((entry) => this.#tail(`${folder}/${entry.name}`, entry.kind)));
      for (const [i, entry] of some.entries()) {
        if (this.#limit.over()) return;
        if (this.lines.length >= ENTRY_LIMIT) {
          this.truncated = true;
          return;
        }
        this.lines.push(showPath(prefix + entry.name) + tails[i]);
        if (recursive && entry.kind === "directory" && !NOT_ENTERED.has(entry.name)) {
          await this.add(`${folder}/${entry.name}`, `${prefix}${entry.name}/`, true);
        }
      }
    }
  }

  async #list(folder: string, named: boolean) {
    try {
      return await this.#files.list(folder);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (named) throw new ToolError(error.message, { cause: error });
      this.unreadable.push(folder);
      return [];
    }
  }

  /** What stands after the name. */
  async #tail(path: string, kind: string): Promise<string> {
    if (kind === "directory") return "/";
    if (kind === "other") return "\t(not a file)";
    try {
      const stat = await this.#files.stat(path);
      if (kind === "link" && stat?.kind === "directory") return "/\t(link)";
      if (stat === undefined && path.includes("\ufffd")) return "\t(the name is not UTF-8; bash alone can reach it)";
      if (stat?.kind === "file") return `\t${stat.size}`;
      return kind === "link" ? "\t(link to nothing readable)" : "\t(not readable)";
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return "\t(not readable)";
    }
  }
}
