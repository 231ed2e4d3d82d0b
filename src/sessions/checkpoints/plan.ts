/** What it would take to go back, and what stands in the way. Looks at the disk, changes nothing. */
import type { CodePlan, ConflictKind, CoverageGap, RewindChange, RewindConflict } from "../../contract/checkpoint.ts";
import { errorText } from "../../lib/error_text.ts";
import { dirname, isInside } from "../../lib/path.ts";
import type { Blobs } from "./blobs.ts";
import { ABSENT, type Entry, isSameContent, isSameEntry, kindAt, lookAt, modeOf } from "./entry.ts";
import type { Ledger, SavedFile } from "./ledger.ts";
import type { TransactionKind, TransactionStep } from "./record.ts";

/** A plan as this folder knows it: what `commit` needs beside what people see. */
export interface DetailedPlan extends CodePlan {
  readonly kind: TransactionKind;
  /** Of the ledger when it was made. */
  readonly revision: number;
  readonly steps: readonly TransactionStep[];
  /** For files that conflict and may be forced. */
  readonly forced: readonly TransactionStep[];
  readonly undoes?: string;
}

export interface PlanContext {
  readonly ledger: Ledger;
  readonly blobs: Blobs;
  readonly roots: readonly string[];
  running(): readonly string[];
}

interface Goal extends SavedFile {
  readonly path: string;
  /** Its content may be gone for its age. */
  readonly expired: boolean;
}

/** Back to before the checkpoint at place `from`. */
export async function planRewind(
  from: number,
  context: PlanContext,
  options: { readonly path?: string } = {},
): Promise<DetailedPlan> {
  const { ledger } = context;
  const goals = new Map<string, Goal>();
  const gaps: CoverageGap[] = [];
  for (const [at, checkpoint] of ledger.checkpoints.entries()) {
    if (at < from) continue;
    const expired = at < ledger.expired;
    for (const [path, saved] of checkpoint.files) {
      if (options.path !== undefined && !isInside(path, options.path)) continue;
      if (!goals.has(path)) goals.set(path, { path, ...saved, expired });
    }
    for (const gap of checkpoint.gaps) {
      if (!gaps.some((one) => one.reason === gap.reason && one.subject === gap.subject)) gaps.push(gap);
    }
  }
  const kind = options.path === undefined ? "rewind" : "file_revert";
  const plan = await settle([...goals.values()], context, (path) => ledger.left(path));
  const legacy: RewindConflict[] = ledger.hasForeign
    ? [{
      kind: "legacy_unverified",
      text: "part of what was saved was written by another version; whether it is all cannot be told",
      canForce: false,
    }]
    : [];
  return { ...plan, conflicts: [...legacy, ...plan.conflicts], kind, gaps };
}

/** Takes back what a transaction did, where nobody has touched it since. */
export async function planUndo(
  transaction: { readonly id: string; readonly steps: readonly TransactionStep[] },
  context: PlanContext,
): Promise<DetailedPlan> {
  const goals = transaction.steps.map(({ path, from }) => ({ path, before: from, expired: false }));
  const left = new Map(transaction.steps.map(({ path, to }) => [path, to]));
  const plan = await settle(goals, context, (path) => left.get(path));
  return { ...plan, kind: "undo", gaps: [], undoes: transaction.id };
}

async function settle(
  goals: readonly Goal[],
  context: PlanContext,
  leftAt: (path: string) => Entry | undefined,
): Promise<Pick<DetailedPlan, "changes" | "conflicts" | "steps" | "forced" | "revision">> {
  const steps: TransactionStep[] = [];
  const forced: TransactionStep[] = [];
  const conflicts: RewindConflict[] = [];
  const tracked = new Set(goals.map(({ path }) => path));
  const folders = new Set(goals.filter(({ before }) => before.kind === "folder").map(({ path }) => path));
  for (const goal of goals) {
    const { path, before: to } = goal;
    const judged = await judge(goal, { ...context, tracked, folders }, leftAt(path));
    if (judged.kind === "same") continue;
    const step = { path, from: judged.from ?? ABSENT, to };
    if (judged.kind === "change") steps.push(step);
    else {
      conflicts.push(judged.conflict);
      if (judged.conflict.canForce) forced.push(step);
    }
  }
  const jobs = steps.length + forced.length > 0 ? context.running() : [];
  for (const job of jobs) {
    conflicts.push({ kind: "active_writer", text: `${job} runs in the background and may write`, canForce: false });
  }
  return {
    changes: steps.map(toChange),
    conflicts,
    steps,
    forced,
    revision: context.ledger.revision,
  };
}

type Judged =
  | { readonly kind: "same"; readonly from?: undefined }
  | { readonly kind: "change"; readonly from: Entry }
  | { readonly kind: "conflict"; readonly from?: Entry; readonly conflict: RewindConflict };

async function judge(
  goal: Goal,
  { ledger, blobs, roots, tracked, folders }: PlanContext & {
    /** Paths of all goals, and of those that are to be folders. */
    readonly tracked: ReadonlySet<string>;
    readonly folders: ReadonlySet<string>;
  },
  left: Entry | undefined,
): Promise<Judged> {
  const { path, before: to } = goal;
  const no = (kind: ConflictKind, text: string, more: { readonly from?: Entry; readonly canForce?: boolean } = {}) =>
    ({
      kind: "conflict",
      ...(more.from ? { from: more.from } : {}),
      conflict: { kind, path, text: `${path} ${text}`, canForce: more.canForce ?? false },
    }) as const;
  let now: Entry;
  try {
    now = await entryBelow(path, tracked);
  } catch (error) {
    return no("path_unsafe", `cannot be looked at: ${errorText(error)}`);
  }
  if (isSameEntry(now, to)) return { kind: "same" };
  const unsafe = await unsafeReason(path, roots, folders);
  if (unsafe !== undefined) return no("path_unsafe", unsafe);
  if (goal.unsaved !== undefined) {
    return no("missing_payload", `was not saved before it was changed (${goal.unsaved.replaceAll("_", " ")})`);
  }
  if (to.kind === "file" && !isSameContent(now, to) && (to.sha256 === undefined || !await blobs.has(to.sha256))) {
    return goal.expired
      ? no("expired_payload", "was saved too long ago; its content is gone")
      : no("missing_payload", "was saved, but the saved content is gone");
  }
  if (now.kind === "other") return no("type_change", "is no file any more");
  if (left !== undefined && isSameEntry(now, left)) return { kind: "change", from: now };
  // A folder that something else was put in stays; nobody's work is in its own bits.
  if (now.kind === "folder" && (to.kind === "absent" || to.kind === "folder") && left?.kind === "folder") {
    return { kind: "change", from: now };
  }
  if (left === undefined) {
    return no("boundary_invalid", "was saved, but what became of it was not written down", forceable(now));
  }
  if (left.kind === "absent") {
    return no("deleted_and_recreated", "was removed by the agent and is there again", forceable(now));
  }
  const other = ledger.otherWriterSince(path);
  if (now.kind === "absent") {
    const who = other ? "a command or somebody else" : "somebody";
    return no(
      other ? "external_change" : "manual_edit",
      `was removed by ${who} since the agent wrote it`,
      forceable(now),
    );
  }
  if (now.kind !== left.kind) return no("type_change", `is a ${now.kind} now and was a ${left.kind}`, forceable(now));
  if (isSameContent(now, left)) {
    return no("mode_change", "has other permission bits than the agent left", forceable(now));
  }
  return other
    ? no(
      "external_change",
      "holds something else than the agent left; a command or somebody else changed it",
      forceable(now),
    )
    : no("manual_edit", "holds something else than the agent left; somebody changed it", forceable(now));
}

/** What stands there now can be saved first. */
function forceable(from: Entry): { readonly from: Entry; readonly canForce: boolean } {
  const canForce = from.kind === "absent" || from.kind === "link" ||
    (from.kind === "file" && from.sha256 !== undefined);
  return { from, canForce };
}

/**
 * What stands at `path` itself. Where one of `tracked` that it lies below is a link now, what is found through it lies
 * elsewhere.
 */
export async function entryBelow(path: string, tracked: ReadonlySet<string>): Promise<Entry> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (tracked.has(folder) && await kindAt(folder) !== "folder") return ABSENT;
  }
  return (await lookAt(path)).entry;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Why nothing is written there; the end of a sentence about the path. `folders` will be folders by then, whatever they
 * are now.
 */
export async function unsafeReason(
  path: string,
  roots: readonly string[],
  folders: ReadonlySet<string> = NONE,
): Promise<string | undefined> {
  if (!roots.some((root) => isInside(path, root) && path !== root)) return "lies outside of the workspace";
  for (let folder = dirname(path);; folder = dirname(folder)) {
    if (folders.has(folder)) continue;
    try {
      const real = await Deno.realPath(folder);
      if (real !== folder) return `leads through a link to ${real}`;
      if ((await Deno.stat(folder)).isDirectory) return undefined;
      return `lies below ${folder}, which is no folder`;
    } catch (error) {
      if (error instanceof Deno.errors.NotADirectory) continue;
      if (!(error instanceof Deno.errors.NotFound)) return "lies where nobody may look";
      // A link that leads nowhere is a link all the same.
      const dangling = await Deno.lstat(folder).then((info) => info.isSymlink, () => false);
      if (dangling) return `lies below ${folder}, which is a link`;
    }
    if (folder === dirname(folder)) return "lies nowhere";
  }
}

export function toChange({ path, from, to }: TransactionStep): RewindChange {
  if (to.kind === "absent") return { path, action: from.kind === "folder" ? "remove_folder" : "remove" };
  if (to.kind === "folder") return { path, action: from.kind === "folder" ? "mode" : "create_folder" };
  if (isSameContent(from, to) && modeOf(from) !== modeOf(to)) return { path, action: "mode" };
  return { path, action: from.kind === "absent" ? "create" : "restore" };
}
