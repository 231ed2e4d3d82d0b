/** Skills behind `use_capability` as `skill:<name>`: also those that came after the system prompt was written. */
import type { Capability, CapabilitySource } from "../../contract/capability.ts";
import { needsChild, RUN_SKILL } from "./run_skill.ts";
import type { SkillShelf } from "./shelf.ts";
import type { Skill } from "./skill.ts";

const PREFIX = "skill:";

export function createSkillCapabilities(shelf: Pick<SkillShelf, "find" | "offered">): CapabilitySource {
  return {
    list: () => shelf.offered.map(toCapability),
    find: (id) => {
      if (!id.startsWith(PREFIX)) return undefined;
      const name = id.slice(PREFIX.length);
      const skill = shelf.find(name);
      if (skill === undefined) return { problem: `unknown capability_id "${id}": there is no such skill` };
      return skill.runAs === "subagent" ? { problem: needsChild(name) } : toCapability(skill);
    },
    tool: () => undefined,
  };
}

function toCapability({ name, description }: Skill): Capability {
  return {
    id: PREFIX + name,
    tool: {
      name: PREFIX + name,
      description: description || `The skill ${name}.`,
      readOnly: true,
      direct: false,
      schema: { type: "object", properties: { arguments: { type: "string" } }, additionalProperties: false },
      execute: () => Promise.reject(new Error("a call of a skill is a call of run_skill")),
    },
    call: (args) => ({ tool: RUN_SKILL, args: { ...args, name } }),
  };
}
