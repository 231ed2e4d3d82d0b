/** Every built-in tool, in the order the model sees them. The order is part of the request prefix: add, never reorder. */
import type { ToolKind } from "../contract/tool.ts";
import { globTool } from "./search/glob.ts";
import { grepTool } from "./search/grep.ts";
import { lsTool } from "./search/ls.ts";

export const BUILTIN_TOOLS: readonly ToolKind[] = [
  lsTool,
  globTool,
  grepTool,
];
