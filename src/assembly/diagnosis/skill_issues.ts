/** What the files of skills say, against what there is: tools and servers they name, names that are switched off. */
import type { Skill, SkillProblem, SkillShelf } from "../../extensions/mod.ts";
import { placeOf } from "../../extensions/mod.ts";
import { knownNames } from "../../extensions/hooks/tool_names.ts";
import { plainName } from "../../mcp/names.ts";
import { parseRule } from "../../safety/mod.ts";
import type { CapabilityCode, CapabilityIssue } from "./capability_issue.ts";
import type { PlaceNames } from "./place_names.ts";

/** A server as far as it is known without starting it. */
export interface KnownServer {
  readonly name: string;
  /** Raw names of its tools; undefined: nobody has listed them yet. */
  readonly tools?: readonly string[];
  /** It was started just now and did not come up. */
  readonly failed?: boolean;
}

export interface SkillFacts {
  /** Names of the tools of the program. */
  readonly tools: ReadonlySet<string>;
  readonly servers: readonly KnownServer[];
  readonly names: PlaceNames;
}

export function skillIssues(shelf: SkillShelf, facts: SkillFacts): CapabilityIssue[] {
  const { names } = facts;
  const switchedOff = shelf.settings.disabled.map((name): CapabilityIssue => {
    const skill = shelf.skills.find((one) => one.name === name);
    return {
      severity: "info",
      code: "skill.disabled",
      subsystem: "skills",
      name,
      source: skill === undefined ? "" : names.place(placeOf(skill)),
      message: skill === undefined
        ? `[skills] disabled_skills names ${JSON.stringify(name)}, and there is no such skill`
        : `the skill ${name} is switched off`,
      remediation: skill === undefined
        ? "Take the name out of [skills] disabled_skills."
        : "Switch it on with /skills, or take it out of [skills] disabled_skills.",
    };
  });
  return [
    ...shelf.problems.map((problem) => fromProblem(problem, names)),
    ...switchedOff,
    ...shelf.skills.flatMap((skill) => referenceIssues(skill, facts)),
  ];
}

const REMEDIES: Readonly<Record<SkillProblem["code"], string>> = {
  "skill.read_failed": "A skill is text, with lines of `key: value` between two lines of --- before it.",
  "skill.shadowed": "Rename or remove one of the two.",
  "skill.missing_description": "Add a line `description: …` to its head, so that the model is told of it.",
};

function fromProblem({ code, file, name = "", text, loud }: SkillProblem, names: PlaceNames): CapabilityIssue {
  return {
    severity: code === "skill.read_failed"
      ? "error"
      : loud || code === "skill.missing_description"
      ? "warning"
      : "info",
    code,
    subsystem: "skills",
    name,
    source: names.place(file),
    message: names.text(text),
    remediation: REMEDIES[code],
  };
}

function referenceIssues(skill: Skill, facts: SkillFacts): CapabilityIssue[] {
  const issue = (
    severity: CapabilityIssue["severity"],
    code: CapabilityCode,
    message: string,
    remediation: string,
  ): CapabilityIssue => ({
    severity,
    code,
    subsystem: "skills",
    name: skill.name,
    source: facts.names.place(placeOf(skill)),
    message: `the skill ${skill.name} ${message}`,
    remediation,
  });
  const tools = skill.allowedTools.flatMap((reference) => {
    const quoted = JSON.stringify(reference);
    if (!parseRule(reference).ok) {
      const message = `allows ${quoted}, which is no reference to a tool`;
      return [issue("error", "skill.tool_reference_invalid", message, "Write a tool's name, or name(pattern).")];
    }
    const name = reference.replace(/[(=].*$/s, "");
    if (name.startsWith("mcp__")) return ofServer(name, `allows ${quoted}`);
    if (facts.tools.has(name) || knownNames().has(name)) return [];
    const bringing = facts.servers.filter(({ tools }) => tools?.includes(name));
    if (bringing.length === 1) return [];
    if (bringing.length > 1) {
      const servers = bringing.map((server) => server.name).join(", ");
      const message = `allows ${quoted}, which is a tool of several servers: ${servers}`;
      return [issue("warning", "skill.tool_reference_ambiguous", message, `Write mcp__SERVER__${name}.`)];
    }
    const remedy = "Correct the name, or write mcp__SERVER__TOOL for a tool of a server.";
    return [issue("warning", "skill.tool_reference_unknown", `allows ${quoted}, and there is no such tool`, remedy)];
  });
  const needs = skill.requires.flatMap((reference) => {
    const server = /^mcp(?:-server)?:(.+)$/.exec(reference)?.[1];
    if (server !== undefined) return ofServer(`mcp__${server}__`, `requires ${JSON.stringify(reference)}`);
    return reference.startsWith("mcp__") ? ofServer(reference, `requires ${JSON.stringify(reference)}`) : [];
  });
  return [...tools, ...needs];

  /** `name`: as in a call; a bare `mcp__server__` means the server. */
  function ofServer(name: string, says: string): CapabilityIssue[] {
    const server = facts.servers.find((one) => name.startsWith(plainName(one.name, "")));
    if (server === undefined) {
      const message = `${says}, and no such server is configured`;
      return [issue("error", "skill.mcp_dependency_missing", message, "Add the server with reasonix mcp add.")];
    }
    if (server.failed) {
      const message = `${says}, and the server ${server.name} did not start`;
      return [issue("error", "skill.mcp_dependency_failed", message, `reasonix mcp retry ${server.name}`)];
    }
    const tool = name.slice(plainName(server.name, "").length);
    if (tool === "" || tool === "*") return [];
    if (server.tools === undefined) {
      const message = `${says}; what the server ${server.name} offers is known once it was started`;
      return [issue("info", "skill.tool_reference_unverified", message, "reasonix doctor capabilities --live")];
    }
    if (server.tools.some((raw) => plainName(server.name, raw) === name)) return [];
    const message = `${says}, and the server ${server.name} has no such tool`;
    return [issue("warning", "skill.tool_reference_unknown", message, "reasonix mcp get lists its tools.")];
  }
}
