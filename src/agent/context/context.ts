/**
 * The one place where a conversation becomes a request. Below the trigger the transcript goes out as it is and nothing
 * else happens; at the trigger one summary makes the older part short, and from then on the projection stands before
 * the rest of the transcript. The transcript itself is only read.
 */
import type {
  ContextState,
  ContextStore,
  FoldReceipt,
  FoldReport,
  FoldTrigger,
  Projection,
  SummaryUsage,
} from "../../contract/context.ts";
import { type ErrorCode, isAbort, ReasonixError } from "../../contract/errors.ts";
import type { EventBody } from "../../contract/event.ts";
import type { Message } from "../../contract/message.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Transcript } from "../../contract/session.ts";
import type { Usage } from "../../contract/usage.ts";
import { errorText } from "../../lib/error_text.ts";
import { Outgoing } from "../outgoing.ts";
import { PrefixWatch } from "../prefix.ts";
import { toUsageEvent } from "../usage_event.ts";
import { type Budgets, budgetsFor, type ContextSettings, NOTICE_LEVELS, SUMMARY_MIN } from "./budgets.ts";
import { composeParts, type ContextPart } from "./composition.ts";
import { isDigest, summaryOf, toDigest } from "./digest.ts";
import { type FoldPlan, type FoldWish, planFold } from "./plan.ts";
import { prefixHash, textHash } from "./prefix_hash.ts";
import { proveState, toldLevel } from "./restore.ts";
import { type SummarySource, toSource } from "./source.ts";
import { summarize, type Summary, SUMMARY_OVERHEAD, type SummarySpend } from "./summarize.ts";
import { type FixedPart, TokenMeter } from "./tokens.ts";

export interface ContextPorts {
  readonly provider: Provider;
  readonly transcript: Transcript;
  /** Absent: a projection lives as long as this object. */
  readonly store?: ContextStore;
  /** What the host knows of the present and a summary might forget, such as the task list. */
  facts?(): readonly string[];
  /** Guidance for a summary that is about to be made. */
  guidance?(trigger: FoldTrigger, signal: AbortSignal): Promise<readonly string[]>;
  emit(body: EventBody): void;
  /** Unix time in milliseconds. */
  now(): number;
}

export interface Situation {
  readonly fixed: FixedPart;
  /** Where the running turn begins in the transcript; absent between turns. */
  readonly activeTurn?: number;
  readonly signal: AbortSignal;
}

export interface FoldOrder {
  readonly trigger: FoldTrigger;
  readonly wish: FoldWish;
  readonly focus?: string;
}

/** Characters of a summary between two words about its progress. */
const PROGRESS_STEP = 400;

/** How full the context is. Tokens. */
export interface ContextGauge {
  readonly used: number;
  readonly window: number;
  /** The effective ratio, and the size at which older messages are folded. */
  readonly ratio: number;
  readonly trigger: number;
}

export class ContextManager {
  readonly #ports: ContextPorts;
  readonly #settings: ContextSettings;
  readonly #budgets: Budgets;
  readonly #outgoing = new Outgoing();
  readonly #meter = new TokenMeter();
  #state: ContextState = { generation: 0 };
  #loaded: Promise<void> | undefined;
  /** Size of the view that was prepared last. */
  #used = 0;
  /** The transcript was this long when planning found nothing to fold: it is planned again when there is more. */
  #fruitlessAt = -1;
  /** The person was told of this generation's trouble. */
  #toldGeneration = -1;
  /** Highest level of `NOTICE_LEVELS` the model was told, by generation. */
  #noticed: { readonly generation: number; readonly level: number } = { generation: 0, level: 0 };
  #operations = 0;
  /** Calls of one answer may run at the same time. */
  #folding = false;

  constructor(ports: ContextPorts, settings: ContextSettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#budgets = budgetsFor(ports.provider.contextWindow, settings);
  }

  get gauge(): ContextGauge {
    const { window, trigger } = this.#budgets;
    return { used: this.#used, window, ratio: this.#settings.ratio, trigger };
  }

  /** What the next request would consist of. Asks nothing of a model. */
  async composition(situation: Situation): Promise<readonly ContextPart[]> {
    await this.#load(situation);
    const view = this.#measure(situation);
    return composeParts(situation.fixed, view, { meter: this.#meter, used: this.#used });
  }

  /**
   * What the next request says, in a form that may be sent. Once for each request. Throws `context.exhausted` when the
   * conversation is past the window and cannot be folded, `turn.cancelled` when stopped.
   */
  async prepare(situation: Situation): Promise<readonly Message[]> {
    await this.#load(situation);
    let view = this.#measure(situation);
    const { window, trigger, hardCeiling } = this.#budgets;
    if (window <= 0 || this.#used < trigger) return view;
    if (this.#mayFold()) {
      await this.#fold({ trigger: "auto", wish: { kind: "old" } }, situation);
      view = this.#measure(situation);
    }
    if (this.#used >= hardCeiling) throw this.#exhausted();
    return view;
  }

  /** The endpoint's own count of the request prepared last. */
  learn(last: Usage): void {
    if (!last.estimated) this.#meter.learn(last.prompt);
  }

  /** The endpoint refused the request as too long. True when the view is shorter now and the request worth sending again. */
  async shorten(situation: Situation): Promise<boolean> {
    if (this.#budgets.window <= 0 || this.#isBlocked()) return false;
    const report = await this.#fold({ trigger: "overflow", wish: { kind: "most" } }, situation);
    return report.outcome === "applied";
  }

  /** At somebody's wish: also below the trigger, also after a failure. Never throws but for a defect. */
  async fold(order: FoldOrder, situation: Situation): Promise<FoldReport> {
    await this.#load(situation);
    this.#measure(situation);
    if (this.#folding) return { outcome: "noop", text: "a fold is under way", sourceTokens: this.#used };
    this.#folding = true;
    try {
      return await this.#fold(order, situation);
    } catch (error) {
      if (!isAbort(error, situation.signal) && !isCancelled(error)) throw error;
      return { outcome: "cancelled", text: "the fold was stopped; nothing has changed", sourceTokens: this.#used };
    } finally {
      this.#folding = false;
    }
  }

  /** A block for the next message of the person: how full the context is, once at each level of a generation. */
  async notice(situation: Situation): Promise<string | undefined> {
    await this.#load(situation);
    this.#measure(situation);
    const { window, trigger } = this.#budgets;
    if (window <= 0) return undefined;
    const { generation } = this.#state;
    const told = this.#noticed.generation === generation ? this.#noticed.level : 0;
    const level = NOTICE_LEVELS.findLast((one) => this.#used >= trigger * one);
    if (level === undefined || level <= told) return undefined;
    this.#noticed = { generation, level };
    const percent = Math.floor(100 * this.#used / trigger);
    return `<context-budget level="${level}">\nAbout ${this.#used} of ${trigger} tokens are used (${percent} %); ` +
      `at ${trigger} the older part is folded into a summary.\n</context-budget>`;
  }

  /** The transcript as a model is to see it now. */
  #view(): readonly Message[] {
    const { messages } = this.#ports.transcript;
    const { projection } = this.#state;
    if (projection === undefined) return messages;
    return [...projection.messages, ...messages.slice(projection.coveredCount)];
  }

  #measure({ fixed }: Situation): readonly Message[] {
    const view = this.#outgoing.toOutgoing(this.#view());
    this.#used = this.#meter.measure(fixed, view);
    return view;
  }

  #mayFold(): boolean {
    return !this.#isBlocked() && this.#fruitlessAt !== this.#ports.transcript.messages.length;
  }

  /** A summary of this generation was paid for in vain. Another window or ratio is another question. */
  #isBlocked(): boolean {
    const last = this.#state.lastReceipt;
    return last !== undefined && (last.status === "blocked" || last.status === "failed") &&
      last.generation === this.#state.generation && last.triggerTokens === this.#budgets.trigger;
  }

  async #fold(order: FoldOrder, situation: Situation): Promise<FoldReport> {
    const { transcript, emit, provider } = this.#ports;
    const { messages } = transcript;
    const { activeTurn, signal } = situation;
    const sourceTokens = this.#used;
    const keepFactor = this.#state.keepFactor ?? this.#meter.factor;
    const plan = planFold({
      messages,
      covered: this.#state.projection?.coveredCount ?? 0,
      ...(activeTurn === undefined ? {} : { activeTurn }),
      budgets: this.#budgets,
      settings: this.#settings,
      sourceTokens,
      fixedTokens: this.#meter.fixedTokens(situation.fixed),
      tokensOf: (message) => this.#meter.tokensOf(message),
      keepTokensOf: (message) => this.#meter.toTokens(this.#meter.charsOf(message), keepFactor),
      wish: order.wish,
    });
    if (plan.kind === "none") return this.#nothing(order, plan);

    const operationId = `fold-${this.#state.generation + 1}-${++this.#operations}`;
    const covered = messages.length;
    const before = this.#state;
    emit({ kind: "compaction_started", id: operationId, trigger: order.trigger, messages: plan.cut });
    const end = (report: FoldReport, summary?: string): FoldReport => {
      const { outcome, text, code, resultTokens } = report;
      emit({
        kind: "compaction_done",
        id: operationId,
        outcome,
        text,
        sourceTokens,
        ...(resultTokens === undefined ? {} : { resultTokens }),
        ...(code === undefined ? {} : { code }),
        ...(summary === undefined ? {} : { summary }),
      });
      return report;
    };
    try {
      const inputHash = await prefixHash(messages, plan.cut);
      const receipt: FoldReceipt = {
        operationId,
        status: "planned",
        action: "summary",
        trigger: order.trigger,
        generation: this.#state.generation,
        coveredCount: plan.cut,
        inputHash,
        inputTokens: sourceTokens,
        triggerTokens: this.#budgets.trigger,
        createdAt: this.#ports.now(),
      };
      await this.#save({ ...this.#state, lastReceipt: receipt });
      const limits = this.#summaryLimits(plan, order.trigger);
      const source = await this.#source(plan, order, { ...limits, signal });
      let told = 0;
      const summary = await summarize(source.text, {
        provider,
        cap: limits.cap,
        signal,
        progress: (chars) => {
          if (chars >= told && chars < told + PROGRESS_STEP) return;
          told = chars;
          emit({ kind: "compaction_progress", id: operationId, chars });
        },
      });
      this.#tellUsage(summary, situation.fixed);
      if (summary.kind === "failure") return end(await this.#refuse(receipt, summary));
      return await this.#install({ plan, receipt, summary, order, situation, covered, keepFactor, end });
    } catch (error) {
      const stopped = isCancelled(error) || isAbort(error, signal);
      await this.#save(before);
      end({
        outcome: stopped ? "cancelled" : "failed",
        text: stopped ? "stopped; nothing has changed" : `internal error: ${errorText(error)}`,
        sourceTokens,
        code: stopped ? "turn.cancelled" : "internal.bug",
      });
      throw error;
    }
  }

  /**
   * What a summary request may hold. After an overflow the window is not what the settings say, or a character has more
   * tokens than it seemed: only what was sent is known to be too much.
   */
  #summaryLimits(plan: FoldPlan, trigger: FoldTrigger): { readonly cap: number; readonly room: number } {
    const room = this.#budgets.window - plan.summaryCap - SUMMARY_OVERHEAD;
    if (trigger !== "overflow") return { cap: plan.summaryCap, room };
    return {
      cap: Math.min(plan.summaryCap, Math.max(SUMMARY_MIN, Math.floor(this.#used / 5))),
      room: Math.min(room, Math.floor(this.#used / 2)),
    };
  }

  async #source(
    plan: FoldPlan,
    order: FoldOrder,
    { room, signal }: { readonly room: number; readonly signal: AbortSignal },
  ): Promise<SummarySource> {
    const { projection } = this.#state;
    const digest = projection?.messages.find(isDigest);
    const guided = await this.#ports.guidance?.(order.trigger, signal) ?? [];
    const guidance = [order.focus ?? "", ...guided].filter((one) => one.trim() !== "");
    return toSource({
      messages: this.#ports.transcript.messages,
      spans: plan.source,
      room: Math.floor(room / this.#meter.factor),
      ...(projection && digest ? { prior: { summary: summaryOf(digest), covered: projection.coveredCount } } : {}),
      ...(guidance.length === 0 ? {} : { focus: guidance.join("\n") }),
    });
  }

  /** Weighs the folded view and puts it in force, or leaves everything as it was. */
  async #install(fold: Finished): Promise<FoldReport> {
    const { plan, receipt, summary, order, situation, covered, end } = fold;
    const { transcript, emit, now } = this.#ports;
    const digest = toDigest(summary.text, this.#ports.facts?.() ?? []);
    const messages = [...plan.head, ...plan.before, digest, ...plan.after];
    const view = [...messages, ...transcript.messages.slice(plan.cut)];
    const resultTokens = this.#meter.fixedTokens(situation.fixed) + this.#meter.sum(this.#outgoing.toOutgoing(view));
    const sourceTokens = receipt.inputTokens;
    if (resultTokens > plan.limit) {
      const reason = `the folded view would have ${resultTokens} tokens, and at most ${plan.limit} would help`;
      return end(
        await this.#refuse(receipt, { ...summary, status: "blocked", code: "context.fold_rejected", reason }),
      );
    }
    const [summaryHash, viewOutputHash] = await Promise.all([
      textHash(summary.text),
      prefixHash(messages, messages.length),
    ]);
    const generation = this.#state.generation + 1;
    const projection: Projection = {
      messages,
      transcriptVersion: covered,
      projectionVersion: generation,
      coveredCount: plan.cut,
      coveredPrefixHash: receipt.inputHash,
      summaryHash,
      sourceTokens,
      projectionTokens: resultTokens,
      viewInputHash: receipt.inputHash,
      viewOutputHash,
      createdAt: now(),
    };
    const applied: FoldReceipt = {
      ...receipt,
      status: "applied",
      outputHash: viewOutputHash,
      resultTokens,
      savedTokens: sourceTokens - resultTokens,
      summaryHash,
      summaryCap: summary.cap,
      ...spent(summary),
    };
    await this.#save({ generation, projection, lastReceipt: applied, keepFactor: fold.keepFactor });
    this.#fruitlessAt = -1;
    this.#meter.forget();
    const report = end({
      outcome: "applied",
      text: `folded ${plan.cut} messages: ${sourceTokens} tokens became ${resultTokens}`,
      sourceTokens,
      resultTokens,
    }, summary.text);
    emit({
      kind: "compaction_telemetry",
      id: receipt.operationId,
      trigger: order.trigger,
      generation,
      user_turns_kept: plan.userTurnsKept,
      user_turns_dropped: plan.userTurnsDropped,
      source_tokens: sourceTokens,
      result_tokens: resultTokens,
      trigger_tokens: this.#budgets.trigger,
      ratio: this.#settings.ratio,
    });
    if (plan.userTurnsDropped > 0) this.#warn(foldedTurns(plan.userTurnsDropped));
    return report;
  }

  async #refuse(
    receipt: FoldReceipt,
    why: SummarySpend & { readonly status: "blocked" | "failed"; readonly code: ErrorCode; readonly reason: string },
  ): Promise<FoldReport> {
    const { status, code, reason, cap } = why;
    const failed: FoldReceipt = { ...receipt, status, code, reason, summaryCap: cap, ...spent(why) };
    await this.#save({ ...this.#state, lastReceipt: failed });
    const text = `the conversation was not folded: ${reason}. It goes on as it is; /compact tries again`;
    this.#warn(text, code);
    this.#toldGeneration = this.#state.generation;
    return { outcome: status, text, code, sourceTokens: receipt.inputTokens };
  }

  /** Nothing was asked of a model and nothing is stored: there may be more to fold after the next message. */
  #nothing(
    { trigger }: FoldOrder,
    plan: { readonly why: "small" | "room"; readonly needed: number; readonly limit: number },
  ): FoldReport {
    this.#fruitlessAt = this.#ports.transcript.messages.length;
    const text = plan.why === "small"
      ? "there is next to nothing to fold: what is left are the newest messages and what always stays"
      : `what has to stay needs ${plan.needed} tokens and at most ${plan.limit} would help: nothing was folded`;
    if (trigger === "auto" && this.#toldGeneration !== this.#state.generation) {
      this.#toldGeneration = this.#state.generation;
      const { trigger: at, window } = this.#budgets;
      this.#warn(`the context is at ${this.#used} tokens, past ${at} of ${window}, and ${text}`, "context.exhausted");
    }
    return { outcome: "noop", text, sourceTokens: this.#used };
  }

  #exhausted(): ReasonixError {
    const { provider } = this.#ports;
    const { window, hardCeiling } = this.#budgets;
    return new ReasonixError(
      "context.exhausted",
      `the conversation needs about ${this.#used} tokens; ${provider.name}/${provider.model} takes ` +
        `${Math.max(0, hardCeiling)} (context_window ${window})`,
      { remedy: "Fold it with /compact, begin a new one, or go on with a model that has a larger window." },
    );
  }

  #tellUsage(summary: Summary, fixed: FixedPart): void {
    if (!summary.usage) return;
    const { provider, emit } = this.#ports;
    const cacheDiagnostics = new PrefixWatch().observe({ ...fixed, messages: [] })();
    emit(toUsageEvent(summary.usage, { provider, source: "compaction", contextTokens: this.#used, cacheDiagnostics }));
  }

  #warn(text: string, code?: string): void {
    this.#ports.emit({ kind: "notice", level: "warning", text, ...(code === undefined ? {} : { code }) });
  }

  /** A state that cannot be written holds for this run; the next one folds again. */
  async #save(state: ContextState): Promise<void> {
    this.#state = state;
    try {
      await this.#ports.store?.save(state);
    } catch (error) {
      this.#warn(`the folded view could not be stored: ${errorText(error)}`);
    }
  }

  #load(situation: Situation): Promise<void> {
    this.#loaded ??= this.#restore(situation);
    return this.#loaded;
  }

  /** Takes back what an earlier run left, as far as the transcript proves it. */
  async #restore({ fixed }: Situation): Promise<void> {
    const { transcript, store, provider } = this.#ports;
    const { messages } = transcript;
    const stored = messages.length === 0 ? undefined : await store?.load();
    if (stored) {
      const { state, isForeign } = await proveState(stored, messages);
      this.#state = state;
      if (isForeign) this.#warn("the stored summary does not belong to this conversation and is left out");
    }
    const since = this.#state.projection?.transcriptVersion ?? 0;
    this.#noticed = { generation: this.#state.generation, level: toldLevel(messages, since) };
    const ref = `${provider.name}/${provider.model}`;
    const counted = messages.findLastIndex((message, at) =>
      at >= since && message.context_tokens !== undefined && message.modelRef === ref
    );
    if (counted < 0) return;
    const covered = this.#state.projection?.coveredCount ?? 0;
    const before = [...this.#state.projection?.messages ?? [], ...messages.slice(covered, counted)];
    this.#meter.measure(fixed, this.#outgoing.toOutgoing(before));
    this.#meter.learn(messages[counted]!.context_tokens!);
  }
}

interface Finished {
  readonly plan: FoldPlan;
  readonly receipt: FoldReceipt;
  readonly summary: Extract<Summary, { kind: "text" }>;
  readonly order: FoldOrder;
  readonly situation: Situation;
  /** Messages of the transcript when the fold began. */
  readonly covered: number;
  readonly keepFactor: number;
  end(report: FoldReport, summary?: string): FoldReport;
}

function isCancelled(error: unknown): boolean {
  return error instanceof ReasonixError && error.code === "turn.cancelled";
}

function spent({ calls, usage }: SummarySpend): { readonly summaryUsage: SummaryUsage } {
  return {
    summaryUsage: {
      calls,
      requestAttempts: usage?.requestAttempts ?? calls,
      inputTokens: usage?.prompt ?? 0,
      outputTokens: usage?.completion ?? 0,
      ...(usage?.reasoning === undefined ? {} : { reasoningTokens: usage.reasoning }),
      ...(usage?.cacheHit === undefined ? {} : { cacheHitTokens: usage.cacheHit }),
      ...(usage?.cacheMiss === undefined ? {} : { cacheMissTokens: usage.cacheMiss }),
    },
  };
}

function foldedTurns(count: number): string {
  const turns = count === 1 ? "1 of your messages was" : `${count} of your messages were`;
  return `${turns} too long to keep word for word and went into the summary; begin a message with [[keep]] to hold it`;
}
