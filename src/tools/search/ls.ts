/** Lists a folder, or the tree below it. */
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./ls.md" with { type: "text" };

export const lsTool: ToolKind = {
  name: "ls",
  create(ports): Tool {
    return {
      name: "ls",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: { path: { type: "string", default: "." }, recursive: { type: "boolean" } },
      },
      execute: async (args, context) => (await import("./run_ls.ts")).runLs(ports, args, context),
    };
  },
};
