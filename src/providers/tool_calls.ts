/**
 * Puts tool calls together from the pieces protocols stream: joined by index, by id where there is no index. Ids that
 * are missing or were used before are replaced, so that every call of a session can be told apart.
 */
import type { ToolCall } from "../contract/message.ts";
import type { Chunk, ModelRequest } from "../contract/provider.ts";
import { isRecord, parseJson } from "../lib/json.ts";

export interface CallPiece {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  /** Appended. */
  readonly args?: string;
  /** Complete arguments; taken only while no piece of them has come, and given up when one comes after all. */
  readonly wholeArgs?: string;
  readonly signature?: string;
  /** Its id is the one that counts, although people have seen another. */
  readonly final?: boolean;
}

export interface CallAssembler {
  add(piece: CallPiece, out: Chunk[]): void;
  /**
   * All calls in index order. Emits what was not announced yet, and the calls. `cut`: the answer ended at the output
   * limit, so that a last call without arguments is not one that needs none; it is given some that are no JSON.
   */
  finish(out: Chunk[], options?: { readonly cut: boolean }): readonly ToolCall[];
  /** Characters of arguments so far. */
  readonly argumentChars: number;
}

export interface AssemblerOptions {
  /** Whether an earlier call of the conversation has this id. */
  isTaken(id: string): boolean;
  /** In [0, 1). */
  random(): number;
}

const PROGRESS_STEP = 2048;

export function createCallAssembler(options: AssemblerOptions): CallAssembler {
  return new Assembler(options);
}

class Assembler implements CallAssembler {
  readonly #options: AssemblerOptions;
  readonly #entries: Entry[] = [];
  readonly #byIndex = new Map<number, Entry>();
  /** Ids of this answer's calls. */
  readonly #claimed = new Set<string>();
  #nextIndex = 0;
  #argumentChars = 0;

  constructor(options: AssemblerOptions) {
    this.#options = options;
  }

  get argumentChars(): number {
    return this.#argumentChars;
  }

  add(piece: CallPiece, out: Chunk[]): void {
    if (isBlank(piece) && this.#entries.length > 0) return;
    const entry = this.#entryFor(piece);
    if (piece.id && piece.id !== entry.wireId) this.#identify(entry, piece.id, piece.final === true);
    if (piece.name) entry.name = piece.name;
    if (piece.signature) entry.signature = piece.signature;
    const before = entry.chars;
    if (piece.args) entry.append(piece.args);
    else if (piece.wholeArgs && before === 0) entry.take(piece.wholeArgs);
    this.#argumentChars += entry.chars - before;
    entry.tell(out);
  }

  finish(out: Chunk[], options?: { readonly cut: boolean }): readonly ToolCall[] {
    const ordered = this.#entries.toSorted((a, b) => a.index - b.index);
    const last = ordered.at(-1);
    if (options?.cut && last && last.text.trim() === "") last.parts.push("{");
    return ordered.filter((entry) => entry.name || entry.chars > 0).map((entry) => {
      entry.id ||= this.#freshId();
      return entry.finish(out);
    });
  }

  #entryFor(piece: CallPiece): Entry {
    if (piece.index !== undefined) {
      const entry = this.#byIndex.get(piece.index);
      return entry && !isAnother(piece, entry) ? entry : this.#open(piece.index);
    }
    if (piece.id) return this.#entries.find((entry) => entry.wireId === piece.id) ?? this.#open(undefined);
    const last = this.#entries.at(-1);
    return last === undefined || (piece.name && last.name) ? this.#open(undefined) : last;
  }

  #open(index: number | undefined): Entry {
    const free = index === undefined || this.#byIndex.has(index) ? this.#nextIndex : index;
    this.#nextIndex = Math.max(this.#nextIndex, free + 1);
    const entry = new Entry(free);
    this.#entries.push(entry);
    this.#byIndex.set(index ?? free, entry);
    return entry;
  }

  #identify(entry: Entry, wireId: string, final: boolean): void {
    entry.wireId = wireId;
    if (entry.announced) {
      // Once people have seen an id it stays.
      if (!final) return;
      entry.announced = false;
    }
    if (entry.id !== "") this.#claimed.delete(entry.id);
    entry.id = this.#isTaken(wireId) ? this.#freshId() : this.#claim(wireId);
  }

  #isTaken(id: string): boolean {
    return this.#claimed.has(id) || this.#options.isTaken(id);
  }

  #claim(id: string): string {
    this.#claimed.add(id);
    return id;
  }

  #freshId(): string {
    const chance = Math.floor(this.#options.random() * 36 ** 8).toString(36).padStart(8, "0");
    // The serial number ends the loop even where chance repeats itself.
    for (let serial = this.#entries.length;; serial++) {
      const id = `call_${chance}${serial}`;
      if (!this.#isTaken(id)) return this.#claim(id);
    }
  }
}

/** A call as far as it has come. */
class Entry {
  readonly index: number;
  /** As received, for matching later pieces. */
  wireId = "";
  /** As shown: `wireId`, or a made one. */
  id = "";
  name = "";
  signature = "";
  readonly parts: string[] = [];
  chars = 0;
  announced = false;
  #reported = 0;
  #whole = false;

  constructor(index: number) {
    this.index = index;
  }

  get text(): string {
    return this.parts.join("");
  }

  append(text: string): void {
    if (this.#whole) this.take("");
    this.#whole = false;
    this.parts.push(text);
    this.chars += text.length;
  }

  take(whole: string): void {
    this.#whole = true;
    this.parts.splice(0, Infinity, whole);
    this.chars = whole.length;
  }

  /** What of it is worth a chunk by now. */
  tell(out: Chunk[]): void {
    if (!this.announced && this.name && this.id) this.#announce(out);
    if (!this.announced || this.chars - this.#reported < PROGRESS_STEP) return;
    this.#reported = this.chars;
    out.push({ type: "tool_call_progress", index: this.index, id: this.id, argumentBytes: this.chars });
  }

  finish(out: Chunk[]): ToolCall {
    if (!this.announced) this.#announce(out);
    const { index, id, name, signature } = this;
    const signed = signature ? { thought_signature: signature } : {};
    const call: ToolCall = { id, name, arguments: toArguments(this.text), ...signed };
    out.push({ type: "tool_call", index, call });
    return call;
  }

  #announce(out: Chunk[]): void {
    this.announced = true;
    out.push({ type: "tool_call_start", index: this.index, id: this.id, name: this.name });
  }
}

function isBlank({ id, name, args, wholeArgs, signature }: CallPiece): boolean {
  return !id && !name && !args && !wholeArgs && !signature;
}

/** Some endpoints give every call the same index: another id that comes with a name is another call. */
function isAnother({ id, name, final }: CallPiece, entry: Entry): boolean {
  if (final || !id || !name || entry.wireId === "") return false;
  return id !== entry.wireId && entry.chars > 0;
}

/** No arguments at all is a call without parameters, not broken JSON. */
function toArguments(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" || trimmed === "null" ? "{}" : text;
}

/** Whether a call of the conversation so far has this id. */
export function hasCall({ messages }: ModelRequest, id: string): boolean {
  return messages.some((message) => message.tool_calls?.some((call) => call.id === id));
}

/** Endpoints parse the arguments of past calls and refuse the request when they cannot. */
export function argumentsObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}
