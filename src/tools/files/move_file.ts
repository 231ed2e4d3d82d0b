/** Moves or renames a file or folder. */
import type { Tool, ToolKind, ToolOutput } from "../../contract/tool.ts";
import description from "./move_file.md" with { type: "text" };

export const moveFileTool: ToolKind = {
  name: "move_file",
  create({ workspace }): Tool {
    const { files } = workspace;
    return {
      name: "move_file",
      description,
      readOnly: false,
      direct: true,
      schema: {
        type: "object",
        properties: { source_path: { type: "string" }, destination_path: { type: "string" } },
        required: ["source_path", "destination_path"],
      },
      async execute(args): Promise<ToolOutput> {
        const source = files.absolute(args.source_path as string);
        const destination = files.absolute(args.destination_path as string);
        await files.move(source, destination);
        return {
          text: `moved ${source} to ${destination}`,
          execution: { state: "completed", paths_written: [source, destination] },
        };
      },
    };
  },
};
