/** What a program that died left of its last turn, read off the transcript and the journal of the run. */
import type { InterruptedTurn, Message, ToolCall } from "../contract/message.ts";
import { stands } from "./journal/evidence.ts";
import { toJournalId } from "./journal/record.ts";
import type { JournalCall, JournalState } from "./journal/state.ts";
import type { InFlightTurn } from "./meta.ts";

export interface KnownOfTurn {
  /** The turn that was running, where that was written down. */
  readonly inFlight?: InFlightTurn;
  readonly journal?: JournalState;
}

/**
 * With a marker the turn it names was running. Without one the journal or the shape of the end tells: an answer is owed.
 * Undefined as well when the turn stored nothing and called nothing, or stored its own record of how it ended.
 */
export function findInterrupted(messages: readonly Message[], known: KnownOfTurn): InterruptedTurn | undefined {
  const last = messages.at(-1);
  if (last === undefined || last.interrupted_turn !== undefined) return undefined;
  const run = openRun(known);
  let start: number;
  if (known.inFlight !== undefined) start = known.inFlight.startMessageIndex;
  else if (!owesAnswer(messages) && run === undefined) return undefined;
  else start = messages.findLastIndex((message) => message.role === "user" && !message.host_authored && !message.steer);
  if (start < 0 || (start >= messages.length && !run?.calls.size)) return undefined;
  return toInterruptedTurn(messages.slice(start), run && known.journal);
}

/** What the journal knows of the turn in question, and not of an earlier one. */
function openRun({ journal, inFlight }: KnownOfTurn): JournalState["turn"] {
  const turn = journal?.turn;
  return inFlight === undefined || turn?.id === inFlight.id ? turn : undefined;
}

function owesAnswer(messages: readonly Message[]): boolean {
  const last = messages.findLast((message) => !message.local_only && message.role !== "system");
  if (last === undefined) return false;
  return last.role === "assistant" ? (last.tool_calls?.length ?? 0) > 0 : last.host_authored !== true;
}

type Fate = "completed" | "interrupted" | "harmless";

function toInterruptedTurn(turn: readonly Message[], journal: JournalState | undefined): InterruptedTurn {
  const results = new Map(
    turn.filter((message) => message.role === "tool").map((result) => [result.tool_call_id, result]),
  );
  const run = journal?.turn?.calls;
  const begun = ({ id }: ToolCall) => run?.get(toJournalId(id));
  const stored = turn.flatMap((message) => message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: begun(call)?.name ?? call.name,
    fate: fateOf(results.get(call.id), run && { call: begun(call) }),
    files: results.get(call.id)?.tool_execution?.paths_written ?? [],
  }));
  const known = new Set(stored.map(({ id }) => toJournalId(id)));
  const lost = [...run?.values() ?? []].filter(({ id }) => !known.has(id)).map((call) => ({
    id: call.id,
    name: call.name,
    fate: fateOf(undefined, { call }),
    files: [],
  }));
  const calls = [...stored, ...lost];
  const named = (fate: Fate) => calls.filter((call) => call.fate === fate).map(({ id, name }) => ({ id, name }));
  const checks = journal ? checksOf(journal, (id) => results.get(id)?.tool_execution?.verifies) : [];
  return {
    reason: "pending",
    detail: "the program ended while the turn was running",
    completed_tools: calls.filter(({ fate }) => fate === "completed").map(({ id, name, files }) => ({
      id,
      name,
      files,
    })),
    interrupted_tools: named("interrupted"),
    ...(named("harmless").length > 0 ? { harmless_tools: named("harmless") } : {}),
    ...(checks.length > 0 ? { checks } : {}),
    dropped_partial_text: false,
  };
}

/** `journal`: what it says of the call; absent where there is none for this turn. */
function fateOf(result: Message | undefined, journal: { readonly call?: JournalCall } | undefined): Fate {
  if (result) return result.tool_execution?.state === "cancelled" ? "interrupted" : "completed";
  if (journal === undefined) return "interrupted";
  const { call } = journal;
  if (call?.end) return call.end.outcome === "cancelled" ? "interrupted" : "completed";
  return call?.writer ? "interrupted" : "harmless";
}

function checksOf(
  journal: JournalState,
  whatOf: (call: string) => string | undefined,
): NonNullable<InterruptedTurn["checks"]> {
  const ledger = journal.ledgerAtEnd;
  return ledger.evidence.flatMap((evidence) => {
    const call = journal.turn?.calls.get(evidence.call);
    return call ? [{ what: whatOf(call.id) ?? call.name, stands: stands(ledger, evidence) }] : [];
  });
}
