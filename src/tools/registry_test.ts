import assert from "node:assert/strict";
import type { Tool, ToolKind, ToolPorts, ToolSet } from "../contract/tool.ts";
import { BUILTIN_TOOLS } from "./builtin.ts";
import { createToolSet } from "./registry.ts";

const ports = {
  workspace: { root: "/w", files: {}, processes: { shell: { name: "bash", path: "/bin/bash" } } },
  settings: { bashTimeoutSeconds: 120, shellEnv: {}, searchEngine: "auto", stalledWarningSeconds: 900 },
  results: {},
  jobs: {},
} as unknown as ToolPorts;

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `${name} does it`,
    schema: { type: "object", properties: { a: { type: "string" } } },
    readOnly: true,
    direct: true,
    execute: () => Promise.resolve({ text: "" }),
    ...more,
  };
}

function kind(name: string, more: Partial<Tool> = {}): ToolKind {
  return { name, create: () => tool(name, more) };
}

Deno.test("a set has the tools of its list, in that order, and every session has its own", () => {
  // proves TOOL-02 and TOOL-03
  const names = BUILTIN_TOOLS.map((one) => one.name);
  assert.equal(new Set(names).size, names.length);
  const one = createToolSet(BUILTIN_TOOLS, ports);
  const other = createToolSet(BUILTIN_TOOLS, ports, { enabled: ["ls", "grep"] });
  assert.deepEqual(one.names, names);
  assert.deepEqual(other.names, ["ls", "grep"]);
  assert.equal(other.find("bash"), undefined);
  assert.notEqual(one.find("ls"), other.find("ls"));
});

Deno.test("no names enabled means all, and a name that no tool has is reported with the closest one", () => {
  // proves CFG-28
  assert.deepEqual(createToolSet(BUILTIN_TOOLS, ports, { enabled: [] }).names, BUILTIN_TOOLS.map((one) => one.name));
  const set = createToolSet(BUILTIN_TOOLS, ports, { enabled: ["grepp", "ls", "frobnicate"] });
  assert.deepEqual(set.names, ["ls"]);
  assert.deepEqual(set.unknownNames, [{ name: "grepp", nearest: "grep" }, { name: "frobnicate" }]);
});

Deno.test("equal sets send equal bytes", () => {
  const bytes = () => JSON.stringify(createToolSet(BUILTIN_TOOLS, ports).schemas);
  assert.equal(bytes(), bytes());
});

Deno.test("what a model is told of a tool has a name, prose in one line a paragraph, and a schema", () => {
  // proves TOOL-01
  const set = createToolSet([kind("one", { description: "First\nline.\n\nSecond\nparagraph.\n- a list\n" })], ports);
  assert.deepEqual(JSON.parse(JSON.stringify(set.schemas)), [{
    name: "one",
    description: "First line.\n\nSecond paragraph.\n- a list",
    parameters: { additionalProperties: false, properties: { a: { type: "string" } }, type: "object" },
  }]);
});

Deno.test("a deferred tool is found by name and stands in no request", () => {
  const set = createToolSet([kind("near"), kind("far", { direct: false })], ports);
  assert.deepEqual(set.schemas.map((schema) => schema.name), ["near"]);
  assert.deepEqual(set.names, ["near", "far"]);
  assert.equal(set.find("far")?.name, "far");
});

Deno.test("tools from elsewhere keep their words; what cannot be used is left out with the reason", () => {
  let deep: Record<string, unknown> = { type: "string" };
  for (let i = 0; i < 100_000; i++) deep = { items: deep };
  const set = createToolSet([kind("ls")], ports, { enabled: ["ls"] });
  const leftOut = set.add([
    tool("mcp__a__b", { description: "Kept\nas it is", schema: { type: "object", properties: { x: {} } } }),
    tool("ls"),
    tool("mcp__a__deep", { schema: deep }),
  ]);
  assert.deepEqual(set.names, ["ls", "mcp__a__b"]);
  assert.deepEqual(JSON.parse(JSON.stringify(set.schemas[1])), {
    name: "mcp__a__b",
    description: "Kept\nas it is",
    parameters: { properties: { x: {} }, type: "object" },
  });
  assert.deepEqual(leftOut.map(({ name }) => name), ["ls", "mcp__a__deep"]);
  assert.equal(leftOut[0]!.reason, "another tool has this name");
});

Deno.test("a tool sees the whole set once it is called", async () => {
  let seen: ToolSet | undefined;
  const curious: ToolKind = {
    name: "curious",
    create: (_, tools) =>
      tool("curious", {
        execute: () => {
          seen = tools;
          return Promise.resolve({ text: tools.names.join(" ") });
        },
      }),
  };
  const set = createToolSet([curious, kind("later")], ports);
  await set.find("curious")!.execute({}, { callId: "c", signal: new AbortController().signal, progress: () => {} });
  assert.deepEqual(seen?.names, ["curious", "later"]);
});

Deno.test("the nearest name helps a model that misspells", () => {
  const set = createToolSet(BUILTIN_TOOLS, ports);
  assert.equal(set.nearest("ReadFile"), "read_file");
  assert.equal(set.nearest("todo_wirte"), "todo_write");
  assert.equal(set.nearest("zzzzzzzz"), undefined);
});

Deno.test("arguments are checked against the canonical schema", async () => {
  const set = createToolSet(BUILTIN_TOOLS, ports);
  const grep = set.find("grep")!;
  assert.equal(await set.violations(grep, { pattern: "x" }), undefined);
  const wrong = await set.violations(grep, { pattern: "x", recursive: true });
  assert.deepEqual(wrong?.lines, [
    "/recursive: additionalProperties; expected only glob, path, pattern, timeout_seconds",
  ]);
});
