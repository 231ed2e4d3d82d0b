/** A skill: instructions that somebody keeps as a file and that are read when they are needed. Never code that runs. */
import type { Reach } from "../../lib/reach.ts";

/** Highest rank first: of two skills with one name the one of higher rank counts. */
export type SkillScope = "project" | "custom" | "global" | "built_in";

export interface SkillRoot {
  /** Absolute. */
  readonly path: string;
  readonly scope: Exclude<SkillScope, "built_in">;
  /** Links that lead out of here are not followed: set for what a repository brings. Absolute, links resolved. */
  readonly within?: string;
  /** Files that lie loose in it count only with a head that names them skills: other tools keep other files there. */
  readonly marked?: boolean;
}

/** What the head of a skill's file says. */
export interface SkillHead {
  /** Absent: the file or its folder names it. */
  readonly name?: string;
  /** One line. Empty: the model is not told of the skill. */
  readonly description: string;
  /** Such as `[FILE]`. */
  readonly argumentHint: string;
  readonly runAs: "inline" | "subagent";
  /** Not for the model to find by itself; whoever names the skill may use it. */
  readonly manual: boolean;
  /** Also a slash command. */
  readonly typed: boolean;
  /** A ceiling for a child agent, never a grant. */
  readonly allowedTools: readonly string[];
  /** Tools and servers it says it cannot do without. */
  readonly requires: readonly string[];
}

export interface Skill extends SkillHead {
  readonly name: string;
  readonly scope: SkillScope;
  readonly source: SkillSource;
}

export type SkillSource =
  | {
    readonly kind: "file";
    readonly file: string;
    /** Of a skill that is a folder: its `references` and `scripts` lie here. */
    readonly folder?: string;
    readonly reach: Reach;
  }
  /** Comes with the program: the whole text of its file. */
  | { readonly kind: "text"; readonly text: string };

export interface SkillProblem {
  readonly code: "skill.read_failed" | "skill.shadowed" | "skill.missing_description";
  readonly file: string;
  /** Where it got as far as having one. */
  readonly name?: string;
  /** For people; names the file. */
  readonly text: string;
  /** Worth a line when a session opens; the others are for those who ask. */
  readonly loud: boolean;
}

/** Where a skill is read from, for people. */
export function placeOf({ source }: Pick<Skill, "source">): string {
  return source.kind === "file" ? source.file : "comes with reasonix";
}
