/**
 * What of a call its rules look at: the first known key of its arguments, both ends of a move. A call behind
 * `use_capability` is also looked at as the call it stands for.
 */
import type { ToolRequest } from "../../contract/decision.ts";
import { isRecord } from "../../lib/json.ts";
import { ownValue } from "../../lib/own_value.ts";
import { EDIT_TOOLS } from "./rule.ts";

export interface Subject {
  readonly text: string;
  readonly kind: "command" | "path" | "text";
}

/** A tool's name and its subjects; none: bare rules alone can match. */
export interface Target {
  readonly tool: string;
  readonly subjects: readonly Subject[];
}

const PATH_KEYS = ["file_path", "path", "source_path", "destination_path"] as const;
const KEYS = ["command", ...PATH_KEYS, "pattern"] as const;

export function targetOf(request: Pick<ToolRequest, "tool" | "args">): Target {
  return { tool: request.tool, subjects: subjectsOf(request.tool, request.args) };
}

/** The call that `use_capability` carries, or undefined where it carries none that rules can name. */
export function carriedTarget(request: Pick<ToolRequest, "tool" | "args">): Target | undefined {
  if (request.tool !== "use_capability") return undefined;
  const id = ownValue(request.args, "capability_id");
  const carried = ownValue(request.args, "arguments");
  if (typeof id !== "string") return undefined;
  const args = isRecord(carried) ? carried : {};
  const named = (tool: string): Target => ({ tool, subjects: subjectsOf(tool, args) });
  if (id.startsWith("tool:")) return named(id.slice("tool:".length));
  if (id.startsWith("mcp-server:")) return named(`mcp_connect__${id.slice("mcp-server:".length)}`);
  if (id.startsWith("mcp-tool:")) {
    const [server, ...tool] = id.slice("mcp-tool:".length).split("/");
    return named(`mcp__${server}__${tool.join("/")}`);
  }
  return undefined;
}

function subjectsOf(tool: string, args: Readonly<Record<string, unknown>>): readonly Subject[] {
  // Of a tool that changes files every path counts, so that no second key hides the one the tool obeys.
  if (EDIT_TOOLS.has(tool)) {
    const present = PATH_KEYS.filter((key) => Object.hasOwn(args, key));
    const paths = present.map((key) => args[key]).filter((value) => typeof value === "string");
    return paths.length === present.length ? paths.map((text) => ({ text, kind: "path" })) : [];
  }
  for (const key of KEYS) {
    if (!Object.hasOwn(args, key)) continue;
    const value = args[key];
    if (typeof value !== "string") return [];
    return [{ text: value, kind: key === "command" ? "command" : key === "pattern" ? "text" : "path" }];
  }
  return [];
}
