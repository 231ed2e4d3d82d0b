/** What one request says about reasoning: which fields it carries, and what it sends back of earlier reasoning. */
import type { ProviderSettings } from "../../contract/provider.ts";
import { chooseEffort } from "../effort.ts";
import { type Dialect, type DialectChoice, effortFields } from "./dialects.ts";

export interface ReasoningPlan {
  /** Level that is asked for; undefined leaves it to the endpoint. */
  readonly effort: string | undefined;
  /** False when thinking is switched off. */
  readonly thinks: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly replay: Dialect["replay"];
}

/** Throws for a level the model does not take. */
export function planReasoning(
  settings: ProviderSettings,
  choice: DialectChoice,
  requested: string | undefined,
): ReasoningPlan {
  const { dialect, by } = choice;
  const { effort, thinks } = chooseEffort(settings, choice, requested);
  // Nobody knows this endpoint, but the user knows that it thinks.
  const declared = by === "nothing" && settings.thinking !== undefined;
  return {
    effort,
    thinks,
    fields: {
      ...(declared ? { thinking: { type: settings.thinking } } : {}),
      ...effortFields(dialect, effort),
    },
    replay: !thinks ? "never" : declared ? "calls" : dialect.replay,
  };
}
