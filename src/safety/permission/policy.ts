/**
 * The static policy: deny, then ask, then allow, then the fallback. A pure function of the call and of what the gate
 * learned about it beforehand; it reads nothing, remembers nothing and knows no posture.
 */
import type { CommandClass, Decision, Policy, ToolRequest, Verdict, Why } from "../../contract/decision.ts";
import type { CommandAnalysis } from "../shell/analysis.ts";
import { coveringRule } from "./coverage.ts";
import { findMatch, type Match, spellCommand, type SpelledCommand } from "./match_command.ts";
import { findPathMatch, type PathForms } from "./match_path.ts";
import { concerns, EDIT_TOOLS, type Effect, isMcp, type Rule, type SourcedRule } from "./rule.ts";
import { carriedTarget, type Target, targetOf } from "./subject.ts";

export interface PolicyOptions {
  readonly rules: readonly SourcedRule[];
  /** What becomes of a writer that no rule speaks of. Default `ask`. `deny` holds in every posture. */
  readonly mode?: Verdict;
  /** `allow_dynamic_bash`: an allow fallback also covers commands that otherwise need a person. */
  readonly allowDynamicBash?: boolean;
  /** Set where letter case does not tell file names apart (macOS, Windows). */
  readonly foldCase?: boolean;
}

/** What the gate found out before it asked. */
export interface CallFacts {
  /** Absent for a bash call: it could not be analysed, and a person must look. */
  readonly shell?: CommandAnalysis;
  /** Why git would not only read where the command reads with it. */
  readonly gitHazard?: string;
  /** Other names of the paths in the call, by the text given. */
  readonly paths?: ReadonlyMap<string, PathForms>;
  /** What a person granted in this session. */
  readonly grants?: readonly Rule[];
  /** The posture's word on writers that no rule speaks of; absent: `mode`. */
  readonly fallback?: Verdict;
  /** Edits are allowed as if a rule said so. */
  readonly allowEdits?: boolean;
  /** Nothing but reading, whatever allow rules and grants say. */
  readonly readersOnly?: boolean;
}

export interface PolicyDecision extends Decision {
  /** A deny rule cannot be ruled out: not even a posture that skips questions answers this one. */
  readonly mayBeDenied?: boolean;
}

export interface PermissionPolicy extends Policy {
  decide(request: ToolRequest, facts?: CallFacts): PolicyDecision;
  /** For lists and explanations. */
  readonly rules: readonly SourcedRule[];
}

interface Hit {
  readonly match: "yes" | "maybe";
  readonly sourced: SourcedRule;
}

export function createPolicy(options: PolicyOptions): PermissionPolicy {
  const { rules, mode = "ask", allowDynamicBash = false, foldCase = false } = options;
  const withEffect = (effect: Effect) => rules.filter((sourced) => sourced.effect === effect);
  const deny = withEffect("deny");
  const ask = withEffect("ask");
  const allow = withEffect("allow");
  return { rules, decide };

  function decide(request: ToolRequest, facts: CallFacts = {}): PolicyDecision {
    const target = targetOf(request);
    const carried = carriedTarget(request);
    const targets = carried ? [target, carried] : [target];
    const bash = request.tool === "bash";
    const shell = bash ? facts.shell : undefined;
    const commandClass = bash ? shell?.class ?? "nested" : undefined;
    const say = (verdict: Verdict, by: Why["by"], text: string): Decision => ({
      verdict,
      why: { by, ...(commandClass ? { commandClass } : {}), text },
    });
    const rule = (verdict: Verdict, sourced: SourcedRule, text: string): Decision => ({
      verdict,
      why: whyOf(sourced, text, commandClass),
    });

    // The same spellings serve every rule.
    const command = bash ? target.subjects.find(({ kind }) => kind === "command")?.text : undefined;
    const spelled = command === undefined ? undefined : spellCommand(command, shell);
    const seen = { targets, facts, spelled };
    const denied = strictest(deny, seen);
    if (denied?.match === "yes") return rule("deny", denied.sourced, "the rule denies it");

    const asked = strictest(ask, seen);
    const reads = bash
      ? shell?.readOnly === true && !outlives(request.args) && facts.gitHazard === undefined
      : request.readOnly;
    if (facts.readersOnly) {
      return reads && !asked && !denied ? ONLY_READS : say("deny", "posture", "only reading is allowed");
    }

    const person = bash ? needsPerson(shell, denied?.sourced) : undefined;
    const exactly = person !== undefined;
    const suspected = denied ? { mayBeDenied: true } : {};
    const grants = facts.grants ?? [];
    const readersPass = facts.gitHazard === undefined;
    const granted = coveringRule(grants, target, { facts, exactly, readersPass: readersPass && asked === undefined });
    if (granted) {
      return { verdict: "allow", why: { ...whyGranted(granted), ...(commandClass ? { commandClass } : {}) } };
    }
    if (asked) {
      const text = asked.match === "yes" ? "the rule asks first" : "it may be what the rule asks about";
      return { ...rule("ask", asked.sourced, text), ...(exactly ? { humanRequired: true } : {}), ...suspected };
    }

    const together = allow.map((sourced) => sourced.rule).concat(grants);
    const covering = coveringRule(together, target, { facts, exactly, readersPass });
    if (covering) {
      const sourced = allow.find((one) => one.rule === covering);
      return sourced
        ? rule("allow", sourced, exactly ? "the rule allows exactly this" : "the rule allows it")
        : { verdict: "allow", why: { ...whyGranted(covering), ...(commandClass ? { commandClass } : {}) } };
    }

    const fallback = mode === "deny" ? "deny" : facts.fallback ?? mode;
    if (person !== undefined) {
      if (fallback === "deny") return say("deny", "fallback", person);
      if (fallback === "allow" && allowDynamicBash && !denied) {
        return say("allow", "fallback", "allow_dynamic_bash is set");
      }
      const decision = denied ? rule("ask", denied.sourced, person) : say("ask", "fallback", person);
      return { ...decision, humanRequired: true, ...suspected };
    }
    if (facts.allowEdits && EDIT_TOOLS.has(request.tool)) return say("allow", "posture", "edits are accepted");
    if (reads) return ONLY_READS;
    if (isMcp(request.tool)) return say("allow", "fallback", "its server was installed or declared");
    if (fallback === "allow" && shell?.discards) return say("ask", "fallback", `it ${shell.danger}`);
    return say(fallback, "fallback", facts.gitHazard ?? fallbackText(fallback, shell));
  }

  function strictest(sourced: readonly SourcedRule[], seen: Seen): Hit | undefined {
    let maybe: Hit | undefined;
    for (const one of sourced) {
      const match = matches(one.rule, seen);
      if (match === "yes") return { match, sourced: one };
      if (match === "maybe") maybe ??= { match, sourced: one };
    }
    return maybe;
  }

  function matches(rule: Rule, { targets, facts, spelled }: Seen): Match {
    let best: Match = "no";
    for (const { tool, subjects } of targets) {
      if (!concerns(rule, tool)) continue;
      if (rule.matcher.kind === "any") return "yes";
      // What was not understood to the end may hold anything.
      if (rule.family === "bash" && facts.shell?.complete !== true) best = "maybe";
      for (const { kind, text } of subjects) {
        const match = kind === "command" && rule.family === "bash"
          ? findMatch(rule.matcher, spelled?.command === text ? spelled : spellCommand(text, undefined), { foldCase })
          : findPathMatch(rule.matcher, text, { forms: facts.paths?.get(text), foldCase });
        if (match === "yes") return match;
        if (match === "maybe") best = match;
      }
    }
    return best;
  }
}

/** What deny and ask rules are held against. */
interface Seen {
  readonly targets: readonly Target[];
  readonly facts: CallFacts;
  readonly spelled?: SpelledCommand;
}

const ONLY_READS: Decision = {
  verdict: "allow",
  why: { by: "fallback", commandClass: "read_only", text: "it only reads" },
};

function whyOf({ rule, source }: SourcedRule, text: string, commandClass: CommandClass | undefined): Why {
  return { by: "rule", rule: rule.text, source, ...(commandClass ? { commandClass } : {}), text };
}

function whyGranted(rule: Rule): Why {
  return { by: "grant", rule: rule.text, source: "this session", text: "you allowed it" };
}

function needsPerson(shell: CommandAnalysis | undefined, mayBeDenied: SourcedRule | undefined): string | undefined {
  if (!shell) return "the command could not be analysed";
  if (mayBeDenied && !shell.complete) {
    return `${shell.reasons[0]}, so \`deny ${mayBeDenied.rule.text}\` cannot be ruled out`;
  }
  if (mayBeDenied) return `it may run what \`deny ${mayBeDenied.rule.text}\` forbids`;
  if (shell.readOnly || shell.shape !== "nested") return undefined;
  return `only a person can judge it: ${shell.reasons[0] ?? "it hides what it runs"}`;
}

/** A command that goes on after the call has ended is more than reading. */
function outlives(args: Readonly<Record<string, unknown>>): boolean {
  return args.run_in_background === true || args.preserve_background_processes === true;
}

function fallbackText(fallback: Verdict, shell: CommandAnalysis | undefined): string {
  if (fallback === "allow") return "changes are allowed";
  if (fallback === "deny") return "permissions.mode is `deny` and no rule allows it";
  const [reason] = shell?.reasons ?? [];
  return reason === undefined
    ? "no rule allows it"
    : `no rule allows exactly this, and with ${reason} no other rule can`;
}
