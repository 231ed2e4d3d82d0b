/** Shows lines of a text file, numbered. */
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./read_file.md" with { type: "text" };

export const DEFAULT_LINES = 2000;

export const readFileTool: ToolKind = {
  name: "read_file",
  create(ports): Tool {
    return {
      name: "read_file",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: {
          path: { type: "string" },
          offset: { type: "integer", minimum: 0, description: "lines to skip" },
          limit: { type: "integer", minimum: 1, default: DEFAULT_LINES },
        },
        required: ["path"],
      },
      execute: async (args) => (await import("./run_read_file.ts")).runReadFile(ports, args),
    };
  },
};
