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
  /** Complete arguments; taken only while no piece of them has come. */
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
  readonly size: number;
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

interface Entry {
  readonly index: number;
  /** As received, for matching later pieces. */
  wireId: string;
  /** As shown: `wireId`, or a made one. */
  id: string;
  name: string;
  readonly parts: string[];
  chars: number;
  reported: number;
  signature?: string;
  announced: boolean;
}

export function createCallAssembler(options: AssemblerOptions): CallAssembler {
  const entries: Entry[] = [];
  const byIndex = new Map<number, Entry>();
  /** Ids of this answer's calls. */
  const claimed = new Set<string>();
  let argumentChars = 0;
  let nextIndex = 0;

  const isTaken = (id: string) => claimed.has(id) || options.isTaken(id);
  const freshId = (): string => {
    const chance = Math.floor(options.random() * 36 ** 8).toString(36).padStart(8, "0");
    // The serial number ends the loop even where chance repeats itself.
    for (let serial = entries.length;; serial++) {
      const id = `call_${chance}${serial}`;
      if (!isTaken(id)) return claim(id);
    }
  };
  const claim = (id: string): string => {
    claimed.add(id);
    return id;
  };
  const nameEntry = (entry: Entry, wireId: string, final: boolean) => {
    entry.wireId = wireId;
    if (entry.announced) {
      // Once people have seen an id it stays.
      if (!final) return;
      entry.announced = false;
    }
    if (entry.id !== "") claimed.delete(entry.id);
    entry.id = isTaken(wireId) ? freshId() : claim(wireId);
  };

  const open = (index: number | undefined): Entry => {
    const free = index === undefined || byIndex.has(index) ? nextIndex : index;
    nextIndex = Math.max(nextIndex, free + 1);
    const entry: Entry = {
      index: free,
      wireId: "",
      id: "",
      name: "",
      parts: [],
      chars: 0,
      reported: 0,
      announced: false,
    };
    entries.push(entry);
    byIndex.set(index ?? free, entry);
    return entry;
  };

  const entryFor = (piece: CallPiece): Entry => {
    if (piece.index === undefined) {
      if (piece.id) return entries.find((entry) => entry.wireId === piece.id) ?? open(undefined);
      const last = entries.at(-1);
      return last === undefined || (piece.name && last.name) ? open(undefined) : last;
    }
    const entry = byIndex.get(piece.index);
    if (!entry) return open(piece.index);
    // Some endpoints give every call the same index: another id that comes with a name is another call.
    const other = !piece.final && piece.id && entry.wireId && piece.id !== entry.wireId && piece.name &&
      entry.chars > 0;
    return other ? open(piece.index) : entry;
  };

  const announce = (entry: Entry, out: Chunk[]) => {
    entry.announced = true;
    out.push({ type: "tool_call_start", index: entry.index, id: entry.id, name: entry.name });
  };

  return {
    add(piece, out) {
      if (!piece.id && !piece.name && !piece.args && !piece.wholeArgs && !piece.signature && entries.length > 0) return;
      const entry = entryFor(piece);
      if (piece.id && piece.id !== entry.wireId) nameEntry(entry, piece.id, piece.final === true);
      if (piece.name) entry.name = piece.name;
      if (piece.signature) entry.signature = piece.signature;
      const text = piece.args ?? (entry.chars === 0 ? piece.wholeArgs : undefined);
      if (text) {
        entry.parts.push(text);
        entry.chars += text.length;
        argumentChars += text.length;
      }
      if (!entry.announced && entry.name && entry.id) announce(entry, out);
      if (entry.announced && entry.chars - entry.reported >= PROGRESS_STEP) {
        entry.reported = entry.chars;
        out.push({
          type: "tool_call_progress",
          index: entry.index,
          id: entry.id,
          argumentBytes: entry.chars,
        });
      }
    },

    finish(out, options) {
      const calls: ToolCall[] = [];
      const ordered = entries.toSorted((a, b) => a.index - b.index);
      const last = ordered.at(-1);
      if (options?.cut && last && last.parts.join("").trim() === "") last.parts.push("{");
      for (const entry of ordered) {
        if (!entry.name && entry.chars === 0) continue;
        if (!entry.id) entry.id = freshId();
        if (!entry.announced) announce(entry, out);
        const call: ToolCall = {
          id: entry.id,
          name: entry.name,
          arguments: toArguments(entry.parts.join("")),
          ...(entry.signature ? { thought_signature: entry.signature } : {}),
        };
        calls.push(call);
        out.push({ type: "tool_call", index: entry.index, call });
      }
      return calls;
    },

    get size() {
      return entries.length;
    },
    get argumentChars() {
      return argumentChars;
    },
  };
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
