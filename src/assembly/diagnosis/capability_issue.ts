/** One thing about skills, commands, hooks, instructions or servers that is not as it was meant, and the way out. */
import type { ErrorCode, RefusalCode } from "../../contract/errors.ts";
import type { HookCode } from "../../extensions/hooks/hook.ts";

/** Beside these an issue may have the code of a hook or of a settings file. */
export type CapabilityCode =
  | "skill.read_failed"
  | "skill.shadowed"
  | "skill.disabled"
  | "skill.missing_description"
  | "skill.tool_reference_unknown"
  | "skill.tool_reference_invalid"
  | "skill.tool_reference_ambiguous"
  | "skill.tool_reference_unverified"
  | "skill.mcp_dependency_missing"
  | "skill.mcp_dependency_failed"
  | "command.read_failed"
  | "command.shadowed"
  | "mcp.missing_command"
  | "mcp.command_not_found"
  | "mcp.missing_url"
  | "mcp.invalid_transport"
  | "mcp.start_failed"
  | "mcp.no_tools"
  | "mcp.runtime_unavailable"
  | "instructions.not_read";

export type Subsystem = "config" | "skills" | "commands" | "hooks" | "plugins" | "mcp" | "instructions";

export interface CapabilityIssue {
  /** `error`: something that was set up does not work. `warning`: it works otherwise than it looks. */
  readonly severity: "error" | "warning" | "info";
  /** Stable; docs/EVENTS.md has them all. */
  readonly code: CapabilityCode | HookCode | ErrorCode | RefusalCode;
  readonly subsystem: Subsystem;
  /** Of the skill, command, hook or server; empty where a whole file is meant. */
  readonly name: string;
  /** Where it stands, as `placeNames` shows it. */
  readonly source: string;
  /** One line. */
  readonly message: string;
  readonly remediation: string;
}
