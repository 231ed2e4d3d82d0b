/** Reads what a background job wrote since the last reading. */
import { ToolError } from "../../contract/errors.ts";
import type { Tool, ToolKind } from "../../contract/tool.ts";
import { linePattern } from "../line_pattern.ts";
import description from "./bash_output.md" with { type: "text" };

export const bashOutputTool: ToolKind = {
  name: "bash_output",
  create({ jobs }): Tool {
    return {
      name: "bash_output",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: { job_id: { type: "string" }, filter: { type: "string" } },
        required: ["job_id"],
      },
      async execute(args) {
        const id = args.job_id as string;
        const filter = args.filter ? await linePattern(args.filter as string) : undefined;
        const reading = jobs.read(id);
        if (reading === undefined) throw new ToolError(`no background job "${id}"`);
        const output = filter ? reading.output.split("\n").filter(filter.test).join("\n") : reading.output;
        return { text: `[${id}] ${reading.status}\n${output || "(no new output)"}` };
      },
    };
  },
};
