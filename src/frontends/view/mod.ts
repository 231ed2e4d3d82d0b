/** What a session looks like to people: events folded into one value, and the words for it. No screen is known here. */
export { fold } from "./fold.ts";
export type { Item, ItemOf } from "./item.ts";
export { createViewState, type OpenQuestion, type ViewState } from "./state.ts";
export { contextTokensOf, itemsOf, todosOf } from "./stored_items.ts";
export { COMMAND_SUMMARIES, commandSummary } from "./texts/command_summary.ts";
export { createTranslate, type Language, languageOf, type TextKey, type Translate } from "./texts/translate.ts";
export { cacheHitRate } from "./usage_totals.ts";
