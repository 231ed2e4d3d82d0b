/** The report of `doctor capabilities`, for programs and for people. */
import type { Capabilities, CapabilityIssue } from "../../../assembly/mod.ts";
import { BUILD } from "../../../lib/build_info.ts";
import { plural } from "../../../lib/plural.ts";

type Json = Record<string, unknown>;

export function toCapabilitiesJson(found: Capabilities): Json {
  const { root, live, skills, commands, hooks, servers, instructions, issues } = found;
  return {
    schema_version: 1,
    command: "doctor.capabilities",
    root,
    live,
    summary: {
      skills: skills.length,
      commands: commands.length,
      hooks: hooks.length,
      plugins: 0,
      mcp_servers: servers.length,
      instructions: instructions.length,
      ...countsOf(issues),
    },
    skills: skills.map(({ name, scope, source, enabled, runAs, invocation, description }) => ({
      name,
      scope,
      source,
      enabled,
      run_as: runAs,
      invocation,
      description,
    })),
    commands,
    hooks,
    plugins: [],
    mcp: servers.map(({ name, transport, source, sourcePath, effective, enabled, tools, failure }) => ({
      name,
      transport,
      source,
      source_path: sourcePath,
      effective,
      enabled,
      ...(tools === undefined ? {} : { tools: tools.length }),
      ...(failure === undefined ? {} : {
        startup_stage: failure.stage,
        startup_elapsed_ms: failure.elapsedMs,
        stderr: failure.stderr,
      }),
    })),
    instructions,
    issues: issues.map((issue) => ({ ...issue, settings_tab: issue.subsystem })),
  };
}

function countsOf(issues: readonly CapabilityIssue[]) {
  const count = (wanted: CapabilityIssue["severity"]) => issues.filter(({ severity }) => severity === wanted).length;
  return { errors: count("error"), warnings: count("warning"), infos: count("info") };
}

const MARKS = { error: "ERROR  ", warning: "warning", info: "-      " } as const;
const ORDER = ["error", "warning", "info"] as const;

export function toCapabilitiesText(found: Capabilities): string {
  const { root, live, skills, commands, hooks, servers, instructions, issues } = found;
  const off = skills.filter(({ enabled }) => !enabled).length;
  const rows: readonly (readonly [string, string])[] = [
    ["skills", `${skills.length}${off > 0 ? `, ${off} switched off` : ""}`],
    ["commands", String(commands.length)],
    ["hooks", String(hooks.length)],
    ["MCP servers", `${servers.length}${live ? "" : servers.length > 0 ? ", none was started (--live)" : ""}`],
    ["instructions", String(instructions.length)],
  ];
  const sorted = ORDER.flatMap((wanted) => issues.filter(({ severity }) => severity === wanted));
  const lines = sorted.flatMap(({ severity, code, message, remediation }) => [
    `${MARKS[severity]}  ${code}  ${message}`,
    `${" ".repeat(MARKS.error.length)}  → ${remediation}`,
  ]);
  const { errors, warnings } = countsOf(issues);
  return [
    `reasonix ${BUILD.version}, what is added to it in ${root}`,
    "",
    ...rows.map(([name, value]) => `${name.padEnd(12)}  ${value}`),
    "",
    ...lines,
    ...(lines.length > 0 ? [""] : []),
    errors + warnings === 0 ? "Everything is in order." : `${plural(errors, "error")}, ${plural(warnings, "warning")}.`,
  ].join("\n");
}
