/** The ceiling of an answer in tokens. It is cut to what is left of the window when it is sent, no earlier. */

export interface OutputLimitOptions {
  /** The request's own ceiling, else the provider's: 0 automatic, negative none. */
  readonly wanted: number;
  /** Used for 0; undefined leaves the field out, where nobody knows what the endpoint allows. */
  readonly automatic: number | undefined;
  /** Tokens of the whole window; 0 unknown. */
  readonly contextWindow: number;
  readonly promptTokens: number;
}

/** Automatic ceilings: for a plain answer, for one with reasoning, for one with much of it. */
export function automaticLimit(reasoning: { readonly thinks: boolean; readonly effort: string | undefined }): number {
  if (!reasoning.thinks) return 16 * 1024;
  return reasoning.effort === "high" || reasoning.effort === "max" ? 64 * 1024 : 32 * 1024;
}

/** Less than this is no answer; the endpoint then says itself that the input is too long. */
const LEAST = 1024;

export function outputLimit(options: OutputLimitOptions): number | undefined {
  if (options.wanted < 0) return undefined;
  const limit = options.wanted > 0 ? options.wanted : options.automatic;
  if (limit === undefined || options.contextWindow <= 0) return limit;
  const left = options.contextWindow - options.promptTokens;
  return limit <= left ? limit : Math.min(limit, Math.max(LEAST, left));
}

/** How many tokens a body has, learned from what the endpoint counts. */
export interface PromptMeter {
  tokens(textBytes: number): number;
  learn(textBytes: number, tokens: number): void;
}

export function createPromptMeter(): PromptMeter {
  // Cautious until the endpoint has counted once: code has few characters in a token.
  let tokensPerByte = 0.3;
  return {
    tokens: (textBytes) => Math.ceil(textBytes * tokensPerByte),
    learn(textBytes, tokens) {
      if (tokens > 0 && textBytes > 0) tokensPerByte = tokens / textBytes;
    },
  };
}
