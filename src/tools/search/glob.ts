/** Finds files by name. */
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./glob.md" with { type: "text" };

export const globTool: ToolKind = {
  name: "glob",
  create(ports): Tool {
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
      execute: async (args, context) => (await import("./run_glob.ts")).runGlob(ports, args, context),
    };
  },
};
