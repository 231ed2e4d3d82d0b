/**
 * Names of remote tools for models: `mcp__<server>__<tool>` in the characters and the length every provider takes. A
 * name that had to change more than blanks carries a hash of the original, so that two never become one. Pure.
 */
import { fnv1a } from "../lib/fnv1a.ts";

const LONGEST = 64;
const HASH = 6;

/** `taken` are names of others; a clash earns a hash too. Prompts are named so as well: it is their slash command. */
export function toToolName(server: string, tool: string, taken: (name: string) => boolean = () => false): string {
  const raw = `mcp__${server}__${tool}`;
  const clean = plainName(server, tool);
  const altered = raw.replaceAll(" ", "_") !== clean;
  if (!altered && clean.length <= LONGEST && !taken(clean)) return clean;
  return `${clean.slice(0, LONGEST - HASH - 1)}_${fnv1a(raw).slice(0, HASH)}`;
}

/** The name without a hash and of any length: what a person would guess. */
export function plainName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/gu, "_");
}

/** Names of the tools of one server by their raw names. The same list gives the same names in any order. */
export function toToolNames(
  server: string,
  tools: readonly string[],
  taken: (name: string) => boolean = () => false,
): ReadonlyMap<string, string> {
  const exact = new Set(tools.filter((tool) => !tool.includes(" ")).map((tool) => plainName(server, tool)));
  const names = new Map<string, string>();
  const used = new Set<string>();
  // In raw order, so that of two that differ in a blank alone always the same one gets the hash.
  for (const tool of [...tools].sort()) {
    const name = toToolName(
      server,
      tool,
      (name) => taken(name) || used.has(name) || (tool.includes(" ") && exact.has(name)),
    );
    used.add(name);
    names.set(tool, name);
  }
  return names;
}
