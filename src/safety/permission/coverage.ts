/**
 * Whether allow rules or grants cover a whole call. Every part must be covered: each command of a line, both ends of a
 * move. What the shell computes is covered by the identical text alone.
 */
import type { CommandAnalysis } from "../shell/analysis.ts";
import { coversCall } from "./match_command.ts";
import { allowsPath, type PathForms } from "./match_path.ts";
import { concerns, type Rule } from "./rule.ts";
import type { Target } from "./subject.ts";

export interface CoverageFacts {
  readonly shell?: CommandAnalysis;
  readonly paths?: ReadonlyMap<string, PathForms>;
}

export interface CoverageOptions {
  /** Nothing short of the identical command counts. */
  readonly exactly: boolean;
  /** Commands of the line that only read need no rule of their own. */
  readonly readersPass: boolean;
}

/** The rule that covers the call, or the first of those that do so together; undefined when something is left over. */
export function coveringRule(
  rules: readonly Rule[],
  target: Target,
  options: CoverageOptions & { readonly facts: CoverageFacts },
): Rule | undefined {
  const own = rules.filter((rule) => concerns(rule, target.tool));
  const { facts } = options;
  const command = target.tool === "bash" ? target.subjects.find(({ kind }) => kind === "command") : undefined;
  if (command) return coveringCommand(own, command.text, { ...options, shell: facts.shell });
  if (target.tool === "bash") return undefined;
  const bare = own.find(({ matcher }) => matcher.kind === "any");
  if (bare) return bare;
  const found = target.subjects.map(({ text }) =>
    own.find(({ matcher }) => allowsPath(matcher, text, facts.paths?.get(text)))
  );
  return found.every((rule) => rule !== undefined) ? found[0] : undefined;
}

function coveringCommand(
  rules: readonly Rule[],
  command: string,
  options: CoverageOptions & { readonly shell: CommandAnalysis | undefined },
): Rule | undefined {
  const { shell, exactly, readersPass } = options;
  const identical = rules.find(({ matcher }) => matcher.kind === "literal" && matcher.text === command);
  if (identical || exactly || shell?.shape !== "static") return identical;
  const whole = rules.find(({ matcher }) => matcher.kind === "exact" && matcher.text === command);
  if (whole) return whole;
  let first: Rule | undefined;
  for (const call of shell.commands) {
    const rule = rules.find(({ matcher }) => coversCall(matcher, call));
    if (!rule && !(readersPass && call.readOnly)) return undefined;
    first ??= rule;
  }
  return first;
}
