/** What the model is told of `history`. What it does is loaded with the first call. */
import type { ToolContext, ToolKind, ToolOutput } from "../../contract/tool.ts";
import words from "./history.md" with { type: "text" };

export type LookIntoHistory = (args: Record<string, unknown>, context: ToolContext) => Promise<ToolOutput>;

export function createHistoryTool(look: LookIntoHistory): ToolKind {
  const span = { type: "integer", maximum: 10 };
  return {
    name: "history",
    create: () => ({
      name: "history",
      description: words,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: {
          operation: { enum: ["search", "around"] },
          query: { type: "string" },
          scope: { enum: ["project", "global"] },
          kind: {
            type: "array",
            items: { enum: ["user_text", "assistant_text", "tool_input", "tool_error", "tool_output"] },
          },
          tool_name: { type: "string" },
          limit: { type: "integer", maximum: 20 },
          session_path: { type: "string" },
          message_index: { type: "integer" },
          before: span,
          after: span,
        },
        required: ["operation"],
      },
      execute: look,
    }),
  };
}
