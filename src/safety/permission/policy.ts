/**
 * The static policy: deny, then ask, then allow, then the fallback (CONTRACT §3.7). A pure function of the call and of
 * what the gate learned about it beforehand; it reads nothing, remembers nothing and knows no posture.
 */
import type { Decision, Policy, ToolRequest, Verdict, Why } from "../../contract/decision.ts";
import type { CommandAnalysis } from "../shell/analysis.ts";
import { coversCall, findMatch, type Match } from "./match_command.ts";
import { allowsPath, findPathMatch, type PathForms } from "./match_path.ts";
import { concerns, EDIT_TOOLS, isMcp, type Rule, type SourcedRule } from "./rule.ts";
import { carriedTarget, type Subject, type Target, targetOf } from "./subject.ts";

export interface PolicyOptions {
  readonly rules: readonly SourcedRule[];
  /** What becomes of a writer no rule speaks of. Default `ask`. */
  readonly mode?: Verdict;
  /** `allow_dynamic_bash`: an allow fallback also covers commands that otherwise need a person. */
  readonly allowDynamicBash?: boolean;
  /** Set where file names differ in letter case only by accident (macOS, Windows). */
  readonly foldCase?: boolean;
}

/** What the gate found out before it asked. */
export interface CallFacts {
  /** Absent for a bash call: it could not be analysed, and a person must look. */
  readonly shell?: CommandAnalysis;
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

export interface PermissionPolicy extends Policy {
  decide(request: ToolRequest, facts?: CallFacts): Decision;
  readonly rules: readonly SourcedRule[];
}

export function createPolicy(options: PolicyOptions): PermissionPolicy {
  const { rules, mode = "ask", allowDynamicBash = false, foldCase = false } = options;
  const by = (effect: SourcedRule["effect"]) => rules.filter((sourced) => sourced.effect === effect);
  const deny = by("deny");
  const ask = by("ask");
  const allow = by("allow");
  const ruledBy = (sourced: SourcedRule, text: string, commandClass?: Why["commandClass"]): Why => ({
    by: "rule",
    rule: sourced.rule.text,
    source: sourced.source,
    ...(commandClass ? { commandClass } : {}),
    text,
  });

  function strictest(sourced: readonly SourcedRule[], targets: readonly Target[], facts: CallFacts) {
    let maybe: SourcedRule | undefined;
    for (const one of sourced) {
      const match = matches(one.rule, targets, facts);
      if (match === "yes") return { match, sourced: one } as const;
      if (match === "maybe") maybe ??= one;
    }
    return maybe ? { match: "maybe", sourced: maybe } as const : undefined;
  }

  function matches(rule: Rule, targets: readonly Target[], facts: CallFacts): Match {
    let best: Match = "no";
    for (const target of targets) {
      if (!concerns(rule, target.tool)) continue;
      if (rule.matcher.kind === "any") return "yes";
      for (const subject of target.subjects) {
        const match = subject.kind === "command" && rule.family === "bash"
          ? findMatch(rule.matcher, subject.text, { analysis: facts.shell, foldCase })
          : findPathMatch(rule.matcher, subject.text, { forms: facts.paths?.get(subject.text), foldCase });
        if (match === "yes") return match;
        if (match === "maybe") best = match;
      }
    }
    return best;
  }

  return {
    rules,
    decide(request, facts = {}) {
      const target = targetOf(request);
      const carried = carriedTarget(request);
      const targets = carried ? [target, carried] : [target];
      const bash = request.tool === "bash";
      const shell = bash ? facts.shell : undefined;
      const commandClass = bash ? shell?.class ?? "nested" : undefined;
      const fallback = mode === "deny" ? "deny" : facts.fallback ?? mode;

      const denied = strictest(deny, targets, facts);
      if (denied?.match === "yes") {
        return { verdict: "deny", why: ruledBy(denied.sourced, `the rule denies it`, commandClass) };
      }
      const asked = strictest(ask, targets, facts);
      const reads = bash ? shell?.readOnly === true && !outlives(request.args) : request.readOnly;
      if (facts.readersOnly) {
        if (reads && !asked && !denied) return { verdict: "allow", why: reader(commandClass) };
        return { verdict: "deny", why: { by: "posture", ...withClass(commandClass), text: "only reading is allowed" } };
      }

      const human = bash ? needsPerson(shell, denied?.sourced) : undefined;
      const granted = facts.grants?.find((rule) => allows(rule, target, facts, human !== undefined));
      if (granted) {
        return {
          verdict: "allow",
          why: {
            by: "grant",
            rule: granted.text,
            source: "this session",
            ...withClass(commandClass),
            text: "you allowed it",
          },
        };
      }
      if (asked) {
        const text = asked.match === "yes" ? "the rule asks first" : "it may be what the rule asks about";
        return {
          verdict: "ask",
          why: ruledBy(asked.sourced, text, commandClass),
          ...(human ? { humanRequired: true } : {}),
        };
      }
      const ruled = allow.find((sourced) => allows(sourced.rule, target, facts, human !== undefined));
      if (human) {
        if (ruled) return { verdict: "allow", why: ruledBy(ruled, "the rule allows exactly this", commandClass) };
        if (denied === undefined && allowDynamicBash && fallback === "allow") {
          return {
            verdict: "allow",
            why: { by: "fallback", ...withClass(commandClass), text: "allow_dynamic_bash is set" },
          };
        }
        if (fallback === "deny") {
          return { verdict: "deny", why: { by: "fallback", ...withClass(commandClass), text: human } };
        }
        const why: Why = denied
          ? ruledBy(denied.sourced, human, commandClass)
          : { by: "fallback", ...withClass(commandClass), text: human };
        return { verdict: "ask", humanRequired: true, why };
      }
      if (ruled) return { verdict: "allow", why: ruledBy(ruled, "the rule allows it", commandClass) };
      if (facts.allowEdits && EDIT_TOOLS.has(request.tool)) {
        return { verdict: "allow", why: { by: "posture", text: "edits are accepted" } };
      }
      if (reads) return { verdict: "allow", why: reader(commandClass) };
      if (isMcp(request.tool)) {
        return { verdict: "allow", why: { by: "fallback", text: "its server was installed or declared" } };
      }
      return { verdict: fallback, why: { by: "fallback", ...withClass(commandClass), text: fallbackText(fallback) } };
    },
  };
}

/** Whether an allow rule or a grant covers the whole call. `exactly`: nothing short of the identical command counts. */
function allows(rule: Rule, target: Target, facts: CallFacts, exactly: boolean): boolean {
  if (!concerns(rule, target.tool)) return false;
  const { matcher } = rule;
  if (target.tool === "bash") {
    const [subject] = target.subjects;
    if (subject?.kind === "command") return allowsCommand(rule, subject, facts.shell, exactly);
    return matcher.kind === "any" && !exactly;
  }
  if (matcher.kind === "any") return true;
  return target.subjects.length > 0 &&
    target.subjects.every((subject) => allowsPath(matcher, subject.text, facts.paths?.get(subject.text)));
}

function allowsCommand(rule: Rule, subject: Subject, shell: CommandAnalysis | undefined, exactly: boolean): boolean {
  const { matcher } = rule;
  if (matcher.kind === "literal") return matcher.text === subject.text;
  if (exactly || shell?.shape !== "static") return false;
  if (matcher.kind === "exact" && matcher.text === subject.text) return true;
  return shell.commands.length > 0 && shell.commands.every((call) => coversCall(matcher, call));
}

function needsPerson(shell: CommandAnalysis | undefined, mayBeDenied: SourcedRule | undefined): string | undefined {
  if (!shell) return "the command could not be analysed";
  if (mayBeDenied) return `it may run what \`deny ${mayBeDenied.rule.text}\` forbids`;
  if (shell.readOnly || shell.shape !== "nested") return undefined;
  return `what it runs is not plain: ${shell.reasons[0] ?? "it hides commands"}`;
}

/** A command that goes on after the call has ended is more than reading. */
function outlives(args: Readonly<Record<string, unknown>>): boolean {
  return args.run_in_background === true || args.preserve_background_processes === true;
}

function reader(commandClass: Why["commandClass"]): Why {
  return { by: "fallback", ...withClass(commandClass), text: "it only reads" };
}

function withClass(commandClass: Why["commandClass"]): { readonly commandClass?: NonNullable<Why["commandClass"]> } {
  return commandClass === undefined ? {} : { commandClass };
}

function fallbackText(fallback: Verdict): string {
  if (fallback === "allow") return "changes are allowed in this posture";
  return fallback === "ask" ? "no rule allows it" : "permissions.mode is `deny` and no rule allows it";
}
