/** Ends a background job with everything it started. */
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./kill_shell.md" with { type: "text" };

export const killShellTool: ToolKind = {
  name: "kill_shell",
  create({ jobs }): Tool {
    return {
      name: "kill_shell",
      description,
      readOnly: false,
      direct: true,
      schema: { type: "object", properties: { job_id: { type: "string" } }, required: ["job_id"] },
      async execute(args) {
        const id = args.job_id as string;
        return {
          text: await jobs.kill(id)
            ? `Killed background job "${id}".`
            : `Background job "${id}" was not running (already finished or unknown).`,
        };
      },
    };
  },
};
