/** Permission decisions in one line, for tests that state rules and a call and look at the verdict. */
import type {
  ApprovalAnswer,
  ApprovalRequest,
  Approver,
  GateAnswer,
  ToolRequest,
  Verdict,
} from "../../src/contract/decision.ts";
import { createGate, type GateOptions, type PermissionGate } from "../../src/safety/permission/gate.ts";
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

/** The turn is never stopped. */
export const NEVER = new AbortController().signal;

/** A person with prepared answers; the last one is given again. Keeps what was asked. */
export class Person implements Approver {
  readonly asked: ApprovalRequest[] = [];
  readonly #answers: ApprovalAnswer[];
  constructor(...answers: ApprovalAnswer[]) {
    this.#answers = answers;
  }
  request(approval: ApprovalRequest): Promise<ApprovalAnswer> {
    this.asked.push(approval);
    return Promise.resolve(this.#answers.length > 1 ? this.#answers.shift()! : this.#answers[0]!);
  }
}

export interface GateSetup extends Partial<GateOptions> {
  readonly lists?: RuleLists;
  readonly options?: Omit<PolicyOptions, "rules">;
}

export function gate({ lists = {}, options, ...rest }: GateSetup = {}): PermissionGate {
  const policy = createPolicy({ rules: readRules(lists, { source: "user config" }).rules, ...options });
  return createGate({ policy, posture: "ask", ...rest });
}

/** A call of bash. */
export function bash(command: string, more: Record<string, unknown> = {}): ToolRequest {
  return { callId: "c1", tool: "bash", readOnly: false, args: { command, ...more } };
}

/** A call that writes a file. */
export function write(path: string, tool = "write_file"): ToolRequest {
  return { callId: "c1", tool, readOnly: false, args: { path } };
}

/** A call that reads a file. */
export const READ: ToolRequest = { callId: "c1", tool: "read_file", readOnly: true, args: { path: "a" } };

/** `runs`, or the code of the refusal without its area. */
export function outcome(answer: GateAnswer): string {
  return answer.allowed ? "runs" : "failure" in answer ? "fails" : answer.code.replace("permission.", "");
}

/** What the model is told of a call that does not run. */
export function messageOf(answer: GateAnswer): string {
  return answer.allowed ? "" : "failure" in answer ? answer.failure : answer.message;
}

/** The same for several calls, each at a gate of its own. */
export async function outcomes(setup: GateSetup, requests: readonly ToolRequest[]): Promise<readonly string[]> {
  const answers = [];
  for (const request of requests) answers.push(outcome(await gate(setup).check(request, NEVER)));
  return answers;
}
