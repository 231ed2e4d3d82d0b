/** Creates a file or replaces its whole content. */
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./write_file.md" with { type: "text" };

export const writeFileTool: ToolKind = {
  name: "write_file",
  create(ports): Tool {
    return {
      name: "write_file",
      description,
      readOnly: false,
      direct: true,
      schema: {
        type: "object",
        properties: { path: { type: "string" }, content: { type: "string" } },
        required: ["path", "content"],
      },
      execute: async (args) => (await import("./run_write_file.ts")).runWriteFile(ports, args),
    };
  },
};
