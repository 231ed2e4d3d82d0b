/**
 * The journal of a session's runs on disk: lines at the end of an open file, for its owner alone, and no waiting for the
 * disk. What may change something is in the file before it begins and as soon as it has ended; other lines go along with
 * those, or with the end of the turn. A journal that cannot be written goes: half of one would say what is not so.
 */
import type { ObservedCall } from "../../contract/observer.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { canonicalJson } from "../../lib/canonical_json.ts";
import { toBytes } from "../../lib/bytes.ts";
import { sidecars } from "../paths.ts";
import { removeQuietly, writeStateFile } from "../state_file.ts";
import { openSideFile, writeAll } from "../side_file.ts";
import { readJournal } from "./load.ts";
import { type CallOutcome, digestOf, formatRecord, type JournalRecord, toJournalId } from "./record.ts";
import { JournalState } from "./state.ts";

/** A longer one is written anew when a turn begins. Bytes. */
const LONG = 256 * 1024;
/** Lines of what only reads are held back up to so many characters. */
const HELD = 16 * 1024;

export class RunJournal {
  readonly #place: { readonly path: string };
  readonly #state: JournalState;
  /** What the file begins with when it is written anew. */
  #opening: string;
  /** Lines that are not in the file yet. */
  #held = "";
  #path: string;
  #file: Deno.FsFile | undefined;
  #size = 0;
  #lost = false;

  /** `place`: the transcript; its path changes once when the conversation moves to a recovery branch. */
  constructor(place: { readonly path: string }) {
    this.#place = place;
    this.#path = sidecars(place.path).runJournal;
    this.#state = readJournal(place.path) ?? new JournalState();
    this.#opening = this.#snapshot();
  }

  callBegins({ callId, tool, args, readOnly, reads = readOnly }: ObservedCall): void {
    const { generation } = this.#state.ledger;
    const [id, digest] = [toJournalId(callId), digestOf(canonicalJson(args))];
    this.add({ kind: "call", id, name: tool, digest, writer: !reads, mutationGeneration: generation }, {
      atOnce: !reads,
    });
  }

  callEnded({ callId, readOnly, reads = readOnly }: ObservedCall, output: ToolOutput): void {
    const outcome = outcomeOf(output);
    // A check that was cut short, or goes on by itself, says nothing of what it left.
    const check = output.execution?.verifies !== undefined && (outcome === "completed" || outcome === "failed");
    const { generation } = this.#state.ledger;
    this.add({
      kind: "end",
      id: toJournalId(callId),
      digest: digestOf(output.text),
      outcome,
      check,
      mutationGeneration: reads || check ? generation : generation + 1,
    }, { atOnce: !reads });
  }

  /** Never throws. */
  add(record: JournalRecord, { atOnce }: { readonly atOnce: boolean }): void {
    if (record.kind === "turn" && this.#size > LONG) this.#startOver();
    this.#state.add(record);
    if (this.#lost) return;
    this.#held += formatRecord(record);
    if (atOnce || this.#held.length > HELD) this.#write();
  }

  /** Idempotent. */
  close(): void {
    if (this.#file && this.#held !== "") this.#write();
    this.#lost = true;
    this.#shut();
  }

  #snapshot(): string {
    return formatRecord({ kind: "snapshot", ...this.#state.ledgerAtEnd });
  }

  #startOver(): void {
    this.#shut();
    this.#held = "";
    this.#opening = this.#snapshot();
  }

  #write(): void {
    try {
      const path = sidecars(this.#place.path).runJournal;
      if (path !== this.#path) {
        this.#shut();
        this.#path = path;
        this.#opening = this.#state.toRecords().map(formatRecord).join("");
        this.#held = "";
      }
      if (this.#file) this.#append(toBytes(this.#held));
      else this.#begin(this.#opening + this.#held);
      this.#held = "";
    } catch {
      this.#lost = true;
      this.#shut();
      removeQuietly(this.#path);
    }
  }

  #begin(text: string): void {
    if (this.#create()) return this.#append(toBytes(text));
    writeStateFile(this.#path, text);
    this.#file = openSideFile(this.#path, { append: true }).file;
    this.#size = text.length;
  }

  /** False: there is one already, which is to be replaced in one step. */
  #create(): boolean {
    try {
      this.#file = Deno.openSync(this.#path, { append: true, createNew: true, mode: 0o600 });
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return false;
      throw error;
    }
  }

  #append(bytes: Uint8Array): void {
    writeAll(this.#file!, bytes);
    this.#size += bytes.length;
  }

  #shut(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#size = 0;
  }
}

function outcomeOf({ failed, execution }: ToolOutput): CallOutcome {
  const state = execution?.state ?? "completed";
  return state === "completed" && failed ? "failed" : state;
}
