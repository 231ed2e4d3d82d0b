/** What one request says about reasoning: which fields it carries, and what it sends back of earlier reasoning. */
import type { ProviderSettings } from "../../contract/provider.ts";
import { resolveEffort } from "../effort.ts";
import { type Dialect, type DialectChoice, effortFields, levelsOf } from "./dialects.ts";

export interface ReasoningPlan {
  /** Level that is asked for; undefined leaves it to the endpoint. */
  readonly effort: string | undefined;
  /** False when thinking is switched off. */
  readonly thinks: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly replay: Dialect["replay"];
}

/**
 * Throws for a level the model does not take. The request's own level wins; then a provider that switches thinking
 * off, the provider's level, its default, and last the vendor's default, where the vendor is certain.
 */
export function planReasoning(
  settings: ProviderSettings,
  choice: DialectChoice,
  requested: string | undefined,
): ReasoningPlan {
  const { dialect, by } = choice;
  const known = levelsOf(dialect, settings.supportedEfforts);
  const offered = (level: string | undefined) =>
    level !== undefined && known?.levels.includes(level) ? level : undefined;
  const switchedOff = settings.thinking === "disabled";
  const chosen = requested || (switchedOff ? offered("disabled") : undefined) || settings.effort ||
    offered(settings.thinking) || settings.defaultEffort ||
    (by === "family" || switchedOff ? undefined : dialect.defaultEffort);
  const effort = resolveEffort(chosen, { known, provider: settings.name, model: settings.model });
  const thinks = effort === undefined ? !switchedOff : effort !== "disabled" && effort !== "none";
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
