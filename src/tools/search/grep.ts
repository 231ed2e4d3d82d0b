/** Searches file contents, line by line, with RE2 patterns. */
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./grep.md" with { type: "text" };

export const grepTool: ToolKind = {
  name: "grep",
  create(ports): Tool {
    return {
      name: "grep",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: {
          pattern: { type: "string", minLength: 1 },
          path: { type: "string" },
          glob: { type: "string", minLength: 1 },
          timeout_seconds: { type: "integer", minimum: 1, maximum: 300 },
        },
        required: ["pattern"],
      },
      execute: async (args, context) => (await import("./run_grep.ts")).runGrep(ports, args, context),
    };
  },
};
