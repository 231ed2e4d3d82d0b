/**
 * A server as a program of this machine: one JSON message a line. What is no message on its standard output is counted
 * and passed over; its standard error is read to the end and the last of it is kept. A flood slows the server down,
 * not this program.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { OpenProgram, ProgramToOpen } from "../../contract/workspace.ts";
import { toBytes } from "../../lib/bytes.ts";
import { isRecord } from "../../lib/json.ts";
import { StreamReader } from "../../lib/stream_reader.ts";
import { Tail } from "../../lib/tail.ts";
import { settledWithin } from "../../lib/waiting.ts";
import { parseLenient } from "./lenient_json.ts";
import { LineReader, type OverlongLine } from "./line_reader.ts";

export interface StdioOptions {
  open(program: ProgramToOpen): Promise<OpenProgram>;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program runs; whether it is a server is not known yet. */
  started?(): void;
}

/** One message. Characters. */
const LONGEST = 16 << 20;
const STDERR_KEPT = 8_000;
const RESTS = { after: 0, every: 4 << 20 };

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #options: StdioOptions;
  readonly #stderr = new Tail(STDERR_KEPT);
  #program: OpenProgram | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #readers: readonly StreamReader[] = [];
  #closing: Promise<void> | undefined;
  #closed = false;
  #end = "";
  #oddLines = 0;
  #oddSample = "";

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  /** The last of what the server wrote to its standard error. */
  get stderr(): string {
    return this.#stderr.text;
  }

  /** How the program ended; empty while it runs. */
  get end(): string {
    return this.#end;
  }

  /** Lines on standard output that were no messages, with one of them. */
  get oddLines(): { readonly count: number; readonly sample: string } {
    return { count: this.#oddLines, sample: this.#oddSample };
  }

  async start(): Promise<void> {
    const { argv, cwd, env } = this.#options;
    const program = await this.#options.open({ argv, cwd, env });
    this.#program = program;
    this.#writer = program.stdin.getWriter();
    this.#writer.closed.catch(() => {});
    if (this.#closed) {
      await program.close();
      throw new Error("closed before it had started");
    }
    this.#options.started?.();
    const messages = this.#readMessages(program.stdout);
    const errors = new StreamReader(program.stderr, (bytes) => this.#stderr.add(bytes), RESTS);
    this.#readers = [messages, errors];
    void program.ended.then(async ({ code, signal }) => {
      this.#end = signal === undefined ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
      // What it said last is heard; what still holds its pipes is not waited for.
      await settledWithin(Promise.all([messages.closed, errors.closed]), 500);
      await this.close();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#writer === undefined || this.#closed) {
      throw new Error(`the server is gone${this.#end && `: ${this.#end}`}`);
    }
    await this.#writer.write(toBytes(JSON.stringify(message) + "\n"));
  }

  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    this.#closed = true;
    // A server that reads no more must not hold this up.
    await settledWithin(this.#writer?.close() ?? Promise.resolve(), 50);
    try {
      this.#writer?.releaseLock();
    } catch {
      // A write still waits in it; the program's end settles it.
    }
    await this.#program?.close();
    await Promise.all(this.#readers.map((reader) => reader.stop()));
    this.onclose?.();
  }

  #readMessages(stream: ReadableStream<Uint8Array>): StreamReader {
    const lines = new LineReader(LONGEST);
    const reader = new StreamReader(
      stream,
      (bytes) => lines.push(bytes).forEach((line) => this.#take(line)),
      RESTS,
    );
    void reader.closed.then((isWhole) => isWhole && this.#take(lines.end()));
    return reader;
  }

  #take(line: string | OverlongLine): void {
    if (typeof line !== "string") return this.#takeOverlong(line);
    if (line.trim() === "") return;
    const value = parseLenient(line);
    const messages = Array.isArray(value) ? value : [value];
    for (const message of messages) {
      if (isMessage(message)) this.onmessage?.(message);
      else this.#odd(line);
    }
  }

  /** An answer too long to be held is answered for, so that its call does not wait for the limit. */
  #takeOverlong({ head, tail }: OverlongLine): void {
    const id = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)/.exec(head)?.[1] ??
      /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)?.[1];
    if (id === undefined) return this.#odd(head);
    const error = { code: -32603, message: `the answer is larger than ${LONGEST >> 20} MiB and was dropped` };
    this.onmessage?.({ jsonrpc: "2.0", id: Number(id), error });
  }

  #odd(line: string): void {
    this.#oddLines++;
    if (this.#oddSample === "") this.#oddSample = line.slice(0, 200);
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return false;
  const { id, method, result, error } = value;
  const isId = typeof id === "string" || typeof id === "number";
  if (typeof method === "string") return id === undefined || isId;
  if (!isId) return false;
  return isRecord(result) ||
    (isRecord(error) && typeof error["code"] === "number" && typeof error["message"] === "string");
}
