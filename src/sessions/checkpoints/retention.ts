/** Old contents give way: the newest turns keep theirs, within a budget. What was touched stays known. */
import type { Blobs } from "./blobs.ts";
import type { Entry } from "./entry.ts";
import type { Ledger } from "./ledger.ts";
import type { CheckpointLog } from "./log_file.ts";

export interface Retention {
  /** Checkpoints whose contents are kept. */
  readonly turns: number;
  /** Contents of all of them together. */
  readonly bytes: number;
}

/** Before a new checkpoint is opened. A failure costs disk space and nothing else. */
export async function expire(log: CheckpointLog, blobs: Blobs, retention: Retention): Promise<void> {
  const { ledger } = log;
  const wanted = expiredCount(ledger, retention);
  if (wanted <= ledger.expired) return;
  await log.append([{ type: "expired", count: wanted }], { sync: true });
  await blobs.keepOnly(referenced(ledger, wanted));
}

function expiredCount({ checkpoints }: Ledger, { turns, bytes }: Retention): number {
  const seen = new Set<string>();
  let room = bytes;
  // The one about to be opened counts as well.
  for (let at = checkpoints.length - 1, kept = 1; at >= 0; at--, kept++) {
    if (kept >= turns) return at + 1;
    for (const { before } of checkpoints[at]!.files.values()) {
      if (before.kind !== "file" || before.sha256 === undefined || seen.has(before.sha256)) continue;
      seen.add(before.sha256);
      room -= before.size;
    }
    if (room < 0) return at + 1;
  }
  return 0;
}

function referenced(ledger: Ledger, expired: number): Set<string> {
  const kept = new Set<string>();
  const add = (entry: Entry) => {
    if (entry.kind === "file" && entry.sha256 !== undefined) kept.add(entry.sha256);
  };
  for (const checkpoint of ledger.checkpoints.slice(expired)) {
    for (const { before } of checkpoint.files.values()) add(before);
  }
  for (const step of ledger.undoable?.steps ?? []) add(step.from);
  return kept;
}
