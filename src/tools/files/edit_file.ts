/** Replaces one place in a text file. */
import type { Tool, ToolKind, ToolOutput } from "../../contract/tool.ts";
import { applyEdits } from "./apply_edits.ts";
import { howMatched } from "./how_matched.ts";
import description from "./edit_file.md" with { type: "text" };

export const editFileTool: ToolKind = {
  name: "edit_file",
  create({ workspace }): Tool {
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
      async execute(args): Promise<ToolOutput> {
        const edit = { old: args.old_string as string, new: args.new_string as string };
        const done = await applyEdits(workspace.files, args.path as string, [edit]);
        const step = done.steps[0]!;
        return {
          text: `edited ${done.path}${howMatched([step.kind])}\n${step.receipt}`,
          execution: { state: "completed", paths_read: [done.path], paths_written: [done.path] },
          display: done.display,
        };
      },
    };
  },
};
