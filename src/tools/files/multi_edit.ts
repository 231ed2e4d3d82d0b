/** Several replacements in one file, all or none. */
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./multi_edit.md" with { type: "text" };

export const multiEditTool: ToolKind = {
  name: "multi_edit",
  create(ports): Tool {
    return {
      name: "multi_edit",
      description,
      readOnly: false,
      direct: true,
      schema: {
        type: "object",
        properties: {
          path: { type: "string" },
          edits: {
            type: "array",
            minItems: 1,
            items: {
              type: "object",
              properties: {
                old_string: { type: "string" },
                new_string: { type: "string" },
                replace_all: { type: "boolean" },
              },
              required: ["old_string", "new_string"],
            },
          },
        },
        required: ["path", "edits"],
      },
      execute: async (args) => (await import("./run_edits.ts")).runMultiEdit(ports, args),
    };
  },
};
