/**
 * What can be reached through `use_capability` beside the tools of the set, and comes and goes while the session
 * runs: MCP servers and their tools, skills. The tool list of the requests never changes by it.
 */
import type { Tool } from "./tool.ts";

export interface Capability {
  /** Such as `mcp-tool:<server>/<tool>`. */
  readonly id: string;
  readonly tool: Tool;
  /** Shown behind its name when it is not simply there: `starting`, `failed: …`. */
  readonly status?: string;
  /** Of one that is another name for a tool of the set: which call is meant by a call of it. `tool` then only describes. */
  call?(args: Record<string, unknown>): { readonly tool: string; readonly args: Record<string, unknown> };
}

export interface CapabilitySource {
  /** Local: starts nothing, asks nobody. */
  list(): readonly Capability[];
  /** By id, also in spellings that `list` does not use. `problem` is for ids of this source that lead nowhere. */
  find(id: string): Capability | { readonly problem: string } | undefined;
  /** By the name a tool has for gates and rules; also the plain form of a name that carries a hash. */
  tool(name: string): Tool | undefined;
}
