/**
 * What a folder and its person add to the program, and what of it is not as it was meant: for `doctor capabilities`.
 * Reads only. Without `live` nothing is started and nothing is asked over the network.
 */
import { BUILT_IN } from "../../controller/commands/table.ts";
import { loadInstructions } from "../../prompts/mod.ts";
import { placeOf } from "../../extensions/mod.ts";
import { savedSecrets } from "../../config/mod.ts";
import { isInside } from "../../lib/path.ts";
import { buildSkillShelf } from "../build_skills.ts";
import { forbiddenPaths } from "../build_workspace.ts";
import { loadCustomCommands } from "../custom_commands.ts";
import { forbiddenPlaces } from "../forbidden_places.ts";
import { type HookInventory, inventHooks } from "../hook_inventory.ts";
import type { InspectedProject } from "../inspect_project.ts";
import { describedTools } from "../tool_kinds.ts";
import type { CapabilityIssue } from "./capability_issue.ts";
import { createPlaceNames, type PlaceNames } from "./place_names.ts";
import { inspectServers, type ServerCapability } from "./server_issues.ts";
import { skillIssues } from "./skill_issues.ts";

export interface Capabilities {
  /** The workspace; what lies below it is shown as `<workspace>/…`. */
  readonly root: string;
  readonly live: boolean;
  readonly skills: readonly SkillCapability[];
  readonly commands: readonly { readonly name: string; readonly source: string; readonly description: string }[];
  readonly hooks: readonly {
    readonly event: string;
    readonly match: string;
    readonly scope: string;
    readonly source: string;
    readonly status: string;
  }[];
  readonly servers: readonly ServerCapability[];
  readonly instructions: readonly { readonly origin: string; readonly source: string; readonly characters: number }[];
  readonly issues: readonly CapabilityIssue[];
  /** For the printer, to keep out of everything it prints. */
  readonly secrets: readonly string[];
}

export interface SkillCapability {
  readonly name: string;
  readonly scope: string;
  readonly source: string;
  readonly enabled: boolean;
  readonly runAs: "inline" | "subagent";
  readonly invocation: "auto" | "manual";
  readonly description: string;
}

export interface CapabilityOptions {
  /** Start automatic servers once, each within so many milliseconds. */
  readonly liveMs?: number;
}

export async function inspectCapabilities(
  inspected: InspectedProject,
  { liveMs }: CapabilityOptions,
): Promise<Capabilities> {
  const project = { ...inspected, extraRoots: [] };
  const { root, paths, env, loaded } = project;
  const names = createPlaceNames({ root, userHome: paths.osHome });
  const shelf = buildSkillShelf(project);
  const [commands, hooks, servers] = await Promise.all([
    loadCustomCommands(project),
    inventHooks({ directory: root, home: paths.home, environment: env }),
    inspectServers(inspected, { names, ...(liveMs === undefined ? {} : { liveMs }) }),
    shelf.scan(),
  ]);
  const isForbidden = forbiddenPlaces(forbiddenPaths(project));
  const instructions = loadInstructions({ home: paths.home, root, userHome: paths.osHome, isForbidden });
  const tools = new Set(describedTools().map(({ name }) => name));
  return {
    root: isInside(root, paths.osHome) ? `~${root.slice(paths.osHome.length)}` : root,
    live: liveMs !== undefined,
    skills: shelf.skills.map((skill) => ({
      name: skill.name,
      scope: skill.scope,
      source: names.place(placeOf(skill)),
      enabled: shelf.isOn(skill.name),
      runAs: skill.runAs,
      invocation: skill.manual ? "manual" : "auto",
      description: skill.description,
    })),
    commands: commands.commands.map(({ name, file, description }) => ({
      name,
      source: names.place(file),
      description,
    })),
    hooks: hooks.hooks.filter(({ event }) => event !== "").map(({ event, match, scope, source, status }) => ({
      event,
      match,
      scope,
      source: names.place(source),
      status,
    })),
    servers: servers.servers,
    instructions: instructions.documents.map(({ origin, path, text }) => ({
      origin,
      source: names.place(path),
      characters: text.length,
    })),
    issues: [
      ...configIssues(loaded.problems, names),
      ...skillIssues(shelf, { tools, servers: servers.servers.filter(({ effective }) => effective), names }),
      ...commandIssues(commands, names),
      ...hookIssues(hooks, names),
      ...servers.issues,
      ...instructions.notes.map((note) => instructionIssue(note, names)),
    ],
    secrets: savedSecrets(loaded),
  };
}

function configIssues(problems: InspectedProject["loaded"]["problems"], names: PlaceNames): CapabilityIssue[] {
  return problems.map(({ code, message, remedy, place }) => ({
    severity: "error",
    code,
    subsystem: "config",
    name: "",
    source: place === undefined ? "" : names.place(place.file),
    message: names.text(message),
    remediation: remedy ?? "Mend the file named.",
  }));
}

function commandIssues(
  { commands, problems }: Awaited<ReturnType<typeof loadCustomCommands>>,
  names: PlaceNames,
): CapabilityIssue[] {
  const own = new Set(BUILT_IN.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  const taken = commands.filter(({ name }) => own.has(name)).map(({ name, file }): CapabilityIssue => ({
    severity: "warning",
    code: "command.shadowed",
    subsystem: "commands",
    name,
    source: names.place(file),
    message: `/${name} is a command of the program; the file is not used`,
    remediation: "Rename the file.",
  }));
  const found = problems.map(({ code, file, text }): CapabilityIssue => ({
    severity: code === "command.read_failed" ? "error" : "info",
    code,
    subsystem: "commands",
    name: "",
    source: names.place(file),
    message: names.text(text),
    remediation: code === "command.read_failed"
      ? "A command is text, with lines of `key: value` between two lines of --- before it or not."
      : "Rename or remove one of the two.",
  }));
  return [...found, ...taken];
}

function hookIssues({ hooks }: HookInventory, names: PlaceNames): CapabilityIssue[] {
  return hooks.flatMap(({ event, source, problem }): CapabilityIssue[] => {
    if (problem === undefined) return [];
    const waits = problem.code === "permission.untrusted_folder";
    return [{
      severity: waits ? "info" : problem.code === "hook.unknown_event" ? "warning" : "error",
      code: problem.code,
      subsystem: "hooks",
      name: event,
      source: names.place(source),
      message: names.text(problem.text),
      remediation: waits ? "If you know this folder: reasonix trust." : "Correct the file named.",
    }];
  });
}

function instructionIssue(note: string, names: PlaceNames): CapabilityIssue {
  return {
    severity: "warning",
    code: "instructions.not_read",
    subsystem: "instructions",
    name: "",
    source: "",
    message: names.text(note),
    remediation: "Mend the document, or the import it names.",
  };
}
