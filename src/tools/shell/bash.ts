/** Runs a command in the workspace's shell. */
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./bash.md" with { type: "text" };

export const bashTool: ToolKind = {
  name: "bash",
  create(ports): Tool {
    const shell = ports.workspace.processes.shell.name;
    return {
      name: "bash",
      description: shell === "bash" ? description : `${description.trimEnd()} The shell is ${shell}.`,
      readOnly: false,
      direct: true,
      schema: {
        type: "object",
        properties: {
          command: { type: "string" },
          run_in_background: { type: "boolean" },
          preserve_background_processes: { type: "boolean" },
          timeout_seconds: { type: "integer", minimum: 1 },
          verifies: { type: "string" },
        },
        required: ["command"],
      },
      execute: async (args, context) => (await import("./run_bash.ts")).runBash(ports, args, context),
    };
  },
};
