/** What the open session has used since it was opened, added up from its events. */
import type { Event } from "../../contract/event.ts";

export interface ModelTotals {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of the input tokens whose endpoint tells of its cache. */
  readonly cacheKnownTokens: number;
  readonly cacheHitTokens: number;
  /** By currency. */
  readonly cost: Readonly<Record<string, number>>;
  /** Answers without a price. */
  readonly unpriced: number;
  /** Requests that did not extend the one before. */
  readonly prefixBreaks: number;
}

const NOTHING: ModelTotals = {
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  cacheKnownTokens: 0,
  cacheHitTokens: 0,
  cost: {},
  unpriced: 0,
  prefixBreaks: 0,
};

export class SessionTotals {
  readonly #byModel = new Map<string, ModelTotals>();
  #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  /** Models in the order they were first used. */
  get byModel(): ReadonlyMap<string, ModelTotals> {
    return this.#byModel;
  }

  add(event: Event): void {
    if (event.kind === "session_opened") this.#byModel.clear();
    if (event.kind === "session_opened" || event.kind === "model_changed") this.#model = event.model;
    if (event.kind !== "usage") return;
    const sum = this.#byModel.get(this.#model) ?? NOTHING;
    const { cost, cacheHitTokens: hit } = event;
    this.#byModel.set(this.#model, {
      requests: sum.requests + event.requestAttempts,
      promptTokens: sum.promptTokens + event.promptTokens,
      completionTokens: sum.completionTokens + event.completionTokens,
      cacheKnownTokens: sum.cacheKnownTokens + (hit === undefined ? 0 : event.promptTokens),
      cacheHitTokens: sum.cacheHitTokens + (hit ?? 0),
      cost: cost ? { ...sum.cost, [cost.currency]: (sum.cost[cost.currency] ?? 0) + cost.amount } : sum.cost,
      unpriced: sum.unpriced + (cost ? 0 : 1),
      prefixBreaks: sum.prefixBreaks + (event.cacheDiagnostics.prefixChanged ? 1 : 0),
    });
  }
}
