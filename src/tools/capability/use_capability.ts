/**
 * The one door to what stands in no request: deferred tools and stored results. A `call` of a tool is not run here: the
 * loop is told which tool is meant and puts it through the same gate as a direct call.
 */
import type { Capability, CapabilitySource } from "../../contract/capability.ts";
import { ToolError } from "../../contract/errors.ts";
import type { Tool, ToolKind, ToolSet } from "../../contract/tool.ts";
import { isRecord } from "../../lib/json.ts";
import { capabilitiesOf, searchCapabilities, summaryLine } from "./catalogue.ts";
import { createResultPager } from "./page_result.ts";
import description from "./use_capability.md" with { type: "text" };

const LIST = { usual: 50, most: 100 };
const SEARCH = { usual: 5, most: 8 };

export const useCapabilityTool: ToolKind = {
  name: "use_capability",
  create(ports, tools): Tool {
    const own = [createResultPager(ports.results)];
    const sources = ports.capabilities ?? [];
    const all = () => capabilitiesOf(tools, own, sources);
    return {
      name: "use_capability",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: {
          action: { enum: ["list", "search", "inspect", "call", "decline"] },
          capability_id: { type: "string" },
          arguments: { type: "object" },
          query: { type: "string" },
          limit: { type: "integer", minimum: 1 },
          cursor: { type: "string" },
          reason: { type: "string" },
        },
        required: ["action"],
      },

      redirect(args) {
        const { action, capability_id: id } = args;
        if (action !== "call" || typeof id !== "string" || own.some((tool) => tool.name === id)) return undefined;
        const given = isRecord(args.arguments) ? args.arguments : {};
        const name = toolName(id);
        if (name === undefined) {
          const found = findIn(sources, id);
          if (found === undefined) return { problem: unknownId(id, all()) };
          if ("problem" in found) return found;
          return found.call?.(given) ?? { tool: found.tool.name, args: given };
        }
        if (name === "use_capability") return { problem: "use_capability cannot call itself" };
        if (tools.find(name) === undefined) return { problem: unavailable(name) };
        return { tool: name, args: given };
      },

      async execute(args, context) {
        const limit = args.limit as number | undefined;
        switch (args.action) {
          case "list":
            return { text: list(all(), { limit, cursor: args.cursor as string | undefined }) };
          case "search":
            return { text: search(all(), required(args, "query"), limit) };
          case "inspect":
            return { text: inspect(find(all(), { tools, sources }, required(args, "capability_id"))) };
          case "decline":
            return { text: `declined capability ${required(args, "capability_id")}: ${required(args, "reason")}` };
          default: {
            const tool = find(all(), { tools, sources }, required(args, "capability_id"));
            const given = args.arguments ?? {};
            const wrong = await tools.violations(tool, given);
            if (wrong !== undefined) {
              throw new ToolError(`the arguments do not fit ${tool.name}; nothing was run.\n${wrong.lines.join("\n")}`);
            }
            return await tool.execute(given as Record<string, unknown>, context);
          }
        }
      },
    };
  },
};

function required(args: Record<string, unknown>, name: string): string {
  const value = args[name];
  if (typeof value !== "string" || value.trim() === "") throw new ToolError(`action "${args.action}" needs ${name}`);
  return value.trim();
}

function list(all: readonly Capability[], page: { limit: number | undefined; cursor: string | undefined }): string {
  const limit = capped(page.limit, LIST, "list");
  const rest = page.cursor === undefined ? all : all.filter(({ id }) => id > page.cursor!);
  const shown = rest.slice(0, limit);
  if (shown.length === 0) return "(no more capabilities)";
  const lines = shown.map(summaryLine);
  if (rest.length > shown.length) {
    lines.push(`(${rest.length - shown.length} more: list with cursor "${shown.at(-1)!.id}")`);
  }
  return lines.join("\n");
}

function search(all: readonly Capability[], query: string, limit: number | undefined): string {
  const found = searchCapabilities(all, query).slice(0, capped(limit, SEARCH, "search"));
  if (found.length === 0) return `(no capability matches; action "list" shows all ${all.length})`;
  return found.map(summaryLine).join("\n");
}

function capped(limit: number | undefined, bounds: { usual: number; most: number }, action: string): number {
  if (limit === undefined) return bounds.usual;
  if (limit > bounds.most) throw new ToolError(`limit ${limit} is too large: at most ${bounds.most} for ${action}`);
  return limit;
}

function inspect(tool: Tool): string {
  const kind = tool.readOnly ? "read-only" : "may change things";
  return `${tool.name} (${kind})\n${tool.description.trim()}\n${JSON.stringify(tool.schema)}`;
}

/** Also a tool that stands in the request: asking for it by its id is no mistake. */
function find(
  all: readonly Capability[],
  { tools, sources }: { readonly tools: ToolSet; readonly sources: readonly CapabilitySource[] },
  id: string,
): Tool {
  const known = all.find((capability) => capability.id === id)?.tool;
  if (known !== undefined) return known;
  const name = toolName(id);
  if (name === undefined) {
    const found = findIn(sources, id);
    if (found === undefined) throw new ToolError(unknownId(id, all));
    if ("problem" in found) throw new ToolError(found.problem);
    return found.tool;
  }
  const direct = tools.find(name);
  if (direct === undefined) throw new ToolError(unavailable(name));
  return direct;
}

function findIn(sources: readonly CapabilitySource[], id: string): ReturnType<CapabilitySource["find"]> {
  for (const source of sources) {
    const found = source.find(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toolName(id: string): string | undefined {
  return id.startsWith("tool:") ? id.slice("tool:".length) : undefined;
}

function unavailable(name: string): string {
  return `capability unavailable: tool "${name}" is not registered in this session`;
}

function unknownId(id: string, all: readonly Capability[]): string {
  const alike = all.find((capability) => capability.tool.name === id || capability.id.endsWith(`:${id}`))?.id;
  return `unknown capability_id "${id}"${alike === undefined ? "" : `; did you mean ${alike}?`}`;
}
