/**
 * Where to fold and what stays word for word. Pure: a plan is made from the transcript and the budgets alone, so the
 * same conversation is always folded the same way.
 */
import type { Message } from "../../contract/message.ts";
import {
  acceptanceLimit,
  type Budgets,
  type ContextSettings,
  SUMMARY_MAX,
  SUMMARY_MIN,
  WORTH_MESSAGES,
  WORTH_TOKENS,
} from "./budgets.ts";
import { cutAtOrBefore, headLength, isCut, isPersonsTurn, openWork } from "./cut.ts";
import { keepFailures, type KeptExchange } from "./failures.ts";
import { keepUserTurns, withoutFullText } from "./user_turns.ts";

export interface PlanInput {
  /** The whole transcript. */
  readonly messages: readonly Message[];
  /** What the projection in force covers; 0 without one. */
  readonly covered: number;
  /** Where the running turn begins; absent between turns. */
  readonly activeTurn?: number;
  readonly budgets: Budgets;
  readonly settings: ContextSettings;
  /** Estimates of the present view, and of what no fold changes: system prompt and tools. */
  readonly sourceTokens: number;
  readonly fixedTokens: number;
  tokensOf(message: Message): number;
  /** As kept turns are counted: never changes within a session. */
  keepTokensOf(message: Message): number;
  readonly wish: FoldWish;
}

export type FoldWish =
  /** As much as the tail allows. */
  | { readonly kind: "old" }
  /** The same with a short tail: the person wants it now, or the endpoint does. */
  | { readonly kind: "most" }
  | { readonly kind: "before"; readonly anchor: number }
  /** From the anchor to the last completed turn. */
  | { readonly kind: "after"; readonly anchor: number };

export interface FoldPlan {
  readonly kind: "fold";
  /** The view will be: head, `before`, the digest, `after`, and the transcript from `cut` on. */
  readonly cut: number;
  readonly head: readonly Message[];
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  /** What the digest speaks of: spans of the transcript. */
  readonly source: readonly Span[];
  /** Cap of the digest, and the largest view that is accepted. Tokens. */
  readonly summaryCap: number;
  readonly limit: number;
  readonly userTurnsKept: number;
  readonly userTurnsDropped: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export type Plan = FoldPlan | {
  readonly kind: "none";
  /** `small`: there is next to nothing to fold. `room`: what must stay leaves no room for a digest. */
  readonly why: "small" | "room";
  /** What would have to stay, digest aside, and the most that may. Tokens. */
  readonly needed: number;
  readonly limit: number;
};

export function planFold(input: PlanInput): Plan {
  const { messages, budgets, fixedTokens, sourceTokens, wish } = input;
  const head = headLength(messages);
  const headTokens = sum(messages, { from: 0, to: head }, input.tokensOf);
  const limit = acceptanceLimit(budgets, { fixed: fixedTokens + headTokens, source: sourceTokens });
  const start = Math.max(input.covered, head);
  const last = lastCut(input, start);
  const fixed = fixedTokens + headTokens;

  if (wish.kind === "before" || wish.kind === "after") {
    const until = wish.kind === "before" ? wish.anchor : input.activeTurn ?? messages.length;
    const cut = cutAtOrBefore(messages, Math.min(until, last));
    const spare = wish.kind === "after" ? { from: start, to: Math.max(start, wish.anchor) } : { from: cut, to: cut };
    const fresh = wish.kind === "after" ? { from: spare.to, to: cut } : { from: start, to: cut };
    if (!isWorthwhile(fresh, input)) return { kind: "none", why: "small", needed: sourceTokens, limit };
    return settle(compose(input, { head, cut, spare }));
  }

  const tokens = suffixSums(input, start);
  const wanted = wish.kind === "old" ? budgets.tail : Math.min(budgets.tail, Math.floor((tokens[0] ?? 0) / 4));
  let cut = earliestCut(wanted);
  if (!isWorthwhile({ from: start, to: cut }, input)) {
    return { kind: "none", why: "small", needed: sourceTokens, limit };
  }
  // A long tail must not leave the digest without room: it gives way, down to what may not be folded.
  const room = Math.min(SUMMARY_MAX, Math.floor(budgets.window / 10));
  let parts = compose(input, { head, cut, spare: { from: cut, to: cut } });
  for (;;) {
    const over = fixed + parts.tokens + tailTokens(cut) + room - limit;
    if (over <= 0 || cut >= last) break;
    const next = earliestCut(Math.max(0, tailTokens(cut) - over));
    cut = next > cut ? next : nextCut(cut);
    parts = compose(input, { head, cut, spare: { from: cut, to: cut } });
  }
  return settle(parts);

  function tailTokens(at: number): number {
    return tokens[at - start] ?? 0;
  }

  /** The longest tail within `budget`, or the shortest that is allowed. */
  function earliestCut(budget: number): number {
    let best = last;
    for (let at = last - 1; at >= start && tailTokens(at) <= budget; at--) if (isCut(messages, at)) best = at;
    return best;
  }

  function nextCut(at: number): number {
    do at++; while (at < last && !isCut(messages, at));
    return Math.min(at, last);
  }

  /** Kept failures give way, oldest first, before a fold fails for them. */
  function settle(parts: Parts): Plan {
    const tail = sum(messages, { from: parts.cut, to: messages.length }, input.tokensOf);
    let { failures } = parts;
    const needed = () => fixed + parts.tokens + tail + failures.reduce((all, one) => all + one.tokens, 0);
    while (needed() + SUMMARY_MIN > limit && failures.length > 0) failures = failures.slice(1);
    const summaryCap = Math.min(SUMMARY_MAX, limit - needed());
    if (summaryCap < SUMMARY_MIN) return { kind: "none", why: "room", needed: needed(), limit };
    const after = [...parts.after, ...failures].sort((a, b) => a.at - b.at);
    return {
      kind: "fold",
      cut: parts.cut,
      head: messages.slice(0, head).map(withoutFullText),
      before: parts.before,
      after: after.flatMap((one) => one.messages),
      source: parts.source,
      summaryCap,
      limit,
      userTurnsKept: parts.kept,
      userTurnsDropped: parts.dropped,
    };
  }
}

/** Up to where a fold may reach: the newest messages and the open work of the running turn stay. */
function lastCut({ messages, activeTurn, budgets }: PlanInput, start: number): number {
  let newest = messages.length;
  for (let left = budgets.recentKeep; newest > start && left > 0; newest--) {
    if (!messages[newest - 1]!.local_only) left--;
  }
  const open = openWork(messages, activeTurn);
  // A turn that has asked for nothing yet is its opening alone.
  const opening = activeTurn !== undefined && open === messages.length ? activeTurn : open;
  return Math.max(start, cutAtOrBefore(messages, Math.min(newest, opening)));
}

function isWorthwhile(fresh: Span, input: PlanInput): boolean {
  let count = 0;
  for (let at = fresh.from; at < fresh.to; at++) if (!input.messages[at]!.local_only) count++;
  const tokens = sum(input.messages, fresh, input.tokensOf);
  // One message alone is worth it when it is a giant: a pasted file must not hold the conversation for ever.
  return tokens >= WORTH_TOKENS && (count >= WORTH_MESSAGES || tokens > input.budgets.tail);
}

interface Placed extends KeptExchange {
  readonly tokens: number;
}

interface Parts {
  readonly cut: number;
  readonly before: readonly Message[];
  readonly after: readonly Placed[];
  readonly failures: readonly Placed[];
  readonly source: readonly Span[];
  /** Of everything that stays but head, failures and tail. */
  readonly tokens: number;
  readonly kept: number;
  readonly dropped: number;
}

/** What stays of the transcript up to `cut`. `spare` stands in the covered part and stays whole. */
function compose(
  input: PlanInput,
  { head, cut, spare }: { readonly head: number; readonly cut: number; readonly spare: Span },
): Parts {
  const { messages, activeTurn, settings, budgets, tokensOf } = input;
  const source = [{ from: head, to: spare.from }, { from: spare.to, to: cut }].filter((span) => span.from < span.to);
  const isActive = (at: number) => activeTurn !== undefined && at >= activeTurn;
  const places: number[] = [];
  const active: number[] = [];
  for (const span of source) {
    for (let at = span.from; at < span.to; at++) {
      if (isPersonsTurn(messages[at]!)) (isActive(at) ? active : places).push(at);
    }
  }
  const turns = keepUserTurns(messages, places, {
    ...budgets,
    keepMarked: settings.keepMarked,
    tokensOf: input.keepTokensOf,
  });
  const place = (at: number, some: readonly Message[]): Placed => ({
    at,
    messages: some,
    tokens: some.reduce((all, message) => all + tokensOf(message), 0),
  });
  const kept = [...turns.kept].map(([at, message]) => place(at, [message]));
  const early = kept.filter(({ at }) => spare.from === spare.to || at < spare.from);
  const after = [...kept.filter((one) => !early.includes(one)), ...active.map((at) => place(at, [stay(at)]))];
  for (let at = spare.from; at < spare.to; at++) {
    if (!messages[at]!.local_only) after.push(place(at, [stay(at)]));
  }
  const failures = settings.keepErrors
    ? source.flatMap(({ from, to }) => keepFailures(messages, Math.max(from, input.covered), to))
    : [];
  return {
    cut,
    before: early.flatMap((one) => one.messages),
    after,
    failures: failures.map(({ at, messages: some }) => place(at, some)),
    source,
    tokens: [...early, ...after].reduce((all, one) => all + one.tokens, 0),
    kept: turns.kept.size + active.length,
    dropped: turns.dropped,
  };

  function stay(at: number): Message {
    return withoutFullText(messages[at]!);
  }
}

/** Entry `i`: tokens from `start + i` to the end. */
function suffixSums({ messages, tokensOf }: PlanInput, start: number): number[] {
  const sums: number[] = new Array(messages.length - start + 1).fill(0);
  for (let at = messages.length - 1; at >= start; at--) {
    const message = messages[at]!;
    sums[at - start] = sums[at - start + 1]! + (message.local_only ? 0 : tokensOf(message));
  }
  return sums;
}

function sum(messages: readonly Message[], span: Span, tokensOf: (message: Message) => number): number {
  let all = 0;
  for (let at = span.from; at < span.to; at++) if (!messages[at]!.local_only) all += tokensOf(messages[at]!);
  return all;
}
