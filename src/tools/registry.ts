/**
 * The tools of one session: built from an explicit list of kinds, filtered by `[tools].enabled`, their schemas brought
 * into canonical form as they enter. From the first request on its schemas never change.
 */
import type { Tool, ToolKind, ToolPorts, ToolSchema, ToolSet } from "../contract/tool.ts";
import { closestName } from "../lib/closest_name.ts";
import { errorText } from "../lib/error_text.ts";
import type { ArgumentCheck } from "./argument_check.ts";
import { canonicalSchema } from "./canonical.ts";

export interface ToolSetOptions {
  /** Names of the built-in tools to keep; empty: all. */
  readonly enabled?: readonly string[];
}

export interface BuiltToolSet extends ToolSet {
  /** Names of `enabled` that no kind has, each with the closest real one. */
  readonly unknownNames: readonly { readonly name: string; readonly nearest?: string }[];
  /**
   * Ready tools from elsewhere, before the first request only: behind what is there. `enabled` does not speak of them.
   * Answers those that were left out.
   */
  add(tools: readonly Tool[]): readonly LeftOut[];
}

export interface LeftOut {
  readonly name: string;
  /** A name taken already, a schema that cannot be used. */
  readonly reason: string;
}

interface Entry {
  readonly own: boolean;
  readonly tool: Tool;
  readonly schema: ToolSchema;
}

export function createToolSet(
  kinds: readonly ToolKind[],
  ports: ToolPorts,
  options: ToolSetOptions = {},
): BuiltToolSet {
  const enabled = options.enabled ?? [];
  const known = kinds.map((kind) => kind.name);
  const entries = new Map<string, Entry>();
  let check: Promise<ArgumentCheck> | undefined;
  const schemas: ToolSchema[] = [];
  const names: string[] = [];

  const set: BuiltToolSet = {
    schemas,
    names,
    unknownNames: enabled.filter((name) => !known.includes(name)).map((name) => {
      const nearest = closestName(name, known);
      return nearest === undefined ? { name } : { name, nearest };
    }),
    // What comes and goes is found and not listed; of what is listed too, the form of this moment counts.
    find: (name) => {
      const entry = entries.get(name);
      if (entry?.own) return entry.tool;
      return ports.capabilities?.map((source) => source.tool(name)).find((tool) => tool) ?? entry?.tool;
    },
    add: (tools) => tools.flatMap((tool) => enterForeign(tool) ?? []),
    nearest: (name) => closestName(name, names),
    violations: async (tool, args) => {
      const entry = entries.get(tool.name);
      check ??= import("./argument_check.ts").then(({ ArgumentCheck }) => new ArgumentCheck());
      return await (await check).violations(entry?.tool === tool ? entry.schema.parameters : tool.schema, args);
    },
  };

  const enter = (tool: Tool, own: boolean): void => {
    const parameters = canonicalSchema(tool.schema, { closed: own });
    // Bytes that cannot be written cannot be sent either: found here, not in the middle of a turn.
    JSON.stringify(parameters);
    const schema: ToolSchema = {
      name: tool.name,
      description: own ? unwrapped(tool.description) : tool.description,
      parameters,
    };
    entries.set(tool.name, { own, tool, schema });
    names.push(tool.name);
    if (tool.direct) schemas.push(schema);
  };

  const enterForeign = (tool: Tool): LeftOut | undefined => {
    if (entries.has(tool.name)) return { name: tool.name, reason: "another tool has this name" };
    try {
      enter(tool, false);
      return undefined;
    } catch (error) {
      return { name: tool.name, reason: `its schema cannot be used: ${errorText(error)}` };
    }
  };

  for (const kind of kinds) {
    if (enabled.length > 0 && !enabled.includes(kind.name)) continue;
    if (entries.has(kind.name)) throw new Error(`two built-in tools are named ${kind.name}`);
    enter(kind.create(ports, set), true);
  }
  return set;
}

/** Prose of a Markdown file as one line a paragraph: line breaks inside one are the formatter's. */
function unwrapped(prose: string): string {
  return prose.trim().replace(/(?<!\n)\n(?![\n-])/g, " ");
}
