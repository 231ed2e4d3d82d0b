/** The work behind `edit_file` and `multi_edit`, and what the model reads of it. */
import type { ToolOutput, ToolPorts } from "../../contract/tool.ts";
import { applyEdits } from "./apply_edits.ts";
import { type EditArgument, toEdits } from "./edit_arguments.ts";
import { howMatched } from "./how_matched.ts";

export async function runEdit({ workspace }: ToolPorts, args: Record<string, unknown>): Promise<ToolOutput> {
  const edit = { old: args.old_string as string, new: args.new_string as string };
  const done = await applyEdits(workspace.files, args.path as string, [edit]);
  const step = done.steps[0]!;
  return {
    text: `edited ${done.path}${howMatched([step.kind])}\n${step.receipt}`,
    execution: { state: "completed", paths_read: [done.path], paths_written: [done.path] },
    display: done.display,
  };
}

export async function runMultiEdit({ workspace }: ToolPorts, args: Record<string, unknown>): Promise<ToolOutput> {
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
}
