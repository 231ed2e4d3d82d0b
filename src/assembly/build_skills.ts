/** The skills of a run, and what one conversation has of them. */
import { expandVariables } from "../config/mod.ts";
import type { CapabilitySource } from "../contract/capability.ts";
import type { LoopObserver } from "../contract/observer.ts";
import type { Transcript } from "../contract/session.ts";
import type { ToolKind } from "../contract/tool.ts";
// Past mod.ts: a start without skills loads no more of them than these.
import { skillRoots } from "../extensions/skills/roots.ts";
import { createRunSkill, RUN_SKILL } from "../extensions/skills/run_skill.ts";
import { hasSkillPrompt, type ShelfSettings, SkillShelf } from "../extensions/skills/shelf.ts";
import { realOf } from "../lib/at_path.ts";
import { join } from "../lib/path.ts";
import { forbiddenPaths } from "./build_workspace.ts";
import { forbiddenPlaces } from "./forbidden_places.ts";
import type { Project } from "./project.ts";

export type SkillProject = Pick<Project, "root" | "paths" | "loaded" | "env" | "extraRoots">;

/** Touches nothing. `current`: with the settings that are in force when something is read. */
export function buildSkillShelf(project: SkillProject, current = () => project): SkillShelf {
  return new SkillShelf(shelfSettings(project), { isForbidden: () => forbiddenPlaces(forbiddenPaths(current())) });
}

export function shelfSettings({ root, paths, loaded, env }: Pick<Project, keyof SkillProject>): ShelfSettings {
  const { skills, tools } = loaded.config;
  const place = (written: string) => {
    const path = expandVariables(written.trim(), env);
    return join(root, /^~(?=$|[/\\])/.test(path) ? join(paths.osHome, `./${path.slice(1)}`) : path);
  };
  const places = (written: readonly string[]) => written.filter((path) => path.trim() !== "").map(place);
  const excluded = places(skills.excludedPaths);
  return {
    roots: skillRoots({
      root,
      home: paths.home,
      ...(paths.isolated ? {} : { userHome: paths.osHome }),
      custom: places(skills.paths),
      excluded,
    }),
    excluded,
    maxDepth: skills.maxDepth,
    disabled: skills.disabledSkills,
    implicit: !skills.disableImplicitInvocation && hasTool(tools.enabled),
    suppressWarnings: skills.suppressWarnings,
  };
}

/** Folders of the settings, by each name they have: what is written there later sessions follow. */
export function customSkillFolders(project: SkillProject): readonly string[] {
  const custom = shelfSettings(project).roots.filter(({ scope }) => scope === "custom").map(({ path }) => path);
  return custom.flatMap((path) => [path, realOf(path) ?? path]);
}

export interface SessionSkills {
  readonly tool: ToolKind;
  /** For `use_capability`; absent where there are none, or their tool is not among those of the session. */
  readonly capabilities?: CapabilitySource;
  /** For the system prompt of a conversation that begins. */
  readonly prompt?: string;
  /** A person may name a skill as a command; absent where nobody types. */
  readonly observer?: LoopObserver;
  readonly notices: readonly string[];
}

/**
 * Looks at what there is now. A stored conversation keeps the opening it began with, and so the tool stands among its
 * direct ones exactly when that opening tells of skills: skills that come or go change no request prefix.
 */
export async function openSkills(
  shelf: SkillShelf,
  { transcript, enabled, interactive }: OpenOptions,
): Promise<SessionSkills> {
  await shelf.open();
  const [first] = transcript.messages;
  const prompt = first === undefined ? await shelf.prompt() : undefined;
  const direct = prompt !== undefined || (first?.role === "system" && hasSkillPrompt(first.content ?? ""));
  // Where somebody sits before it, skills may come later.
  const [capabilities, typed] = await Promise.all([
    hasTool(enabled) && (interactive || shelf.skills.length > 0)
      ? import("../extensions/skills/skill_capabilities.ts")
      : undefined,
    interactive ? import("../extensions/skills/typed_skill.ts") : undefined,
  ]);
  return {
    tool: createRunSkill(shelf, { direct }),
    ...(capabilities ? { capabilities: capabilities.createSkillCapabilities(shelf) } : {}),
    ...(prompt === undefined ? {} : { prompt }),
    ...(typed ? { observer: typed.createTypedSkills(shelf) } : {}),
    notices: shelf.takeNotices(),
  };
}

export interface OpenOptions {
  readonly transcript: Transcript;
  /** `[tools] enabled`. */
  readonly enabled: readonly string[];
  /** Somebody types. */
  readonly interactive: boolean;
}

function hasTool(enabled: readonly string[]): boolean {
  return enabled.length === 0 || enabled.includes(RUN_SKILL);
}
