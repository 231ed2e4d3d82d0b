/**
 * Every built-in tool, in the order the model sees them. The order is part of the request prefix: add, never reorder.
 *
 * A session starts by loading this list, so `X.ts` holds what the model reads of a tool, and nothing else of weight.
 * Where the work takes more than a few lines it stands in `run_X.ts`, which `execute` imports at the first call.
 */
import type { ToolKind } from "../contract/tool.ts";
import { useCapabilityTool } from "./capability/use_capability.ts";
import { compressTool } from "./context/compress.ts";
import { askTool } from "./ask/ask.ts";
import { editFileTool } from "./files/edit_file.ts";
import { moveFileTool } from "./files/move_file.ts";
import { multiEditTool } from "./files/multi_edit.ts";
import { readFileTool } from "./files/read_file.ts";
import { writeFileTool } from "./files/write_file.ts";
import { exitPlanModeTool } from "./plan/exit_plan_mode.ts";
import { globTool } from "./search/glob.ts";
import { grepTool } from "./search/grep.ts";
import { lsTool } from "./search/ls.ts";
import { bashTool } from "./shell/bash.ts";
import { bashOutputTool } from "./shell/bash_output.ts";
import { killShellTool } from "./shell/kill_shell.ts";
import { waitTool } from "./shell/wait.ts";
import { todoWriteTool } from "./todo/todo_write.ts";

export const BUILTIN_TOOLS: readonly ToolKind[] = [
  bashTool,
  bashOutputTool,
  killShellTool,
  waitTool,
  readFileTool,
  writeFileTool,
  editFileTool,
  multiEditTool,
  moveFileTool,
  lsTool,
  globTool,
  grepTool,
  todoWriteTool,
  useCapabilityTool,
  askTool,
  exitPlanModeTool,
  compressTool,
];
