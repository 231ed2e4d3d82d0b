/** Waits for background jobs; tells how each stands and what it wrote since the last reading. */
import { ToolError } from "../../contract/errors.ts";
import type { Tool, ToolKind } from "../../contract/tool.ts";
import { linePattern } from "../line_pattern.ts";
import description from "./wait.md" with { type: "text" };

const DEFAULT_SECONDS = 600;

export const waitTool: ToolKind = {
  name: "wait",
  create({ jobs }): Tool {
    return {
      name: "wait",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: {
          job_ids: { type: "array", items: { type: "string" } },
          timeout_seconds: { type: "integer", minimum: 1 },
          until_output_matches: { type: "string" },
        },
      },
      async execute(args, { signal }) {
        const named = args.job_ids as string[] | undefined;
        const ids = named?.length
          ? [...new Set(named)]
          : jobs.list().filter((job) => job.status === "running").map((job) => job.id);
        if (ids.length === 0) return { text: "No background jobs to wait for." };
        const unknown = ids.filter((id) => jobs.find(id) === undefined);
        if (unknown.length > 0) throw new ToolError(unknown.map((id) => `no background job "${id}"`).join("; "));

        const pattern = args.until_output_matches as string | undefined;
        const seconds = (args.timeout_seconds as number | undefined) ?? DEFAULT_SECONDS;
        const matches = pattern ? (await linePattern(pattern)).test : undefined;
        const outcome = await jobs.wait(ids, { timeoutMs: seconds * 1000, signal, ...(matches && { matches }) });

        const parts = ids.map((id) => {
          const reading = jobs.read(id);
          if (reading === undefined) return `[${id}] has ended; so many others have since that its output is gone`;
          const { label, status, output } = reading;
          return `[${id} (${label})] ${status}\n${output || "(no new output)"}`.trimEnd();
        });
        if (outcome === "timeout") {
          parts.push(`Still running after ${seconds} s: nothing was stopped. Wait again, or go on and read it later.`);
        } else if (matches && outcome === "ended") {
          parts.push("Everything has ended; no new line matched before.");
        }
        return { text: parts.join("\n\n") };
      },
    };
  },
};
