/** How things look just now: what every drawn part is handed. Colours, words, and what is shown whole or folded. */
import type { Translate } from "../view/mod.ts";
import type { Theme } from "./theme.ts";

export interface Look {
  readonly theme: Theme;
  readonly t: Translate;
  /** Reasoning is shown, not only named. */
  readonly showReasoning: boolean;
  /** Output of commands is shown whole instead of its end. */
  readonly unfoldOutput: boolean;
  /** Of what an edit changed only the counts are shown. */
  readonly foldDiffs: boolean;
  /** The output of a command that is a diff is shown as one. */
  readonly diffOutput: boolean;
  /** Tokens and cost after each request. */
  readonly showUsage: boolean;
}
