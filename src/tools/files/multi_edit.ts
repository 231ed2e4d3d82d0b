/** Several replacements in one file, all or none. */
import type { Tool, ToolKind, ToolOutput } from "../../contract/tool.ts";
import { applyEdits } from "./apply_edits.ts";
import { howMatched } from "./how_matched.ts";
import { type EditArgument, toEdits } from "./edit_arguments.ts";
import description from "./multi_edit.md" with { type: "text" };

export const multiEditTool: ToolKind = {
  name: "multi_edit",
  create({ workspace }): Tool {
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
      async execute(args): Promise<ToolOutput> {
        const edits = toEdits(args.edits as EditArgument[]);
        const done = await applyEdits(workspace.files, args.path as string, edits, { numbered: true });
        const total = done.steps.reduce((sum, step) => sum + step.occurrences, 0);
        const head = `multi_edit ${done.path}: ${edits.length} edits applied (${total} total replacements)`;
        return {
          text: [
            head + howMatched(done.steps.map((step) => step.kind)),
            ...done.steps.map((step) => step.receipt),
          ].join("\n"),
          execution: { state: "completed", paths_read: [done.path], paths_written: [done.path] },
          display: done.display,
        };
      },
    };
  },
};
