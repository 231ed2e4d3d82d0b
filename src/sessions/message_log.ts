/**
 * The messages of one transcript in memory, and where each of them lies in the file. Full texts of bounded tool results
 * are never held; long texts of the oldest entries give way once the whole grows past a budget, and are read back from
 * the file when somebody looks at them. Entries keep their identity through all of it.
 */
import type { Message } from "../contract/message.ts";
import type { ResultStore } from "../contract/tool.ts";
import { byteLength, LF, toBytes } from "../lib/bytes.ts";
import { toPreview } from "./preview.ts";
import { parseRecord, withoutFullText } from "./record.ts";

export interface Span {
  readonly offset: number;
  /** With the line end. */
  readonly length: number;
}

/** Reads bytes of the file the spans point into; throws when they are not there. */
export type ReadSpan = (span: Span) => Uint8Array<ArrayBuffer>;

export interface MessageLogOptions {
  readonly readSpan: ReadSpan;
  /** Text held in memory at most, roughly. Bytes. */
  readonly residentBytes: number;
  /** Made when a record cannot be read back. */
  unreadable(cause: unknown): Error;
}

/** Texts shorter than this stay: what reading them back needs is not smaller. Characters. */
const PAGED_FROM = 512;

export class MessageLog {
  readonly messages: Message[] = [];
  readonly results: ResultStore;
  readonly #options: MessageLogOptions;
  #readSpan: ReadSpan;
  #spans: (Span | undefined)[] = [];
  readonly #residentSizes: number[] = [];
  readonly #resultIndex = new Map<string, number>();
  #resident = 0;
  /** Entries before this one have given way. */
  #pagedUpTo = 0;
  #lastRead: { readonly index: number; readonly message: Message } | undefined;
  #turns = 0;
  #preview: string | undefined;

  constructor(options: MessageLogOptions) {
    this.#options = options;
    this.#readSpan = options.readSpan;
    this.results = { read: (callId, ref) => Promise.resolve().then(() => this.#readResult(callId, ref)) };
  }

  /** User turns so far. */
  get turns(): number {
    return this.#turns;
  }

  /** The first thing the user said, as one short line. */
  get preview(): string {
    return this.#preview ?? "";
  }

  /**
   * The log makes `message` its own: it may turn long texts of it into getters. `old`: it would give way to what comes
   * behind it, so it does at once.
   */
  add(message: Message, span: Span, options: { readonly old?: boolean } = {}): void {
    const index = this.messages.length;
    const small = withoutFullText(message);
    this.messages.push(small);
    this.#spans.push(span);
    const size = span.length - (small === message ? 0 : byteLength(message.raw_content!));
    this.#residentSizes.push(size);
    this.#resident += size;
    if (message.role === "tool" && message.tool_call_id !== undefined && message.result_ref !== undefined) {
      this.#resultIndex.set(resultKey(message.tool_call_id, message.result_ref), index);
    }
    if (isUserTurn(message)) {
      this.#turns++;
      this.#preview ??= toPreview(message.raw_content ?? message.content ?? "");
    }
    // The newest entry stays, however large, unless it is known not to be the newest for long.
    const end = options.old ? index + 1 : index;
    while (this.#pagedUpTo < end && (options.old || this.#resident > this.#options.residentBytes)) {
      this.#pageOut(this.#pagedUpTo++);
    }
  }

  /** The stored line of an entry with its line end, or undefined when it cannot be had any more. */
  storedLine(index: number): Uint8Array<ArrayBuffer> | undefined {
    try {
      const { bytes, message } = this.#read(index);
      const isSame = JSON.stringify(withoutFullText(message)) === JSON.stringify(this.messages[index]);
      return isSame && bytes.at(-1) === LF ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether memory holds the entry whole, its full text included. */
  isWhole(index: number): boolean {
    return index >= this.#pagedUpTo && this.#residentSizes[index] === this.#spans[index]?.length;
  }

  /** The same messages lie elsewhere now. An undefined span: the long texts of that one are lost. */
  relocate(spans: readonly (Span | undefined)[]): void {
    this.#spans = [...spans];
    this.#lastRead = undefined;
  }

  /** Another door to the same bytes. */
  readFrom(readSpan: ReadSpan): void {
    this.#readSpan = readSpan;
  }

  #readResult(callId: string, ref: string): Uint8Array | undefined {
    const index = this.#resultIndex.get(resultKey(callId, ref));
    if (index === undefined) return undefined;
    const { message } = this.#read(index);
    return toBytes(message.raw_content ?? message.content ?? "");
  }

  #read(index: number): { readonly bytes: Uint8Array<ArrayBuffer>; readonly message: Message } {
    try {
      const span = this.#spans[index];
      if (span === undefined) throw new Error("the text of this message is lost");
      const bytes = this.#readSpan(span);
      const record = parseRecord(bytes);
      if (record.kind !== "message") throw new Error(`no message at byte ${span.offset}: the file was changed`);
      return { bytes, message: record.message };
    } catch (error) {
      throw this.#options.unreadable(error);
    }
  }

  #pageOut(index: number): void {
    const entry = this.messages[index]!;
    for (const [key, value] of Object.entries(entry)) {
      if (!isLong(value)) continue;
      Object.defineProperty(entry, key, {
        enumerable: true,
        configurable: true,
        get: () => this.#pagedIn(index)[key as keyof Message],
      });
    }
    this.#resident -= this.#residentSizes[index]!;
  }

  #pagedIn(index: number): Message {
    if (this.#lastRead?.index !== index) this.#lastRead = { index, message: this.#read(index).message };
    return this.#lastRead.message;
  }
}

/** What a person said, as opposed to what the host wrote in the user's role. */
export function isUserTurn(message: Message): boolean {
  return message.role === "user" && message.host_authored !== true && message.local_only !== true;
}

function isLong(value: unknown): boolean {
  if (typeof value === "string") return value.length >= PAGED_FROM;
  return typeof value === "object" && value !== null && JSON.stringify(value).length >= PAGED_FROM;
}

function resultKey(callId: string, ref: string): string {
  return `${ref}\n${callId}`;
}
