// What the model is told of the built-in tools: documented, and short.
import assert from "node:assert/strict";
import { toolContract } from "../../scripts/docs_tools.ts";
import { describedTools } from "../../src/assembly/tool_kinds.ts";
import { createToolSet } from "../../src/tools/mod.ts";
import type { ToolPorts } from "../../src/contract/tool.ts";
import { ROOT } from "../architecture/tree.ts";

const schemas = createToolSet(describedTools(), {
  workspace: { root: "/w", files: {}, processes: { shell: { name: "bash", path: "/bin/bash" } } },
  settings: { bashTimeoutSeconds: 120, shellEnv: {}, searchEngine: "auto", stalledWarningSeconds: 900 },
  results: {},
  jobs: {},
} as unknown as ToolPorts).schemas;

/** As a request carries them. A token is taken to be four characters. */
function tokens(some: typeof schemas): number {
  return JSON.stringify(some.map((schema) => ({ type: "function", function: schema }))).length / 4;
}

Deno.test("docs/TOOL_CONTRACT.md says what the registry says", () => {
  // proves TOOL-05
  // The formatter aligns tables and wraps prose; the words and the schemas are the same.
  const flat = (text: string) => text.replace(/-{3,}/g, "---").replace(/\s+/g, " ").trim();
  const written = Deno.readTextFileSync(ROOT + "docs/TOOL_CONTRACT.md");
  assert.equal(flat(written), flat(toolContract()), "run: deno run -A scripts/docs_tools.ts");
});

const WORKING_TOOLS = new Set([
  ...["bash", "bash_output", "kill_shell", "wait", "read_file", "write_file", "edit_file", "multi_edit", "move_file"],
  ...["ls", "glob", "grep", "todo_write", "use_capability"],
]);

Deno.test("the tools of everyday work cost less than 2600 tokens, all direct tools less than 3400", () => {
  const working = schemas.filter((schema) => WORKING_TOOLS.has(schema.name));
  assert.equal(working.length, WORKING_TOOLS.size);
  assert.ok(tokens(working) < 2600, `${tokens(working)} tokens for the tools of everyday work`);
  assert.ok(tokens(schemas) < 3400, `${tokens(schemas)} tokens for ${schemas.length} tools`);
});

Deno.test("no tool costs more than 250 tokens, and none goes without words", () => {
  const costs = schemas.map((schema) => [schema.name, tokens([schema])] as const);
  assert.deepEqual(costs.filter(([, cost]) => cost > 250), []);
  assert.deepEqual(schemas.filter((schema) => schema.description.length < 20), []);
});
