/** What a person is offered: the exact rules each answer would store. Dynamic commands get literals. */
import type { ToolRequest } from "../../contract/decision.ts";
import type { CommandAnalysis } from "../shell/analysis.ts";
import { EDIT_TOOLS, literalRule, parseRule, type Rule } from "./rule.ts";
import { targetOf } from "./subject.ts";

export interface Offer {
  /** Rules for the session, and for good. Empty: the answer is not offered. */
  readonly session: readonly string[];
  readonly always: readonly string[];
  /** A wider rule for commands that begin alike. */
  readonly prefix?: string;
}

export const NOTHING_OFFERED: Offer = { session: [], always: [] };

export function offerFor(request: ToolRequest, shell: CommandAnalysis | undefined): Offer {
  const { tool, subjects } = targetOf(request);
  const [subject] = subjects;
  if (tool === "bash") {
    if (subject?.kind !== "command") return NOTHING_OFFERED;
    const rule = shell?.shape === "static" ? literalRule("Bash", subject.text) : `Bash=${subject.text}`;
    return {
      session: [rule],
      always: [rule],
      ...(shell?.prefix === undefined ? {} : { prefix: `Bash(${shell.prefix}:*)` }),
    };
  }
  if (EDIT_TOOLS.has(tool)) {
    const paths = subjects.map(({ text }) => literalRule("Edit", text));
    return { session: ["Edit"], always: paths.length > 0 ? paths : ["Edit"] };
  }
  const rules = subject ? [literalRule(tool, subject.text)] : [tool];
  return { session: rules, always: rules };
}

/** Rules a grant adds. Offered texts always parse; one that does not grants nothing. */
export function toRules(texts: readonly string[]): readonly Rule[] {
  return texts.map((text) => parseRule(text)).flatMap((parsed) => parsed.ok ? [parsed.rule] : []);
}
