/**
 * Going back to before a turn: its files, the conversation, or both, planned first and then done as one. Between turns
 * only; the caller sees to that.
 */
import type { CodePlan, RewindChange, RewindConflict, TurnBoundary, TurnCheckpoint } from "../contract/checkpoint.ts";
import { ReasonixError } from "../contract/errors.ts";
import type { EventBody } from "../contract/event.ts";
import type { Intent } from "../contract/intent.ts";
import type { Message } from "../contract/message.ts";
import { plural } from "../lib/plural.ts";
import type { Runtime } from "./runtime.ts";

export type RewindOrder = Omit<Extract<Intent, { kind: "rewind" }>, "kind">;

export type RewindScope = RewindOrder["scope"];

/** What is told of it. What the conversation holds then is added by whoever reads it anew. */
export type RewindReport = Omit<Extract<EventBody, { kind: "rewound" }>, "kind" | "todos" | "contextTokens">;

export interface Turn extends TurnBoundary {
  /** From 1, among the turns of the conversation in force. */
  readonly number: number;
  /** The person's words, whole. */
  readonly prompt: string;
}

/** The turns of a conversation: what the person said but for guidance within a turn. */
export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== "user" || message.host_authored || message.local_only || message.steer) continue;
    turns.push({
      number: turns.length + 1,
      message: at,
      at: message.createdAt ?? 0,
      prompt: message.raw_content ?? message.content ?? "",
    });
  }
  return turns;
}

export type ListedTurn = Turn & Pick<TurnCheckpoint, "files" | "coverage">;

export async function listTurns({ transcript, checkpoints }: Runtime): Promise<readonly ListedTurn[]> {
  const turns = turnsOf(transcript.messages);
  const saved = await checkpoints.describe(turns);
  return turns.map((turn, at) => ({ ...turn, ...saved[at]! }));
}

/** Throws `rewind.no_turn`. */
export function findTurn({ transcript }: Runtime, number: number): Turn {
  const turns = turnsOf(transcript.messages);
  const turn = turns[number - 1];
  if (turn) return turn;
  const there = turns.length === 0 ? "there are none yet" : `there are ${turns.length}`;
  throw new ReasonixError("rewind.no_turn", `this conversation has no turn ${number}; ${there}`);
}

export async function planRewind(runtime: Runtime, { turn, scope, path }: RewindOrder): Promise<CodePlan> {
  const boundary = findTurn(runtime, turn);
  return await runtime.checkpoints.plan(scope === "conversation" ? undefined : boundary, path ? { path } : {});
}

/** Throws `rewind.*` and then has changed nothing. */
export async function rewind(runtime: Runtime, order: RewindOrder): Promise<RewindReport> {
  const { turn: number, scope, force = false } = order;
  const { transcript } = runtime;
  const turn = findTurn(runtime, number);
  const plan = await planRewind(runtime, order);
  const cuts = scope !== "code";
  const done = await commit(runtime, plan, {
    force,
    ...(cuts ? { finish: (id) => transcript.rewind(turn.message, { id }) } : {}),
  });
  if (cuts) await transcript.sync();
  const left = plan.conflicts.filter(({ path }) => path !== undefined && !done.some((one) => one.path === path));
  return {
    scope,
    turn: number,
    text: `Back to before turn ${number}: ${describe(done, left, { scope })}.`,
    changes: done,
    conflicts: left,
    ...(cuts ? { prompt: turn.prompt } : {}),
    messages: transcript.messages.length,
  };
}

/** Takes the last going back back. Throws `rewind.*`. */
export async function undoRewind(runtime: Runtime): Promise<RewindReport> {
  const { checkpoints, transcript } = runtime;
  const last = await checkpoints.undoable();
  const plan = await checkpoints.planUndo();
  if (last === undefined || plan === undefined) {
    throw new ReasonixError(
      "rewind.nothing_to_undo",
      "there is nothing to take back: no rewind, or work has gone on since",
    );
  }
  const changes = await commit(runtime, plan, {
    ...(last.conversation ? { finish: (id) => restore(transcript, id) } : {}),
  });
  if (last.conversation) await transcript.sync();
  const text = `Took the rewind back: ${
    describe(changes, plan.conflicts, { scope: last.conversation ? "both" : "code" })
  }.`;
  return { scope: "undo", text, changes, conflicts: plan.conflicts, messages: transcript.messages.length };
}

function restore(transcript: Runtime["transcript"], id: string): void {
  if (transcript.undoRewind({ id })) return;
  throw new Error("the conversation has gone on since it was cut");
}

function describe(
  changes: readonly RewindChange[],
  left: readonly RewindConflict[],
  { scope }: { readonly scope: RewindScope },
): string {
  const files = changes.filter(({ action }) => !action.endsWith("folder"));
  const removed = files.filter(({ action }) => action === "remove").length;
  const parts = [
    ...(scope === "code" ? [] : ["the conversation"]),
    ...(scope === "conversation" ? [] : [`${plural(files.length - removed, "file")} restored`]),
    ...(removed > 0 ? [`${plural(removed, "file")} removed`] : []),
    ...(left.length > 0 ? [`${plural(left.length, "file")} left as found`] : []),
  ];
  return parts.join(", ");
}

async function commit(
  { checkpoints }: Runtime,
  plan: CodePlan,
  options: Parameters<Runtime["checkpoints"]["commit"]>[1],
): Promise<readonly RewindChange[]> {
  const report = await checkpoints.commit(plan, options);
  if (report.outcome === "committed") return report.changes;
  if (report.outcome === "stale") {
    const why = report.conflicts.map(({ text }) => text).join("; ");
    throw new ReasonixError("rewind.stale", `nothing was changed: ${why}`, { retry: true });
  }
  const left = report.left.length === 0 ? "" : `; these could not be put back: ${report.left.join(", ")}`;
  throw new ReasonixError("rewind.failed", `nothing was changed: ${report.text}${left}`);
}
