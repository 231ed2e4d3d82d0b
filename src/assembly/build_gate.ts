/** From permission settings to the gate. A rule that cannot be read stops the start: it would protect nothing. */
import { untrustableReason } from "../config/mod.ts";
import type { Approver, Posture } from "../contract/decision.ts";
import { ReasonixError } from "../contract/errors.ts";
import type { ToolSet } from "../contract/tool.ts";
import type { Workspace } from "../contract/workspace.ts";
import {
  createGate,
  createPathForms,
  createPolicy,
  lateGitHazards,
  type PermissionGate,
  readRules,
  type Reviewer,
  reviewReason,
  type SourcedRule,
  splitRules,
} from "../safety/mod.ts";
import { previewCall } from "../tools/mod.ts";
import type { Memory } from "../memory/memory.ts";
import { customSkillFolders } from "./build_skills.ts";
import { persistRules } from "./persist_rules.ts";
import type { Project } from "./project.ts";

export interface GateContext {
  readonly project: Project;
  readonly workspace: Workspace;
  /** File names differ in letter case only by accident. */
  readonly caseless: boolean;
  readonly tools: ToolSet;
  readonly memory: Memory;
  readonly posture: Posture;
  /** Allow rules of the command line, each as typed. */
  readonly allowedTools: readonly string[];
  /** Absent: nobody can be asked. */
  readonly approver?: Approver;
  readonly reviewers?: readonly Reviewer[];
  /** What was granted to this conversation already. */
  readonly grants?: PermissionGate["grants"];
}

export function buildGate(context: GateContext): PermissionGate {
  const { project, workspace, caseless, memory, posture, approver, reviewers = [], grants } = context;
  const { paths, trusted } = project;
  const { mode, allowDynamicBash } = project.loaded.config.permissions;
  const skillFolders = customSkillFolders(project);
  return createGate({
    policy: createPolicy({ rules: collectRules(context), mode, allowDynamicBash, foldCase: caseless }),
    posture,
    ...(grants ? { grants } : {}),
    ...(approver ? { approver } : {}),
    reviewers,
    reviewReason: (path) =>
      reviewReason(path, { root: workspace.root, home: paths.home, userHome: paths.osHome, caseless, skillFolders }),
    reviewCall: (request) => memory.reviewReason(request),
    isAutomatic: (request) => memory.isAutomatic(request),
    pathForms: createPathForms(workspace),
    // Elsewhere the rule would be ignored at the next start.
    ...(trusted ? { persist: (rules) => persistRules(project, rules) } : {}),
    gitHazard: lateGitHazards(workspace.files),
    shell: workspace.processes.shell.name,
    userHome: paths.osHome,
    subject: async (request) => (await memory.preview(request))?.subject,
    preview: async (request) => {
      const remembered = await memory.preview(request);
      if (remembered) return remembered.detail === undefined ? undefined : { text: remembered.detail };
      const { tool, args } = request;
      const preview = await previewCall(workspace.files, tool, args);
      if (preview?.failure !== undefined) return { failure: preview.failure };
      return preview && { text: preview.diff || preview.notes.join("\n") };
    },
    ...(trusted || untrustableReason(workspace.root, paths) !== undefined ? {} : { untrustedFolder: workspace.root }),
  });
}

function collectRules({ project, tools, allowedTools }: GateContext): readonly SourcedRule[] {
  const isTool = (name: string) => tools.names.includes(name);
  const typed = allowedTools.flatMap((text) => {
    const split = splitRules(text);
    if (!split.ok) throw new ReasonixError("cli.usage", `--allowed-tools: ${split.message}`);
    return split.rules;
  });
  const sources = [
    readRules(project.loaded.config.permissions, { source: "the config", isTool }),
    readRules({ allow: typed }, { source: "--allowed-tools", isTool }),
  ];
  const [problem] = sources.flatMap((source) => source.problems);
  if (problem) {
    const typedHere = problem.source === "--allowed-tools";
    throw new ReasonixError(
      typedHere ? "cli.usage" : "config.type",
      `${problem.source}, ${problem.effect} rule: ${problem.message}`,
      {
        remedy: "Rules look like Bash(npm test:*), Edit(docs/**) or read_file.",
      },
    );
  }
  return sources.flatMap((source) => source.rules);
}
