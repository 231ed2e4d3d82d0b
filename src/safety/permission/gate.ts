/**
 * The gate every tool call passes (permissions.md §1, steps 4 and 5): facts, policy, posture, then a person where one is
 * needed and there. It answers; it rejects only when the turn is stopped. Whatever fails in here is a no.
 */
import type {
  ApprovalAnswer,
  ApprovalRequest,
  Approver,
  Decision,
  Gate,
  GateAnswer,
  Posture,
  ToolRequest,
  Verdict,
  Why,
} from "../../contract/decision.ts";
import { isAbort } from "../../contract/errors.ts";
import type { CommandAnalysis } from "../shell/analysis.ts";
import { type Analyze, loadAnalyze } from "../shell/load.ts";
import { SessionGrants } from "./grants.ts";
import type { PathForms } from "./match_path.ts";
import { NOTHING_OFFERED, type Offer, offerFor, toRules } from "./offer.ts";
import type { FindPathForms } from "./path_forms.ts";
import type { CallFacts, PermissionPolicy } from "./policy.ts";
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

export interface GateOptions {
  readonly policy: PermissionPolicy;
  readonly posture: Posture;
  /** The person. Absent: headless, every question is a refusal. */
  readonly approver?: Approver;
  readonly reviewers?: readonly Reviewer[];
  /** Grants to go on with, as after a change of model. */
  readonly grants?: SessionGrants;
  /** Writes rules into the project's `permissions.allow`. Absent: "always" is not offered. */
  persist?(rules: readonly string[]): Promise<void>;
  /** Why a write to this absolute path needs a fresh answer of a person; undefined when it does not. */
  reviewReason?(path: string): string | undefined;
  /** The same for calls that are reviewed for what they are: memory, plans, leaving the sandbox. */
  reviewCall?(request: ToolRequest): string | undefined;
  readonly pathForms?: FindPathForms;
  /** What a write would change, for the prompt. */
  preview?(request: ToolRequest): Promise<string | undefined>;
  /** The folder, where it is not trusted; refusals then say how to trust it. */
  readonly untrustedFolder?: string;
  /** Name of the workspace's shell, such as `bash` or `pwsh`. */
  readonly shell?: string;
  /** What `~/` in a command stands for. */
  readonly userHome?: string;
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
  return new ParentGate(options);
}

/** Words of a command that are looked up on the disk before it runs. */
const MOST_NAMED = 1_000;

interface Prepared {
  readonly request: ToolRequest;
  readonly shell?: CommandAnalysis;
  readonly paths: ReadonlyMap<string, PathForms>;
  /** Why only a fresh answer of a person will do. */
  readonly review?: string;
}

interface Waiting {
  readonly key: string;
  answer?: ApprovalAnswer;
}

class ParentGate implements PermissionGate {
  readonly grants: SessionGrants;
  readonly #options: GateOptions;
  #posture: Posture;
  #planWindow = false;
  #analyze: Promise<Analyze> | undefined;
  /** One question at a time: an answer may settle those behind it. */
  #turn: Promise<void> = Promise.resolve();
  readonly #waiting = new Set<Waiting>();
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
    try {
      signal.throwIfAborted();
      const prepared = await this.#prepare(request);
      signal.throwIfAborted();
      const settled = this.#settle(prepared, child);
      if ("allowed" in settled) return settled;
      return await this.#ask(prepared, settled, signal);
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      return refusedByFailure(error);
    }
  }

  async #prepare(request: ToolRequest): Promise<Prepared> {
    const { pathForms, reviewCall } = this.#options;
    const paths = new Map<string, PathForms>();
    const { tool, subjects } = targetOf(request);
    const [subject] = subjects;
    const shell = tool === "bash" && subject?.kind === "command" ? (await this.#loaded())(subject.text) : undefined;
    if (pathForms) {
      for (const { text, kind } of subjects) {
        const forms = kind === "path" ? await pathForms(text) : undefined;
        if (forms) paths.set(text, forms);
      }
    }
    const review = reviewCall?.(request) ?? await this.#reviewOfPaths(request, { shell, paths });
    return { request, paths, ...(shell ? { shell } : {}), ...(review === undefined ? {} : { review }) };
  }

  /** A failed load is tried again at the next command. */
  #loaded(): Promise<Analyze> {
    this.#analyze ??= (this.#options.loadAnalyze ?? loadAnalyze)(this.#options.shell);
    this.#analyze.catch(() => this.#analyze = undefined);
    return this.#analyze;
  }

  async #reviewOfPaths(
    request: ToolRequest,
    known: { readonly shell?: CommandAnalysis; readonly paths: ReadonlyMap<string, PathForms> },
  ): Promise<string | undefined> {
    const { reviewReason, pathForms } = this.#options;
    if (!reviewReason || request.readOnly) return undefined;
    const forms = [...known.paths.values()];
    const named = known.shell?.mayWrite ?? [];
    if (named.length > MOST_NAMED) return "it names more files than can be checked one by one";
    for (const text of named) {
      const { userHome } = this.#options;
      const path = userHome !== undefined && text.startsWith("~/") ? userHome + text.slice(1) : text;
      const found = await pathForms?.(path);
      if (found) forms.push(found);
    }
    for (const { absolute, real } of forms) {
      const reason = reviewReason(absolute) ?? reviewReason(real);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Everything that can be said without asking anybody. */
  #settle(prepared: Prepared, child: boolean): GateAnswer | Decision {
    const { request, review } = prepared;
    const posture = this.#posture;
    const decision = this.#options.policy.decide(request, this.#facts(prepared));
    if (decision.verdict === "deny") {
      return decision.why.by === "posture"
        ? refusedByReadOnly(request.tool, decision.why)
        : refusedByRule(decision.why);
    }
    if (review !== undefined) {
      const why: Why = { by: "review", text: review };
      if (posture === "read_only") return refusedByReadOnly(request.tool, why);
      if (child || !this.#options.approver || posture === "dont_ask") return refusedUnreviewed(request, why);
      return { verdict: "ask", humanRequired: true, why };
    }
    if (decision.verdict === "allow") return { allowed: true, why: decision.why };
    if (posture === "yolo") {
      return { allowed: true, why: { ...decision.why, by: "posture", text: "yolo skips questions" } };
    }
    const canAsk = !child && this.#options.approver !== undefined && posture !== "dont_ask";
    const canReview = !child && posture !== "dont_ask" && !decision.humanRequired &&
      (this.#options.reviewers ?? []).some((reviewer) => reviewer.headless);
    if (canAsk || canReview) return decision;
    return refusedUnasked(request, decision, {
      posture,
      child,
      rule: offerFor(request, prepared.shell).always[0],
      untrustedFolder: posture === "ask" ? this.#options.untrustedFolder : undefined,
    });
  }

  #facts({ shell, paths }: Prepared): CallFacts {
    const posture = this.#posture;
    const open = posture === "auto" || posture === "yolo" || this.#planWindow;
    return {
      ...(shell ? { shell } : {}),
      paths,
      grants: this.grants.rules,
      ...(open ? { fallback: "allow" satisfies Verdict } : {}),
      allowEdits: posture === "accept_edits",
      readersOnly: posture === "read_only",
    };
  }

  async #ask(prepared: Prepared, decision: Decision, signal: AbortSignal): Promise<GateAnswer> {
    const fresh = prepared.review !== undefined;
    const waiting: Waiting = { key: JSON.stringify([prepared.request.tool, prepared.request.args]) };
    if (!fresh) this.#waiting.add(waiting);
    const before = this.#turn;
    const mine = Promise.withResolvers<void>();
    this.#turn = before.then(() => mine.promise);
    try {
      await untilAborted(before, signal);
      if (waiting.answer !== undefined) return this.#answered(waiting.answer, NOTHING_OFFERED, decision.why);
      // What was granted meanwhile may have answered this one too.
      const settled = this.#settle(prepared, false);
      if ("allowed" in settled) return settled;
      return await this.#put(prepared, settled, { signal, waiting });
    } finally {
      this.#waiting.delete(waiting);
      mine.resolve();
    }
  }

  async #put(
    prepared: Prepared,
    decision: Decision,
    options: { readonly signal: AbortSignal; readonly waiting: Waiting },
  ): Promise<GateAnswer> {
    const { approver, reviewers = [] } = this.#options;
    const { signal, waiting } = options;
    const { offer, approval } = await this.#approval(prepared, decision);
    if (!decision.humanRequired) {
      for (const reviewer of reviewers.filter((one) => one.headless || approver)) {
        const verdict = await reviewer.review(approval, prepared.request, signal).catch(() => undefined);
        signal.throwIfAborted();
        const why: Why = { ...decision.why, by: reviewer.by, text: `the ${reviewer.by} answered` };
        if (verdict === "allow") return { allowed: true, why };
        if (verdict === "deny") return refusedByPerson(why);
      }
    }
    if (!approver) {
      return refusedUnasked(prepared.request, decision, {
        posture: this.#posture,
        child: false,
        rule: offer.always[0],
      });
    }
    let answer: ApprovalAnswer;
    try {
      answer = await untilAborted(approver.request(approval, signal), signal);
    } catch (error) {
      if (!signal.aborted && isAbort(error)) return refusedAsParked(decision.why);
      throw error;
    }
    for (const other of this.#waiting) {
      if (other !== waiting && other.key === waiting.key) other.answer = answer;
    }
    return await this.#answered(answer, offer, decision.why);
  }

  async #approval(
    prepared: Prepared,
    decision: Decision,
  ): Promise<{ readonly offer: Offer; readonly approval: ApprovalRequest }> {
    const { request, shell, review } = prepared;
    const { subjects } = targetOf(request);
    const offer = review === undefined ? offerFor(request, shell) : NOTHING_OFFERED;
    const always = this.#options.persist ? offer.always : [];
    const diff = await this.#options.preview?.(request).catch(() => undefined);
    const approval: ApprovalRequest = {
      id: `ap${++this.#asked}`,
      callId: request.callId,
      tool: request.tool,
      subject: subjects.length > 0 ? subjects.map(({ text }) => text).join(" → ") : JSON.stringify(request.args),
      why: decision.why,
      ...(diff === undefined ? {} : { diff }),
      ...(offer.session.length > 0 ? { sessionRule: offer.session.join(", ") } : {}),
      ...(always.length > 0 ? { alwaysRule: always.join(", ") } : {}),
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
      const cause = error instanceof Error ? error.message : String(error);
      return { allowed: true, why: { ...why, text: `${why.text} for this session; the rule was not saved: ${cause}` } };
    }
  }
}

/** Settles as the promise does, or rejects with the signal's reason first. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
