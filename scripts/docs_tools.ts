/**
 * docs/TOOL_CONTRACT.md from the live registry. `deno run -A scripts/docs_tools.ts` writes it; a test compares.
 */
import type { JsonSchema, Tool, ToolPorts } from "../src/contract/tool.ts";
import { describedTools } from "../src/assembly/tool_kinds.ts";
import { createToolSet } from "../src/tools/mod.ts";

/** What a tool is told about the machine while it is described. Nothing runs. */
const PORTS = {
  workspace: { root: "/workspace", files: {}, processes: { shell: { name: "bash", path: "/bin/bash" } } },
  settings: { bashTimeoutSeconds: 120, shellEnv: {}, searchEngine: "auto", stalledWarningSeconds: 900 },
  results: {},
  jobs: {},
} as unknown as ToolPorts;

const HEAD = `# Tool contract

The built-in tools as a model is told about them: words, parameters and the canonical JSON Schema, byte for byte. Made
from the registry by \`deno run -A scripts/docs_tools.ts\`; a test holds it against the live schemas.

- The order is part of the request prefix and never changes within a session; \`[tools].enabled\` filters it.
- Schemas enter the registry in canonical form: keys sorted, objects closed to properties they do not list.
- Arguments are checked against the schema before any permission is asked. A call that does not fit is not run; the
  result names the tool, the fingerprint of its schema and each violation as \`/path: keyword; expected …\`.
- A read-only tool runs beside others of its kind and needs no permission by default; any other runs alone.
- A deferred tool stands in no request and is reached through \`use_capability\` as \`tool:<name>\`, with the same checks
  and the same permission as a direct one.
- \`run_skill\` is direct in a conversation whose system prompt tells of skills, and deferred in any other.
- Results begin with \`error:\` when the tool failed and with \`blocked:\` when a rule, a wall or a person said no. A
  result over its limit is cut once; the whole text is paged through \`use_capability\` on \`session:tool_result\`.
`;

export function toolContract(): string {
  const set = createToolSet(describedTools(), PORTS);
  const tools = set.names.map((name) => set.find(name)!);
  const canonical = new Map(set.schemas.map((schema) => [schema.name, schema]));
  const rows = tools.map((tool) =>
    `| [\`${tool.name}\`](#${tool.name}) | ${tool.direct ? "direct" : "deferred"} | ${
      tool.readOnly ? "read-only" : "writer"
    } |`
  );
  const sections = tools.map((tool) => {
    const told = canonical.get(tool.name) ?? { description: tool.description.trim(), parameters: tool.schema };
    return section(tool, told.description, told.parameters);
  });
  return `${HEAD}\n| Tool | Surface | Class |\n| --- | --- | --- |\n${rows.join("\n")}\n\n${sections.join("\n\n")}\n`;
}

function section(tool: Tool, description: string, schema: JsonSchema): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as readonly string[];
  const rows = properties.map(([name, property]) =>
    `| \`${name}\` | ${typeOf(property)} | ${required.includes(name) ? "yes" : ""} | ${limitsOf(property)} |`
  );
  const table = rows.length === 0
    ? "No parameters."
    : `| Parameter | Type | Required | Limits |\n| --- | --- | --- | --- |\n${rows.join("\n")}`;
  return `## ${tool.name}\n\n${description}\n\n${table}\n\n\`\`\`text\n${JSON.stringify(schema)}\n\`\`\``;
}

function typeOf(property: JsonSchema): string {
  if (Array.isArray(property.enum)) return property.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (property.type === "array") return `array of ${typeOf((property.items ?? {}) as JsonSchema)}`;
  return typeof property.type === "string" ? property.type : "any";
}

function limitsOf(property: JsonSchema): string {
  const words: readonly (readonly [string, string])[] = [
    ["default", "default"],
    ["minimum", "at least"],
    ["maximum", "at most"],
    ["minLength", "length at least"],
    ["maxLength", "length at most"],
    ["minItems", "items at least"],
    ["maxItems", "items at most"],
    ["pattern", "pattern"],
  ];
  return words.filter(([key]) => property[key] !== undefined)
    .map(([key, word]) => `${word} \`${JSON.stringify(property[key])}\``).join(", ");
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../docs/TOOL_CONTRACT.md", import.meta.url), toolContract());
  await new Deno.Command(Deno.execPath(), {
    args: ["fmt", "-q", decodeURIComponent(new URL("../docs/TOOL_CONTRACT.md", import.meta.url).pathname)],
  }).output();
}
