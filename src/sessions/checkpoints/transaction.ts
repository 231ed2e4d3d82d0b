/**
 * Going back as a whole or not at all. What is to happen is written down with everything needed to take it back, before
 * anything happens; a program that dies in between is followed by one that takes it back.
 */
import type { CommitOptions, CommitReport, RewindConflict } from "../../contract/checkpoint.ts";
import { removeStaleTemporaries } from "../../lib/atomic_file.ts";
import { errorText } from "../../lib/error_text.ts";
import { dirname } from "../../lib/path.ts";
import { applyStep, inOrder } from "./apply.ts";
import type { Blobs } from "./blobs.ts";
import { isSameEntry, lookAt } from "./entry.ts";
import type { Transaction } from "./ledger.ts";
import type { CheckpointLog } from "./log_file.ts";
import { type DetailedPlan, entryBelow, toChange } from "./plan.ts";
import type { TransactionState, TransactionStep } from "./record.ts";

export interface TransactionContext {
  readonly log: CheckpointLog;
  readonly blobs: Blobs;
  readonly roots: readonly string[];
}

export async function commitPlan(
  plan: DetailedPlan,
  context: TransactionContext,
  options: CommitOptions & { readonly conversation: boolean },
): Promise<CommitReport> {
  const { log } = context;
  const steps = inOrder([...plan.steps, ...(options.force ? plan.forced : [])]);
  const stale = await staleSteps(plan, steps, context);
  if (stale.length > 0) return { outcome: "stale", conflicts: stale };
  const id = `${plan.kind}-${crypto.randomUUID()}`;
  const done: TransactionStep[] = [];
  let begun = false;
  try {
    for (const { path, from } of steps) await keep(path, from, context);
    const { kind, undoes } = plan;
    await log.append([{
      type: "transaction",
      id,
      kind,
      conversation: options.conversation,
      steps,
      ...(undoes === undefined ? {} : { undoes }),
    }], { sync: true });
    begun = true;
    await log.append([state(id, "committing")], { sync: true });
    for (const step of steps) {
      done.push(step);
      await applyStep(step, context);
    }
    options.finish?.(id);
    await log.append([
      state(id, "committed"),
      ...(undoes === undefined ? [] : [state(undoes, "undone")]),
    ], { sync: true });
    return { outcome: "committed", id, changes: steps.map(toChange) };
  } catch (error) {
    const left = await takeBack(done, context);
    // A log that cannot be written says `committing`, and the next start finds nothing left to take back.
    if (begun) await log.append([state(id, "aborted")], { sync: true }).catch(() => {});
    return { outcome: "aborted", text: errorText(error), left };
  }
}

/** After a program that died at it. Answers what the person should know. */
export async function resolveTransaction(
  transaction: Transaction,
  context: TransactionContext,
  options: { readonly conversationIsCut: boolean; readonly isBrought: boolean },
): Promise<string | undefined> {
  const { id, undoes, steps } = transaction;
  const { log } = context;
  if (transaction.state === "prepared") {
    await log.append([state(id, "aborted")], { sync: true });
    return undefined;
  }
  if (options.conversationIsCut) {
    await log.append([state(id, "committed"), ...(undoes === undefined ? [] : [state(undoes, "undone")])], {
      sync: true,
    });
    return undefined;
  }
  if (options.isBrought) {
    await log.append([state(id, "aborted")], { sync: true });
    return "going back to an earlier turn was cut off in this session; since it lies outside of your own, no file was touched";
  }
  for (const folder of new Set(steps.map(({ path }) => dirname(path)))) await removeStaleTemporaries(folder);
  const left = await takeBack(steps, context);
  await log.append([state(id, "aborted")], { sync: true });
  const rest = left.length === 0 ? "" : `; these could not be put back and are as they were found: ${left.join(", ")}`;
  return `going back to an earlier turn was cut off when the program ended; the files are as they were before it${rest}`;
}

async function staleSteps(
  plan: DetailedPlan,
  steps: readonly TransactionStep[],
  { log }: TransactionContext,
): Promise<RewindConflict[]> {
  if (plan.revision !== log.ledger.revision) {
    return [{ kind: "stale_plan", text: "the agent has worked since the plan was made", canForce: false }];
  }
  const stale: RewindConflict[] = [];
  const tracked = new Set(steps.map(({ path }) => path));
  for (const { path, from } of steps) {
    const now = await entryBelow(path, tracked).catch(() => undefined);
    if (now && isSameEntry(now, from)) continue;
    stale.push({ kind: "stale_plan", path, text: `${path} was changed since the plan was made`, canForce: false });
  }
  return stale;
}

/** Saves what a step takes away, so that it can be undone. */
async function keep(path: string, from: TransactionStep["from"], { blobs }: TransactionContext): Promise<void> {
  if (from.kind !== "file" || from.sha256 === undefined || await blobs.has(from.sha256)) return;
  const { bytes, entry } = await lookAt(path);
  if (bytes === undefined || !isSameEntry(entry, from)) throw new Error(`${path} was changed meanwhile`);
  await blobs.put(bytes);
}

/** Answers the paths that are neither as they were nor as they were to be. */
async function takeBack(steps: readonly TransactionStep[], context: TransactionContext): Promise<string[]> {
  const left: string[] = [];
  for (const { path, from, to } of inOrder(steps.map(({ path, from, to }) => ({ path, from: to, to: from })))) {
    try {
      await applyStep({ path, from, to }, context);
    } catch {
      left.push(path);
    }
  }
  return left;
}

function state(id: string, state: TransactionState) {
  return { type: "state", id, state } as const;
}
