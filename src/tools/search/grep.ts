/** Searches file contents, line by line, with RE2 patterns. */
import { ToolError } from "../../contract/errors.ts";
import type { Tool, ToolKind } from "../../contract/tool.ts";
import { FileError } from "../../contract/workspace.ts";
import { toText } from "../../lib/bytes.ts";
import { showPath } from "../../lib/odd_name.ts";
import { findPath } from "./find_path.ts";
import { leftOutLines, timeLimit } from "./reply.ts";
import { walkFolders, type WalkReport } from "./walk.ts";
import { PatternError, Wildcard } from "./wildcard.ts";
import description from "./grep.md" with { type: "text" };

const MATCH_LIMIT = 200;

export const grepTool: ToolKind = {
  name: "grep",
  create({ workspace }): Tool {
    const { files } = workspace;
    return {
      name: "grep",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: {
          pattern: { type: "string", minLength: 1 },
          path: { type: "string", default: "." },
          glob: { type: "string", minLength: 1 },
          timeout_seconds: { type: "integer", minimum: 1, maximum: 300, default: 30 },
        },
        required: ["pattern"],
      },
      async execute(args, { signal }) {
        const { RE2JS } = await import("re2js");
        let pattern: InstanceType<typeof RE2JS>;
        try {
          pattern = RE2JS.compile(args.pattern as string);
        } catch (error) {
          throw new ToolError(`syntax error in pattern: ${error instanceof Error ? error.message : error}`);
        }
        let filter: Wildcard | undefined;
        try {
          const glob = args.glob as string | undefined;
          if (glob !== undefined) filter = new Wildcard(glob.includes("/") ? glob : `**/${glob}`, { dialect: "path" });
        } catch (error) {
          if (error instanceof PatternError) throw new ToolError(`syntax error in glob: ${error.message}`);
          throw error;
        }
        const path = await findPath(files, (args.path as string | undefined) ?? ".");
        const limit = timeLimit((args.timeout_seconds as number | undefined) ?? 30, signal);
        const stat = await files.stat(path);
        if (stat === undefined) throw new ToolError(`${showPath(path)} does not exist`);
        const lines: string[] = [];
        const report: WalkReport = { unreadable: [], skippedIgnored: false };
        const search = async (file: string) => {
          let text: string;
          try {
            const { bytes } = await files.read(file);
            if (bytes.subarray(0, 8192).includes(0)) return;
            text = toText(bytes);
          } catch (error) {
            if (error instanceof FileError) return;
            throw error;
          }
          for (const [i, line] of text.split(/\r?\n/).entries()) {
            if (pattern.test(line)) lines.push(`${showPath(file)}:${i + 1}:${line}`);
            if (lines.length > MATCH_LIMIT) return;
          }
        };
        if (stat.kind === "file") await search(path);
        else {
          const walk = walkFolders(files, { folder: path, ignored: "skip", hidden: false, stop: limit.over }, report);
          for await (const folder of walk) {
            for (const file of folder.files) {
              if (filter !== undefined && !filter.matchesNames(file.names)) continue;
              await search(file.path);
            }
            if (lines.length > MATCH_LIMIT) break;
          }
        }
        signal.throwIfAborted();
        if (lines.length > MATCH_LIMIT) {
          lines.splice(MATCH_LIMIT, Infinity, `... (truncated at ${MATCH_LIMIT} matches)`);
        }
        if (lines.length === 0) lines.push("(no matches)");
        lines.push(...leftOutLines("not readable", report.unreadable));
        return { text: lines.join("\n") };
      },
    };
  },
};
