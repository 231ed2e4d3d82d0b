/**
 * Which of the person's turns stay word for word when the part they stand in is folded. Decided from the whole covered
 * transcript each time, so a turn that was kept once is not lost to a later fold.
 */
import type { Message } from "../../contract/message.ts";
import { isPersonsTurn } from "./cut.ts";

export interface TurnRules {
  readonly firstTurn: number;
  readonly userTurn: number;
  readonly userTurns: number;
  readonly marked: number;
  readonly keepMarked: boolean;
  /** Tokens of a message in the form it would be kept in. */
  tokensOf(message: Message): number;
}

export interface KeptTurns {
  /** Place in the transcript -> the form that stays. In order. */
  readonly kept: ReadonlyMap<number, Message>;
  readonly dropped: number;
}

const MARK = /^\s*(?:\[\[keep\]\]|\[keep\]|<keep>|<!--\s*keep\s*-->)/i;

/** The person asked for this turn to be held. */
export function isMarked(message: Message): boolean {
  return MARK.test(message.raw_content ?? message.content ?? "");
}

/** `places`: where the folded person's turns stand, oldest first. */
export function keepUserTurns(messages: readonly Message[], places: readonly number[], rules: TurnRules): KeptTurns {
  const kept = new Map<number, Message>();
  const firstTurn = messages.findIndex(isPersonsTurn);
  if (places[0] === firstTurn) {
    const first = messages[firstTurn]!;
    const form = [withoutFullText(first), inOwnWords(first)].find((one) => rules.tokensOf(one) <= rules.firstTurn);
    if (form !== undefined) kept.set(firstTurn, form);
  }
  const rest = places.filter((at) => !kept.has(at));
  const marked = rest.filter((at) => rules.keepMarked && isMarked(messages[at]!));
  const plain = rest.filter((at) => !marked.includes(at));
  spend(marked.reverse(), rules.marked, Infinity);
  spend(plain, rules.userTurns, rules.userTurn);
  return {
    kept: new Map([...kept].sort(([a], [b]) => a - b)),
    dropped: places.length - kept.size,
  };

  /** What does not fit any more is passed over; a smaller one behind it may still fit. */
  function spend(order: readonly number[], budget: number, each: number): void {
    for (const at of order) {
      const form = inOwnWords(messages[at]!);
      const tokens = rules.tokensOf(form);
      if (tokens > each || tokens > budget) continue;
      budget -= tokens;
      kept.set(at, form);
    }
  }
}

/** Without what the host put around the words for that one moment. */
function inOwnWords(message: Message): Message {
  if (message.raw_content === undefined) return message;
  const { raw_content, ...rest } = message;
  return { ...rest, content: raw_content };
}

/** The form of a message in a projection: what the model saw, and the execution record, but no full text. */
export function withoutFullText(message: Message): Message {
  if (message.raw_content === undefined) return message;
  const { raw_content: _, ...rest } = message;
  return rest;
}
