/** What a journal says: which turn is open, which of its calls began and ended, and what of its checks stands. */
import { type EvidenceLedger, NO_EVIDENCE, noteChange, noteFailure, notePass } from "./evidence.ts";
import { digestOf, type JournalRecord, parseRecord } from "./record.ts";

type CallRecord = Extract<JournalRecord, { kind: "call" }>;
type EndRecord = Extract<JournalRecord, { kind: "end" }>;

export interface JournalCall extends Omit<CallRecord, "kind"> {
  /** Absent: it has not ended. */
  readonly end?: EndRecord;
}

export interface JournalTurn {
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  /** By id, in the order they began. */
  readonly calls: ReadonlyMap<string, JournalCall>;
}

interface OpenTurn extends JournalTurn {
  readonly calls: Map<string, JournalCall>;
  /** As the turn found it. */
  readonly ledger: EvidenceLedger;
}

export class JournalState {
  #ledger: EvidenceLedger = NO_EVIDENCE;
  #turn: OpenTurn | undefined;

  /** Of whole lines; what stands after the last line end, and what makes no sense, is passed over. */
  static of(text: string): JournalState {
    const state = new JournalState();
    for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
      const record = line === "" ? undefined : parseRecord(line);
      if (record) state.add(record);
    }
    return state;
  }

  get ledger(): EvidenceLedger {
    return this.#ledger;
  }

  /** Were the open turn to end now: a writer that never ended may have changed anything. */
  get ledgerAtEnd(): EvidenceLedger {
    const open = [...this.#turn?.calls.values() ?? []].filter(({ writer, end }) => writer && end === undefined);
    return open.reduce(noteChange, this.#ledger);
  }

  /** The turn that began and did not end. */
  get turn(): JournalTurn | undefined {
    return this.#turn;
  }

  add(record: JournalRecord): void {
    switch (record.kind) {
      case "snapshot":
        this.#ledger = { generation: record.generation, evidence: record.evidence };
        this.#turn = undefined;
        break;
      case "turn":
        this.#close();
        this.#turn = { id: record.id, at: record.at, calls: new Map(), ledger: this.#ledger };
        break;
      case "call": {
        const { kind: _, ...call } = record;
        this.#turn?.calls.set(call.id, call);
        this.#passed(record.mutationGeneration);
        break;
      }
      case "end": {
        const call = this.#turn?.calls.get(record.id);
        if (call === undefined || call.end) break;
        this.#turn!.calls.set(call.id, { ...call, end: record });
        this.#ledger = settle(this.#ledger, call, record);
        this.#passed(record.mutationGeneration);
        break;
      }
      case "turn_end":
        this.#close();
        break;
      case "request":
        break;
    }
  }

  /** A short journal that says the same. */
  toRecords(): readonly JournalRecord[] {
    if (this.#turn === undefined) return [{ kind: "snapshot", ...this.#ledger }];
    const { id, at, calls, ledger } = this.#turn;
    const ofCall = (
      { end, ...call }: JournalCall,
    ): JournalRecord[] => [{ kind: "call", ...call }, ...(end ? [end] : [])];
    return [{ kind: "snapshot", ...ledger }, { kind: "turn", id, at }, ...[...calls.values()].flatMap(ofCall)];
  }

  #close(): void {
    this.#ledger = this.ledgerAtEnd;
    this.#turn = undefined;
  }

  /** Lines in between may be lost. */
  #passed(generation: number): void {
    if (generation > this.#ledger.generation) this.#ledger = { ...this.#ledger, generation };
  }
}

function settle(
  ledger: EvidenceLedger,
  { id, name, digest, writer, mutationGeneration }: JournalCall,
  { outcome, check }: EndRecord,
): EvidenceLedger {
  if (!check) return writer ? noteChange(ledger) : ledger;
  const identity = digestOf(`${name}\n${digest}`);
  return outcome === "completed"
    ? notePass(ledger, { identity, call: id, mutationGeneration })
    : noteFailure(ledger, identity);
}
