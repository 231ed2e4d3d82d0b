/** Skills as a person sees them: commands of their own, and the list that `/skills` shows and changes. */
import { editConfigFile, type InspectedConfig } from "../config/mod.ts";
import type { CommandSource, SkillHost, SkillRow } from "../controller/mod.ts";
import { isTypable, needsChild, placeOf, type Skill, type SkillShelf } from "../extensions/mod.ts";
import { showPath } from "../lib/shown_path.ts";
import { shelfSettings } from "./build_skills.ts";
import type { Project } from "./project.ts";

/** `/name arguments`: the line itself is the message; the skill's text joins it when the turn begins. */
export function createSkillCommands(skills: SkillShelf): CommandSource {
  skills.load().catch(() => {});
  return {
    list: () =>
      skills.skills.filter((skill) => skills.isOn(skill.name) && isTypable(skill)).map((skill) => ({
        name: skill.name,
        summary: skill.description || `The skill ${skill.name}`,
        argumentHint: skill.argumentHint,
        group: "skill",
      })),
    run: async (name, argument) => {
      await skills.load();
      const skill = skills.find(name);
      if (skill === undefined) return undefined;
      if (skill.runAs === "subagent") return { kind: "error", text: `${needsChild(name)}.` };
      return isTypable(skill) ? { kind: "prompt", text: `/${name} ${argument}`.trim() } : undefined;
    },
    reload: async () => {
      await skills.scan();
      return skills.takeNotices();
    },
  };
}

export interface SkillHostPorts {
  readonly skills: SkillShelf;
  /** The settings as they stand in the files now. */
  inspect(): Promise<InspectedConfig>;
}

export function createSkillHost(project: Project, { skills, inspect }: SkillHostPorts): SkillHost {
  return {
    list: async () => {
      await skills.load();
      return skills.skills.map((skill) => toRow(skill, skills));
    },
    sources: async () => {
      await skills.load();
      const rows = skills.settings.roots.map(({ path, scope }) => {
        const count = skills.countIn(path) ?? 0;
        return `| \`${showPath(path)}\` | ${scope} | ${count === 0 ? "-" : count} |`;
      });
      const excluded = skills.settings.excluded.map((path) => `- not looked into: \`${showPath(path)}\``);
      const head = [
        "Of two skills with one name the upper one counts.",
        "",
        "| Folder | Of | Skills |",
        "| --- | --- | --- |",
      ];
      return [...head, ...rows, ...(excluded.length === 0 ? [] : ["", ...excluded])].join("\n");
    },
    rescan: async () => {
      skills.change(shelfSettings({ ...project, loaded: await inspect() }));
      await skills.scan();
      return skills.takeNotices();
    },
    turn: async ({ on, off }) => {
      const { userConfig } = project.loaded;
      const before = disabledByUser(await inspect());
      const after = [...new Set([...before.filter((name) => !on.includes(name)), ...off])];
      await editConfigFile(userConfig, [{ set: ["skills", "disabled_skills"], value: after }], { mode: 0o600 });
      const now = await inspect();
      skills.change({ ...skills.settings, disabled: now.config.skills.disabledSkills });
      return [...on.filter((name) => !skills.isOn(name)), ...off.filter((name) => skills.isOn(name))];
    },
  };
}

function toRow(skill: Skill, shelf: SkillShelf): SkillRow {
  const { name, description, scope, runAs } = skill;
  const offered = runAs === "inline" && !skill.manual && description !== "" && shelf.settings.implicit;
  const use = runAs === "subagent" ? "nobody" : offered ? "model" : "person";
  return { name, description, scope, place: showPath(placeOf(skill)), on: shelf.isOn(name), use };
}

/** The list of the user's own file; a project's, where there is one, stands above it. */
function disabledByUser({ layers }: InspectedConfig): readonly string[] {
  const values = layers.find(({ layer }) => layer === "user")?.values as {
    readonly skills?: { readonly disabledSkills?: readonly string[] };
  } | undefined;
  return values?.skills?.disabledSkills ?? [];
}
