/**
 * How many tokens a request is taken to have: the endpoint's own last count plus an estimate of what came since. Each
 * message is sized once and the sum is carried on, so that a round costs what is new in it.
 */
import type { Message } from "../../contract/message.ts";
import type { ToolSchema } from "../../contract/tool.ts";

const START_FACTOR = 0.25;
const LEAST_FACTOR = 0.05;
const MOST_FACTOR = 2;
/** What a message costs beside its text. Characters. */
const FRAME = 16;
/** An image is not counted by the length of its address. Characters. */
const IMAGE = 4800;

/** Everything of a request that is not a message. */
export interface FixedPart {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
}

interface Measured {
  readonly count: number;
  readonly last: Message | undefined;
  readonly chars: number;
  readonly fixed: number;
}

const NOTHING: Measured = { count: 0, last: undefined, chars: 0, fixed: 0 };

export class TokenMeter {
  /** Tokens a character. */
  #factor = START_FACTOR;
  readonly #sizes = new WeakMap<Message, number>();
  readonly #toolSizes = new WeakMap<readonly ToolSchema[], number>();
  #measured: Measured = NOTHING;
  /** A request the endpoint has counted: the present one extends it. */
  #counted: { readonly chars: number; readonly tokens: number } | undefined;

  get factor(): number {
    return this.#factor;
  }

  /** The next request is another view, and owes nothing to the count of this one. The rate stays. */
  forget(): void {
    this.#measured = NOTHING;
    this.#counted = undefined;
  }

  /** Size of a request that extends the one measured before, or of a new one. */
  measure(fixed: FixedPart, messages: readonly Message[]): number {
    const before = this.#measured;
    const fixedChars = this.fixedChars(fixed);
    const extended = before.fixed === fixedChars && before.count <= messages.length &&
      (before.count === 0 || messages[before.count - 1] === before.last);
    if (!extended) this.#counted = undefined;
    let chars = extended && before.count > 0 ? before.chars : fixedChars;
    for (let i = extended ? before.count : 0; i < messages.length; i++) chars += this.charsOf(messages[i]!);
    this.#measured = { count: messages.length, last: messages.at(-1), chars, fixed: fixedChars };
    return this.#estimate(chars);
  }

  /** The endpoint counted the request measured last. */
  learn(tokens: number): void {
    const { chars } = this.#measured;
    if (tokens <= 0 || chars === 0) return;
    this.#factor = Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, tokens / chars));
    this.#counted = { chars, tokens };
  }

  tokensOf(message: Message): number {
    return this.toTokens(this.charsOf(message));
  }

  sum(messages: readonly Message[]): number {
    return this.toTokens(messages.reduce((chars, message) => chars + this.charsOf(message), 0));
  }

  toTokens(chars: number, factor = this.#factor): number {
    return Math.ceil(chars * factor);
  }

  fixedTokens(fixed: FixedPart): number {
    return this.toTokens(this.fixedChars(fixed));
  }

  fixedChars(fixed: FixedPart): number {
    let tools = this.#toolSizes.get(fixed.tools);
    if (tools === undefined) {
      tools = fixed.tools.length === 0 ? 0 : JSON.stringify(fixed.tools).length;
      this.#toolSizes.set(fixed.tools, tools);
    }
    return fixed.system.length + tools;
  }

  charsOf(message: Message): number {
    let chars = this.#sizes.get(message);
    if (chars === undefined) {
      chars = sizeOf(message);
      this.#sizes.set(message, chars);
    }
    return chars;
  }

  #estimate(chars: number): number {
    const counted = this.#counted;
    if (counted === undefined) return this.toTokens(chars);
    return counted.tokens + this.toTokens(chars - counted.chars);
  }
}

function sizeOf(message: Message): number {
  let chars = FRAME + (message.content?.length ?? 0) + (message.images?.length ?? 0) * IMAGE;
  // Reasoning goes back to the endpoint with the calls it led to.
  if (message.tool_calls?.length) chars += message.reasoning_content?.length ?? 0;
  for (const call of message.tool_calls ?? []) chars += FRAME + call.name.length + call.arguments.length;
  return chars;
}
