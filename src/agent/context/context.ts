/**
 * The one place where a conversation becomes a request. Below the trigger the transcript goes out as it is and nothing
 * else happens; at the trigger one summary makes the older part short, and from then on the projection stands before
 * the rest of the transcript. The transcript itself is only read.
 */
import type { ContextStore, FoldReport } from "../../contract/context.ts";
import { isAbort, ReasonixError } from "../../contract/errors.ts";
import type { Message } from "../../contract/message.ts";
import type { Usage } from "../../contract/usage.ts";
import { isCancelled } from "../model_call.ts";
import { Outgoing } from "../outgoing.ts";
import { BEYOND_ANY_WINDOW, type Budgets, budgetsFor, type ContextSettings, NOTICE_LEVELS } from "./budgets.ts";
import { composeParts, type ContextPart } from "./composition.ts";
import { FoldMemory } from "./fold_memory.ts";
import type { FoldOrder, FoldPorts } from "./folding.ts";
import type { Plan } from "./plan.ts";
import { toldLevel } from "./restore.ts";
import { type FixedPart, TokenMeter } from "./tokens.ts";

export interface ContextPorts extends FoldPorts {
  /** Absent: a projection lives as long as this object. */
  readonly store?: ContextStore;
}

export interface Situation {
  readonly fixed: FixedPart;
  /** Where the running turn begins in the transcript; absent between turns. */
  readonly activeTurn?: number;
  readonly signal: AbortSignal;
}

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
  readonly #memory: FoldMemory;
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
    const { transcript, store } = ports;
    this.#memory = new FoldMemory({ transcript, ...(store ? { store } : {}), warn: (text) => this.#warn(text) });
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
    if (window <= 0 && this.#used > BEYOND_ANY_WINDOW) throw this.#exhausted();
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
    if (this.#budgets.window <= 0) return { outcome: "noop", text: this.#windowless(), sourceTokens: this.#used };
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

  #windowless(): string {
    const { name, model } = this.#ports.provider;
    return `nothing was folded: how much ${name}/${model} takes is not known. ` +
      `Give its provider a context_window in the settings, then try again`;
  }

  /** A block for the next message of the person: how full the context is, once at each level of a generation. */
  async notice(situation: Situation): Promise<string | undefined> {
    await this.#load(situation);
    this.#measure(situation);
    const { window, trigger } = this.#budgets;
    if (window <= 0) return undefined;
    const { generation } = this.#memory.state;
    const told = this.#noticed.generation === generation ? this.#noticed.level : 0;
    const level = NOTICE_LEVELS.findLast((one) => this.#used >= trigger * one);
    if (level === undefined || level <= told) return undefined;
    this.#noticed = { generation, level };
    const percent = Math.floor(100 * this.#used / trigger);
    return `<context-budget level="${level}">\nAbout ${this.#used} of ${trigger} tokens are used (${percent} %); ` +
      `at ${trigger} the older part is folded into a summary.\n</context-budget>`;
  }

  #measure({ fixed }: Situation): readonly Message[] {
    const view = this.#outgoing.toOutgoing(this.#memory.view());
    this.#used = this.#meter.measure(fixed, view);
    return view;
  }

  #mayFold(): boolean {
    return !this.#isBlocked() && this.#fruitlessAt !== this.#ports.transcript.messages.length;
  }

  /** A summary of this generation was paid for in vain. Another window or ratio is another question. */
  #isBlocked(): boolean {
    const last = this.#memory.state.lastReceipt;
    return last !== undefined && (last.status === "blocked" || last.status === "failed") &&
      last.generation === this.#memory.state.generation && last.triggerTokens === this.#budgets.trigger;
  }

  async #fold(order: FoldOrder, { fixed, signal, activeTurn }: Situation): Promise<FoldReport> {
    // Few sessions fold; the others need not load how.
    const [{ planFold }, { Folding }] = await Promise.all([import("./plan.ts"), import("./folding.ts")]);
    const { state } = this.#memory;
    const sourceTokens = this.#used;
    const keepFactor = state.keepFactor ?? this.#meter.factor;
    const plan = planFold({
      messages: this.#ports.transcript.messages,
      covered: state.projection?.coveredCount ?? 0,
      ...(activeTurn === undefined ? {} : { activeTurn }),
      budgets: this.#budgets,
      settings: this.#settings,
      sourceTokens,
      fixedTokens: this.#meter.fixedTokens(fixed),
      tokensOf: (message) => this.#meter.tokensOf(message),
      keepTokensOf: (message) => this.#meter.toTokens(this.#meter.charsOf(message), keepFactor),
      wish: order.wish,
    });
    if (plan.kind === "none") return this.#nothing(order, plan);
    const folding = new Folding({
      ports: this.#ports,
      budgets: this.#budgets,
      ratio: this.#settings.ratio,
      memory: this.#memory,
      meter: this.#meter,
      outgoing: this.#outgoing,
    }, {
      id: `fold-${state.generation + 1}-${++this.#operations}`,
      plan,
      order,
      fixed,
      signal,
      sourceTokens,
      keepFactor,
    });
    const report = await folding.run();
    if (report.outcome === "applied") this.#fruitlessAt = -1;
    else this.#toldGeneration = state.generation;
    return report;
  }

  /** Nothing was asked of a model and nothing is stored: there may be more to fold after the next message. */
  #nothing(
    { trigger }: FoldOrder,
    plan: Extract<Plan, { kind: "none" }>,
  ): FoldReport {
    this.#fruitlessAt = this.#ports.transcript.messages.length;
    const text = plan.why === "small"
      ? "there is next to nothing to fold: what is left are the newest messages and what always stays"
      : `what has to stay needs ${plan.needed} tokens and at most ${plan.limit} would help: nothing was folded`;
    if (trigger === "auto" && this.#toldGeneration !== this.#memory.state.generation) {
      this.#toldGeneration = this.#memory.state.generation;
      const { trigger: at, window } = this.#budgets;
      this.#warn(`the context is at ${this.#used} tokens, past ${at} of ${window}, and ${text}`, "context.exhausted");
    }
    return { outcome: "noop", text, sourceTokens: this.#used };
  }

  #exhausted(): ReasonixError {
    const { provider } = this.#ports;
    const { window, hardCeiling } = this.#budgets;
    if (window <= 0) {
      const text = `the conversation needs about ${this.#used} tokens, more than any model takes`;
      return new ReasonixError("context.exhausted", text, {
        remedy: `Give provider ${provider.name} a context_window in the settings, so that it can be folded.`,
      });
    }
    return new ReasonixError(
      "context.exhausted",
      `the conversation needs about ${this.#used} tokens; ${provider.name}/${provider.model} takes ` +
        `${Math.max(0, hardCeiling)} (context_window ${window})`,
      { remedy: "Fold it with /compact, begin a new one, or go on with a model that has a larger window." },
    );
  }

  #warn(text: string, code?: string): void {
    this.#ports.emit({ kind: "notice", level: "warning", text, ...(code === undefined ? {} : { code }) });
  }

  #load(situation: Situation): Promise<void> {
    this.#loaded ??= this.#restore(situation);
    return this.#loaded;
  }

  /** Takes back what an earlier run left, and its endpoint's own count. */
  async #restore({ fixed }: Situation): Promise<void> {
    const { transcript: { messages }, provider } = this.#ports;
    await this.#memory.restore();
    const { generation, projection } = this.#memory.state;
    const since = projection?.transcriptVersion ?? 0;
    this.#noticed = { generation, level: toldLevel(messages, since) };
    const ref = `${provider.name}/${provider.model}`;
    const counted = messages.findLastIndex((message, at) =>
      at >= since && message.context_tokens !== undefined && message.modelRef === ref
    );
    if (counted < 0) return;
    const before = [...projection?.messages ?? [], ...messages.slice(projection?.coveredCount ?? 0, counted)];
    this.#meter.measure(fixed, this.#outgoing.toOutgoing(before));
    this.#meter.learn(messages[counted]!.context_tokens!);
  }
}
