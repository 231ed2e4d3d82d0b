/** The tool with which the model folds a part of the conversation, on the person's word. Nothing stored is changed. */
import { ToolError } from "../../contract/errors.ts";
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./compress.md" with { type: "text" };

export const compressTool: ToolKind = {
  name: "compress",
  create({ compression }): Tool {
    return {
      name: "compress",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: {
          anchor: { type: "string", minLength: 1, maxLength: 512 },
          direction: { enum: ["before", "after"] },
          focus: { type: "string", maxLength: 2000 },
        },
        required: ["anchor", "direction"],
      },
      async execute(args, { signal }) {
        if (compression === undefined) throw new ToolError("this conversation cannot be folded");
        const { outcome, text, code } = await compression.compress({
          anchor: args.anchor as string,
          direction: args.direction as "before" | "after",
          ...(args.focus === undefined ? {} : { focus: args.focus as string }),
        }, signal);
        if (outcome === "applied" || outcome === "noop") return { text };
        throw new ToolError(code === undefined ? text : `${text} (${code})`);
      },
    };
  },
};
