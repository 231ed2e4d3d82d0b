/** What a conversation that begins begins with: the standing prompt, and what it is told of this machine and folder. */
import type { Config, LoadedConfig } from "../config/mod.ts";
import type { Workspace } from "../contract/workspace.ts";
import type { Memory } from "../memory/memory.ts";
import {
  createSessionContext,
  createSystemPrompt,
  type InstructionPlaces,
  loadInstructions,
  type OutputStyle,
  toInstructionPrompt,
} from "../prompts/mod.ts";
import { configuredPrompt } from "./configured_prompt.ts";
import type { Project } from "./project.ts";

export interface Opening {
  readonly system: string;
  readonly sessionContext?: string;
  /** About instructions that were not taken as they stand. */
  readonly notes: readonly string[];
}

export async function buildOpening(
  project: Project,
  workspace: Workspace,
  { places, memory, skills, style }: {
    readonly places: InstructionPlaces;
    readonly memory: Memory;
    readonly skills: string | undefined;
    readonly style: OutputStyle | undefined;
  },
): Promise<Opening> {
  const { root, paths, loaded } = project;
  // A memory that cannot be read costs its notes, not the session.
  const pinned = memory.pinned().catch(() => undefined);
  const [instructions, configured, sessionContext] = await Promise.all([
    loadInstructions(places),
    configuredPrompt(loaded.config, {
      root,
      paths,
      ofProject: promptIsProjects(loaded),
      isForbidden: places.isForbidden,
    }),
    createSessionContext({
      platform: `${Deno.build.os} ${Deno.build.arch}`,
      shell: workspace.processes.shell.name,
      workspace: root,
      which: (program) => workspace.processes.which(program),
      background: () => pinned,
    }, { ...loaded.config.environment, reasoningLanguage: loaded.config.agent.reasoningLanguage }),
  ]);
  return {
    system: createSystemPrompt(configured, {
      ...(style ? { style: (await import("../prompts/output_style.ts")).styleSection(style) } : {}),
      instructions: toInstructionPrompt(instructions),
      skills,
    }),
    sessionContext,
    notes: instructions.notes,
  };
}

function promptIsProjects({ config, layers }: LoadedConfig): boolean {
  const project = layers.find(({ layer }) => layer === "project")?.values.agent as Partial<Config["agent"]> | undefined;
  return project?.systemPromptFile !== undefined && project.systemPromptFile === config.agent.systemPromptFile;
}
