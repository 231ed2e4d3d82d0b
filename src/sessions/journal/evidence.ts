/**
 * What was checked, and whether anything was changed since. Changes are counted; a check remembers the count it began
 * and ended at, and stands for as long as neither has been passed. The newest checks are kept, each once.
 */

export interface Evidence {
  /** Of the tool and its arguments: the same check again takes the place of the one before. */
  readonly identity: string;
  /** The call that made it last. */
  readonly call: string;
  /** Changes so far when the check began, and when it ended. */
  readonly mutationGeneration: number;
  readonly closedGeneration: number;
}

export interface EvidenceLedger {
  /** Changes so far. */
  readonly generation: number;
  /** Checks that passed, the newest last. */
  readonly evidence: readonly Evidence[];
}

export const KEPT_EVIDENCE = 64;

export const NO_EVIDENCE: EvidenceLedger = { generation: 0, evidence: [] };

/** Something was changed, or may have been. */
export function noteChange(ledger: EvidenceLedger): EvidenceLedger {
  return { ...ledger, generation: ledger.generation + 1 };
}

/** A check that began at `mutationGeneration` has passed. */
export function notePass(
  ledger: EvidenceLedger,
  check: Omit<Evidence, "closedGeneration">,
): EvidenceLedger {
  const others = ledger.evidence.filter(({ identity }) => identity !== check.identity);
  const evidence = [...others, { ...check, closedGeneration: ledger.generation }].slice(-KEPT_EVIDENCE);
  return { ...ledger, evidence };
}

/** A check has failed: that it passed before says nothing any more. */
export function noteFailure(ledger: EvidenceLedger, identity: string): EvidenceLedger {
  return { ...ledger, evidence: ledger.evidence.filter((one) => one.identity !== identity) };
}

/** Nothing was changed since this check began. */
export function stands({ generation }: EvidenceLedger, evidence: Evidence): boolean {
  return evidence.mutationGeneration === generation && evidence.closedGeneration === generation;
}
