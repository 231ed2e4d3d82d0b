/** Permission decisions in one line, for tests that state rules and a call and look at the verdict. */
import type { Verdict } from "../../src/contract/decision.ts";
import { createPolicy, type PolicyDecision, type PolicyOptions } from "../../src/safety/permission/policy.ts";
import { readRules, type RuleLists } from "../../src/safety/permission/rule.ts";
import { type Analyze, loadAnalyze } from "../../src/safety/shell/load.ts";

export const analyze: Analyze = await loadAnalyze();

export interface DecideOptions extends Omit<PolicyOptions, "rules"> {
  /** The posture's word on writers. */
  readonly fallback?: Verdict;
}

/** The policy's decision about a bash command under rules of the user's config. */
export function decide(lists: RuleLists, command: string, options: DecideOptions = {}): PolicyDecision {
  const { fallback, ...rest } = options;
  const policy = createPolicy({ rules: readRules(lists, { source: "user config" }).rules, ...rest });
  const request = { callId: "c1", tool: "bash", readOnly: false, args: { command } };
  return policy.decide(request, { shell: analyze(command), ...(fallback ? { fallback } : {}) });
}

/** The same in one word; `person`: only a person may say yes. */
export function verdict(lists: RuleLists, command: string, options: DecideOptions = {}): Verdict | "person" {
  const decision = decide(lists, command, options);
  return decision.humanRequired ? "person" : decision.verdict;
}

/** Words as one command line that a shell takes for the same words. */
export function quoteAll(argv: readonly string[]): string {
  return argv.map((word) => /^[\w./=,:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
