/** What one request says about thinking: which fields it carries, and what it sends back of earlier thinking. */
import type { Message } from "../../contract/message.ts";
import type { ModelRequest, ProviderSettings } from "../../contract/provider.ts";
import { chooseEffort } from "../effort.ts";
import type { DialectChoice } from "./dialects.ts";

/** `unsigned_if_any`: the vendor is a guess, so that nothing is made up where there was no reasoning. */
export type Replay = "never" | "signed" | "unsigned" | "unsigned_if_any";

export interface ThinkingPlan {
  readonly effort: string | undefined;
  /** The answer may hold thinking. */
  readonly thinks: boolean;
  readonly replay: Replay;
  /** Fields of the body for an answer of `limit` tokens at most. */
  fields(limit: number): Readonly<Record<string, unknown>>;
}

/** An answer needs some room beside its thinking. */
const LEAST_ANSWER = 1024;
/** The protocol's least. */
const LEAST_BUDGET = 1024;

/** Throws for a level the model does not take. */
export function planThinking(
  settings: ProviderSettings,
  choice: DialectChoice,
  request: ModelRequest,
): ThinkingPlan {
  const { dialect, by } = choice;
  const { effort, thinks } = chooseEffort(settings, choice, request.effort);
  const level = effort === "none" ? "disabled" : effort;
  const wanted = settings.thinking === "enabled" || settings.thinking === "adaptive";

  if (dialect.budgets) {
    // These models refuse a tool turn that goes on without the thinking it began with.
    const budget = level === undefined ? wanted ? dialect.budgets.medium : undefined : dialect.budgets[level];
    const on = thinks && budget !== undefined && canThinkOn(request.messages, `${settings.name}/${settings.model}`);
    return {
      effort: level,
      thinks: on,
      replay: on ? "signed" : "never",
      fields: (limit) => {
        const tokens = Math.min(budget ?? 0, limit - LEAST_ANSWER);
        return on && tokens >= LEAST_BUDGET ? { thinking: { type: "enabled", budget_tokens: tokens } } : {};
      },
    };
  }

  const fields = level === undefined
    ? settings.thinking === undefined
      ? {}
      : wanted && dialect.thinking
      ? dialect.thinking
      : thinks || dialect.thinksUnasked !== "no"
      ? { thinking: { type: settings.thinking } }
      : {}
    : dialect.efforts?.[level] ?? { output_config: { effort: level } };
  const asked = Object.keys(fields).length > 0;
  const on = thinks && (asked || dialect.thinksUnasked !== "no");
  return {
    effort: level,
    thinks: thinks && (asked || dialect.thinksUnasked === "yes"),
    replay: !on ? "never" : dialect.replay === "signed" ? "signed" : by === "family" ? "unsigned_if_any" : "unsigned",
    fields: () => fields,
  };
}

/** False inside a round of tool calls that was begun by another model, or without thinking. */
function canThinkOn(messages: readonly Message[], modelRef: string): boolean {
  if (messages.at(-1)?.role !== "tool") return true;
  const asking = messages.findLast((message) => message.role === "assistant");
  return asking === undefined || (asking.modelRef === modelRef && asking.reasoning_signature !== undefined);
}
