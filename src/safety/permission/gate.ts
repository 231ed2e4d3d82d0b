/**
 * The gate every tool call passes: facts, policy, posture, then a person where one is needed and there. It answers; it
 * rejects only when the turn is stopped. Whatever fails in here is a no.
 */
import type {
  ApprovalAnswer,
  ApprovalRequest,
  Approver,
  Gate,
  GateAnswer,
  Posture,
  ToolRequest,
  Verdict,
  Why,
} from "../../contract/decision.ts";
import { isAbort } from "../../contract/errors.ts";
import { errorText } from "../../lib/error_text.ts";
import { type Analyze, loadAnalyze } from "../shell/load.ts";
import { SessionGrants } from "./grants.ts";
import { NOTHING_OFFERED, type Offer, offerFor, toRules } from "./offer.ts";
import type { CallFacts, PermissionPolicy, PolicyDecision } from "./policy.ts";
import { prepareCall, type Prepared, type PrepareOptions } from "./prepare.ts";
import { QuestionQueue } from "./question_queue.ts";
import { targetOf } from "./subject.ts";
import {
  refusedAsParked,
  refusedByFailure,
  refusedByPerson,
  refusedByReadOnly,
  refusedByRule,
  refusedUnasked,
  refusedUnreviewed,
} from "./wording.ts";

/** Answers in place of the person where the spec lets it: an imported `PermissionRequest` hook, the guardian. */
export interface Reviewer {
  readonly by: "hook" | "guardian";
  /** False: consulted only when a prompt would really be shown. */
  readonly headless: boolean;
  /** Undefined: no opinion. A rejection counts as none. */
  review(approval: ApprovalRequest, request: ToolRequest, signal: AbortSignal): Promise<"allow" | "deny" | undefined>;
}

export type CallPreview = { readonly text: string } | { readonly failure: string };

export interface GateOptions extends Omit<PrepareOptions, "analyze"> {
  readonly policy: PermissionPolicy;
  readonly posture: Posture;
  /** The person. Absent: headless, every question is a refusal. */
  readonly approver?: Approver;
  readonly reviewers?: readonly Reviewer[];
  /** Grants to go on with, as after a change of model. */
  readonly grants?: SessionGrants;
  /** Writes rules into the project's `permissions.allow`. Absent: "always" is not offered. */
  persist?(rules: readonly string[]): Promise<void>;
  /** What a write would change, for the prompt; or that it can change nothing, so that nobody need be asked. */
  preview?(request: ToolRequest): Promise<CallPreview | undefined>;
  /** What a call is about, in a few words, where its arguments say it badly. */
  subject?(request: ToolRequest): Promise<string | undefined>;
  /** The folder, where it is not trusted; refusals then say how to trust it. */
  readonly untrustedFolder?: string;
  /** Name of the workspace's shell, such as `bash` or `pwsh`. Default `bash`. */
  readonly shell?: string;
  /** Replaced in tests. */
  loadAnalyze?(shell: string | undefined): Promise<Analyze>;
}

export interface PermissionGate extends Gate {
  readonly grants: SessionGrants;
  setPosture(posture: Posture): void;
  /** While open, the writers of a plan that the person approved run without questions. */
  setPlanWindow(open: boolean): void;
  /** The gate of a delegated child: same policy, posture and grants, nobody to ask. */
  forChild(): Gate;
}

export function createGate(options: GateOptions): PermissionGate {
  return new SessionGate(options);
}

class SessionGate implements PermissionGate {
  readonly grants: SessionGrants;
  readonly #options: GateOptions;
  readonly #questions = new QuestionQueue();
  #posture: Posture;
  #planWindow = false;
  #analyze: Promise<Analyze> | undefined;
  #asked = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#posture = options.posture;
    this.grants = options.grants ?? new SessionGrants();
  }

  get posture(): Posture {
    return this.#posture;
  }

  setPosture(posture: Posture): void {
    this.#posture = posture;
  }

  setPlanWindow(open: boolean): void {
    this.#planWindow = open;
  }

  check(request: ToolRequest, signal: AbortSignal): Promise<GateAnswer> {
    return this.#check(request, signal, false);
  }

  forChild(): Gate {
    const posture = () => this.#posture;
    return {
      get posture() {
        return posture();
      },
      check: (request, signal) => this.#check(request, signal, true),
    };
  }

  async #check(request: ToolRequest, signal: AbortSignal, child: boolean): Promise<GateAnswer> {
    signal.throwIfAborted();
    try {
      const prepared = await prepareCall(request, { ...this.#options, child, analyze: () => this.#loaded() });
      signal.throwIfAborted();
      const settled = this.#settle(prepared, child);
      return "allowed" in settled ? settled : await this.#ask(prepared, settled, signal);
    } catch (error) {
      signal.throwIfAborted();
      return refusedByFailure(error);
    }
  }

  /** A load that failed is tried again at the next command. */
  #loaded(): Promise<Analyze> {
    this.#analyze ??= (this.#options.loadAnalyze ?? loadAnalyze)(this.#options.shell);
    this.#analyze.catch(() => this.#analyze = undefined);
    return this.#analyze;
  }

  /** Everything that can be said without asking anybody; a decision where somebody must be asked. */
  #settle(prepared: Prepared, child: boolean): GateAnswer | PolicyDecision {
    const { request, review } = prepared;
    const { policy, approver, reviewers = [], untrustedFolder } = this.#options;
    const posture = this.#posture;
    const decision = policy.decide(request, this.#facts(prepared));
    if (decision.verdict === "deny") {
      const refuse = decision.why.by === "posture" ? refusedByReadOnly : refusedByRule;
      return refuse(request, decision.why);
    }
    const asks = !child && posture !== "dont_ask";
    if (review !== undefined) {
      const why: Why = { by: "review", text: review };
      return asks && approver ? { verdict: "ask", humanRequired: true, why } : refusedUnreviewed(request, why);
    }
    if (decision.verdict === "allow") return { allowed: true, why: decision.why };
    if (posture === "yolo" && !decision.mayBeDenied) {
      return { allowed: true, why: { ...decision.why, by: "posture", text: "yolo skips questions" } };
    }
    const reviewed = !decision.humanRequired && reviewers.some(({ headless }) => headless);
    if (asks && (approver || reviewed)) return decision;
    return refusedUnasked(request, decision, {
      posture,
      child,
      rule: offerFor(request, prepared.shell).always[0],
      ...(posture === "ask" && untrustedFolder !== undefined ? { untrustedFolder } : {}),
    });
  }

  #facts({ shell, paths, gitHazard, automatic }: Prepared): CallFacts {
    const posture = this.#posture;
    const window = this.#planWindow && (posture === "ask" || posture === "accept_edits");
    return {
      ...(shell ? { shell } : {}),
      ...(gitHazard === undefined ? {} : { gitHazard }),
      paths,
      grants: this.grants.rules,
      ...(posture === "auto" || posture === "yolo" || window || automatic
        ? { fallback: "allow" satisfies Verdict }
        : {}),
      allowEdits: posture === "accept_edits",
      readersOnly: posture === "read_only",
    };
  }

  async #ask(prepared: Prepared, decision: PolicyDecision, signal: AbortSignal): Promise<GateAnswer> {
    const { request, review } = prepared;
    const preview = await this.#options.preview?.(request).catch(() => undefined);
    if (preview !== undefined && "failure" in preview) {
      return { allowed: false, failure: preview.failure, why: decision.why };
    }
    const { offer, approval } = await this.#approval(prepared, decision, preview?.text);
    const reviewed = await this.#review(approval, { request, decision, signal });
    if (reviewed) return reviewed;
    const { approver } = this.#options;
    if (!approver) return refusedUnasked(request, decision, { posture: this.#posture, child: false });
    try {
      const answered = await this.#questions.ask({
        // What must be answered afresh is not answered by another's answer.
        ...(review === undefined ? { key: JSON.stringify([request.tool, request.args]) } : {}),
        stillOpen: () => !("allowed" in this.#settle(prepared, false)),
        put: () => approver.request(approval, signal),
      }, signal);
      if (answered) {
        return await this.#answered(answered.answer, answered.shared ? NOTHING_OFFERED : offer, decision.why);
      }
    } catch (error) {
      if (!signal.aborted && isAbort(error)) return refusedAsParked(decision.why);
      throw error;
    }
    const settled = this.#settle(prepared, false);
    return "allowed" in settled ? settled : await this.#ask(prepared, settled, signal);
  }

  /** A hook or the guardian, where they may answer. */
  async #review(
    approval: ApprovalRequest,
    call: { readonly request: ToolRequest; readonly decision: PolicyDecision; readonly signal: AbortSignal },
  ): Promise<GateAnswer | undefined> {
    const { request, decision, signal } = call;
    if (decision.humanRequired) return undefined;
    const { approver, reviewers = [] } = this.#options;
    for (const reviewer of reviewers.filter(({ headless }) => headless || approver !== undefined)) {
      const verdict = await reviewer.review(approval, request, signal).catch(() => undefined);
      signal.throwIfAborted();
      const why: Why = { ...decision.why, by: reviewer.by, text: `the ${reviewer.by} answered` };
      if (verdict === "allow") return { allowed: true, why };
      if (verdict === "deny") return refusedByPerson(why);
    }
    return undefined;
  }

  async #approval(
    { request, shell, review }: Prepared,
    decision: PolicyDecision,
    diff: string | undefined,
  ): Promise<{ readonly offer: Offer; readonly approval: ApprovalRequest }> {
    const { persist } = this.#options;
    const { subjects } = targetOf(request);
    const told = await this.#options.subject?.(request).catch(() => undefined);
    const named = subjects.length > 0 ? subjects.map(({ text }) => text).join(" → ") : JSON.stringify(request.args);
    const offer = review === undefined ? offerFor(request, shell) : NOTHING_OFFERED;
    const approval: ApprovalRequest = {
      id: `ap${++this.#asked}`,
      callId: request.callId,
      tool: request.tool,
      subject: told ?? named,
      why: decision.why,
      ...(diff === undefined ? {} : { diff }),
      ...(shell && request.args.run_in_background === true ? { background: true } : {}),
      ...(offer.session.length > 0 ? { sessionRule: offer.session.join(", ") } : {}),
      ...(persist && offer.always.length > 0 ? { alwaysRule: offer.always.join(", ") } : {}),
      ...(offer.prefix === undefined ? {} : { prefixRule: offer.prefix }),
      ...(shell?.danger === undefined ? {} : { danger: shell.danger }),
      ...(shell && shell.heredocs.length > 0 ? { heredoc: shell.heredocs.join("\n") } : {}),
    };
    return { offer, approval };
  }

  async #answered(answer: ApprovalAnswer, offer: Offer, asked: Why): Promise<GateAnswer> {
    const why: Why = { ...asked, by: "person", text: "you allowed it" };
    const prefix = offer.prefix === undefined ? [] : [offer.prefix];
    switch (answer) {
      case "deny":
        return refusedByPerson({ ...asked, by: "person", text: "you declined it" });
      case "once":
        return { allowed: true, why };
      case "session":
        return await this.#grant(offer.session, why);
      case "session_prefix":
        return await this.#grant(prefix, why);
      case "always":
        return await this.#grant(offer.always, why, { forGood: true });
      case "always_prefix":
        return await this.#grant(prefix, why, { forGood: true });
    }
  }

  /** A rule saved for good also holds for the rest of the session, which read its rules at the start. */
  async #grant(rules: readonly string[], why: Why, options: { readonly forGood?: boolean } = {}): Promise<GateAnswer> {
    for (const rule of toRules(rules)) this.grants.add(rule);
    if (!options.forGood || rules.length === 0) return { allowed: true, why };
    try {
      await this.#options.persist?.(rules);
      return { allowed: true, why };
    } catch (error) {
      // The person said yes; that the rule could not be kept is no reason to refuse the call.
      const cause = errorText(error);
      return { allowed: true, why: { ...why, text: `${why.text} for this session; the rule was not saved: ${cause}` } };
    }
  }
}
