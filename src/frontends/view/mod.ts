export { fold } from "./fold.ts";
export type { Item, ItemKind, ItemOf, OpenItem } from "./item.ts";
export {
  type Activity,
  createViewState,
  type ModelFacts,
  type OpenQuestion,
  type RunningJob,
  type UsageTotals,
  type ViewStart,
  type ViewState,
} from "./state.ts";
export { contextTokensOf, itemsOf, type StoredItems, todosOf } from "./stored_items.ts";
export { COMMAND_SUMMARIES, commandSummary } from "./texts/command_summary.ts";
export { createTranslate, type Language, languageOf, type TextKey, type Translate } from "./texts/translate.ts";
export { cacheHitRate } from "./usage_totals.ts";
