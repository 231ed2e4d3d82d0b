/** Replaces one place in a text file. */
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./edit_file.md" with { type: "text" };

export const editFileTool: ToolKind = {
  name: "edit_file",
  create(ports): Tool {
    return {
      name: "edit_file",
      description,
      readOnly: false,
      direct: true,
      schema: {
        type: "object",
        properties: {
          path: { type: "string" },
          old_string: { type: "string" },
          new_string: { type: "string" },
        },
        required: ["path", "old_string", "new_string"],
      },
      execute: async (args) => (await import("./run_edits.ts")).runEdit(ports, args),
    };
  },
};
