/** The arithmetic of a fold: every size in tokens, every threshold in one place. */

const K = 1024;

/** Where the window is not known, a request of more tokens than this is no use to anybody. */
export const BEYOND_ANY_WINDOW = 20_000_000;

export interface ContextSettings {
  /** `agent.compact_ratio`: above 0 and below 1. */
  readonly ratio: number;
  /** `agent.context_soft_limit_tokens`: folds at this size where that is earlier; 0: off. */
  readonly softLimitTokens: number;
  /** `agent.keep` names `errors`. */
  readonly keepErrors: boolean;
  /** `agent.keep` names `user_marked`. */
  readonly keepMarked: boolean;
  readonly recentKeep: number;
  /** Room for kept user turns; 0: automatic. */
  readonly userTurnTokens: number;
  readonly firstTurnTokens: number;
  /** Largest share of the window a folded view may fill. */
  readonly ceilingRatio: number;
}

export const CONTEXT_DEFAULTS: ContextSettings = {
  ratio: 0.9,
  softLimitTokens: 0,
  keepErrors: true,
  keepMarked: true,
  recentKeep: 2,
  userTurnTokens: 0,
  firstTurnTokens: 1500,
  ceilingRatio: 0.5,
};

export interface Budgets {
  readonly window: number;
  /** A view of this size or more is folded. */
  readonly trigger: number;
  /** A view of this size or more is not sent. */
  readonly hardCeiling: number;
  /** A folded view is at most this large. */
  readonly acceptance: number;
  readonly tail: number;
  /** One kept user turn. */
  readonly userTurn: number;
  /** All kept user turns together. */
  readonly userTurns: number;
  /** All marked user turns together. */
  readonly marked: number;
  readonly firstTurn: number;
  /** Newest messages that stay, whatever their size. */
  readonly recentKeep: number;
}

export const SUMMARY_MAX = 16 * K;
/** A summary with less room than this is not asked for. */
export const SUMMARY_MIN = 256;
/** Fewer messages or tokens are not worth a fold. */
export const WORTH_MESSAGES = 2;
export const WORTH_TOKENS = 100;
/** Shares of the trigger at which the model is told how full the context is. */
export const NOTICE_LEVELS = [0.75, 0.92] as const;

/** The output ceiling of a turn (`max_output_tokens`) has no part in any of this. */
export function budgetsFor(window: number, settings: ContextSettings): Budgets {
  const byRatio = share(window, settings.ratio);
  const trigger = settings.softLimitTokens > 0 ? Math.min(byRatio, settings.softLimitTokens) : byRatio;
  return {
    window,
    trigger,
    hardCeiling: window - 256,
    acceptance: share(window, Math.min(settings.ceilingRatio, 0.5)),
    tail: tailBudget(window, trigger),
    userTurn: 1500,
    userTurns: settings.userTurnTokens > 0 ? settings.userTurnTokens : Math.min(8 * K, share(window, 0.05)),
    marked: share(window, 0.15),
    firstTurn: Math.min(settings.firstTurnTokens, share(window, 0.15)),
    recentKeep: Math.max(2, settings.recentKeep),
  };
}

function tailBudget(window: number, trigger: number): number {
  const floor = window < 64 * K ? 0 : 32 * K;
  const clamped = Math.min(Math.max(share(window, 0.1), floor), 96 * K);
  return Math.min(clamped, Math.floor(window / 2), Math.floor(trigger / 2));
}

/** `floor(whole × part)` as people reckon it: 29 % of 100 is 29, whatever binary fractions make of it. */
export function share(whole: number, part: number): number {
  return Math.floor(Number((whole * part).toPrecision(14)));
}

/**
 * The largest view that a fold may leave behind. Where what never changes already fills more than the acceptance allows,
 * a fold still pays when it frees a quarter of the window.
 */
export function acceptanceLimit(budgets: Budgets, sizes: { readonly fixed: number; readonly source: number }): number {
  const below = Math.min(budgets.trigger, sizes.source) - 1;
  if (sizes.fixed <= budgets.acceptance) return Math.min(budgets.acceptance, below);
  return Math.min(below, sizes.source - Math.ceil(budgets.window / 4));
}
