import assert from "node:assert/strict";
import { mergeLayers } from "../merge.ts";
import { readLayer } from "../read_layer.ts";
import { camel, type Fields, type Node } from "../schema.ts";
import { ROOT } from "./root.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

const defaults = mergeLayers(ROOT.fields, [], () => true).values as Loose;
const read = (document: Record<string, unknown>) => {
  const { values, findings } = readLayer(document, "user");
  return { values: values as Loose, kinds: findings.map((finding) => finding.kind) };
};

/** Every leaf with the way to it. */
function leaves(): [string, Node, boolean][] {
  const found: [string, Node, boolean][] = [];
  const walk = (fields: Fields, path: string, userOnly: boolean) => {
    for (const [key, node] of Object.entries(fields)) {
      const at = path === "" ? key : `${path}.${key}`;
      const alone = userOnly || node.scope === "user";
      if (node.node === "table" || node.node === "entries") walk(node.fields, at, alone);
      else if (node.node === "dictionary" && node.of.node === "table") walk(node.of.fields, `${at}.*`, alone);
      else found.push([at, node, alone]);
    }
  };
  walk(ROOT.fields, "", false);
  return found;
}

Deno.test("each key has a meaning of one sentence or more, and no two share a name in memory", () => {
  for (const [key, node] of leaves()) assert.match(node.meaning, /^\S.*[.]$/, key);
  const walk = (fields: Fields) => {
    const names = Object.keys(fields).map(camel);
    assert.deepEqual(names, [...new Set(names)]);
    for (const node of Object.values(fields)) if (node.node === "table" || node.node === "entries") walk(node.fields);
  };
  walk(ROOT.fields);
});

Deno.test("a key that nothing acts on is found where it is set, once for a whole section, and not at its default", () => {
  const document = {
    agent: { planner_model: "m", subagent_model: "", screen_external_content: true },
    lsp: { enabled: false, servers: { go: { command: "gopls" } } },
    browser: {},
  };
  assert.deepEqual(readLayer(document, "user").findings, [
    { kind: "not_yet", path: ["agent", "planner_model"], guard: false },
    { kind: "not_yet", path: ["agent", "screen_external_content"], guard: true },
    { kind: "not_yet", path: ["lsp"], guard: false },
  ]);
});

Deno.test("a default is a value its key would accept", () => {
  for (const [key, node] of leaves()) {
    if (node.node !== "leaf" || node.fallback === undefined) continue;
    assert.deepEqual(node.read(node.fallback), { value: node.fallback }, key);
  }
});

Deno.test("exactly these keys are the user's alone", () => {
  const sections = Object.entries(ROOT.fields).filter(([, node]) => node.scope === "user").map(([key]) => key);
  const single = leaves().filter(([key, , alone]) => alone && !sections.includes(key.split(".")[0]!)).map(([key]) =>
    key
  );
  assert.deepEqual(sections, [
    "auto_submit",
    "security",
    "secrets",
    "cli",
    "statusline",
    "telemetry",
    "serve",
    "remote",
    "storage",
  ]);
  assert.deepEqual(single, [
    "sandbox.host_authorities",
    "tools.shell.env",
    "billing.display_currency",
    "desktop.language",
    "desktop.currency",
  ]);
});

// proves CFG-12
Deno.test("ui.shortcut_layout takes classic and desktop", () => {
  for (const word of ["classic", "desktop"]) {
    const { values, kinds } = read({ ui: { shortcut_layout: word } });
    assert.deepEqual([values, kinds], [{ ui: { shortcutLayout: word } }, ["not_yet"]]);
  }
});

// proves CFG-16
Deno.test("agent.temperature is 0 unless set", () => {
  assert.equal(defaults.agent.temperature, 0);
  assert.equal(read({ agent: { temperature: 0.7 } }).values.agent.temperature, 0.7);
});

// proves CFG-18
Deno.test("models and efforts of profiles may be written with _ for -", () => {
  const { subagentModels, subagentEfforts } = read({
    agent: {
      subagent_models: { review: "a", security_review: "b" },
      subagent_efforts: { security_review: "high", "security-review": "max" },
    },
  }).values.agent;
  assert.deepEqual(subagentModels, { review: "a", "security-review": "b", security_review: "b" });
  assert.deepEqual(subagentEfforts, { "security-review": "max", security_review: "high" });
});

// proves CFG-34
Deno.test("tools.shell takes the four shells and an explicit program", () => {
  for (const prefer of ["auto", "bash", "powershell", "pwsh"]) {
    assert.deepEqual(read({ tools: { shell: { prefer, path: "C:\\pwsh.exe" } } }), {
      values: { tools: { shell: { prefer, path: "C:\\pwsh.exe" } } },
      kinds: [],
    });
  }
});

// proves CFG-40
Deno.test("permissions have a mode of three and three lists", () => {
  assert.deepEqual(defaults.permissions, { mode: "ask", allow: [], ask: [], deny: [], allowDynamicBash: false });
  for (const mode of ["ask", "allow", "deny"]) assert.deepEqual(read({ permissions: { mode } }).kinds, []);
  assert.deepEqual(read({ permissions: { mode: "yolo" } }).kinds, ["type"]);
});

Deno.test("plan_mode_read_only_commands is kept as written", () => {
  const commands = ["gh issue view"];
  assert.deepEqual(read({ agent: { plan_mode_read_only_commands: commands } }), {
    values: { agent: { planModeReadOnlyCommands: commands } },
    kinds: [],
  });
});

Deno.test("the defaults are those of the specification", () => {
  const { tools, agent, sandbox, memory, checkpoints, skills, secrets, network, serve } = defaults;
  assert.deepEqual(
    {
      tools: [
        tools.enabled,
        tools.bashTimeoutSeconds,
        tools.protectChangedFiles,
        tools.browserTools,
        tools.directMcpSchemaTokens,
      ],
      mcp: [tools.mcpStartupTimeoutSeconds, tools.mcpCallTimeoutSeconds, tools.backgroundJobs.stalledWarningSeconds],
      agent: [
        agent.maxSubagentDepth,
        agent.maxSubagentConcurrency,
        agent.maxParallelWriters,
        agent.compactRatio,
        agent.recentKeep,
      ],
      folds: [agent.keep, agent.firstTurnPinTokens, agent.checkpointCeilingRatio],
      sandbox: [sandbox.bash, sandbox.network, sandbox.hostAuthorities],
      memory: [memory.pinnedBudgetChars, memory.recallLimit, memory.recallMaxChars],
      checkpoints: [checkpoints.retainTurns, checkpoints.blobQuotaBytes],
      others: [skills.maxDepth, secrets.protectCredentialFiles, network.proxyMode, network.proxy.type, serve.authMode],
    },
    {
      tools: [[], 120, true, true, 8000],
      mcp: [30, 300, 900],
      agent: [2, 6, 3, 0.9, 2],
      folds: [["errors", "user_marked"], 1500, 0.5],
      sandbox: ["enforce", true, ["ssh_agent"]],
      memory: [1500, 4, 2400],
      checkpoints: [100, 1024 ** 3],
      others: [3, true, "auto", "socks5", "token"],
    },
  );
});
