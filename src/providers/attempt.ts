/**
 * One HTTP request of a model call: sends the frozen bytes, watches for silence, reads the answer. It decides nothing
 * about another try. `close` must be called; after it no timer, body or socket of the attempt is left.
 */
import { ReasonixError } from "../contract/errors.ts";
import type { Chunk, ProviderPorts } from "../contract/provider.ts";
import { parseJson } from "../lib/json.ts";
import { createSseReader, OversizedEvent } from "../lib/sse.ts";
import { type Endpoint, nameOf } from "./endpoint.ts";
import type { Failure } from "./attempt_failure.ts";
import { isMarkup, statusFailure } from "./http_errors.ts";
import { transportFailure } from "./transport_errors.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";
import type { StreamDecoder, WireRequest } from "./wire.ts";

export interface AttemptContext {
  readonly endpoint: Endpoint;
  readonly ports: ProviderPorts;
  /** Silence of so many milliseconds ends an attempt, before and after the headers; 0 never. */
  readonly idleMs: number;
  /** The proxy that may stand between, for messages. Asked for when a connection failed. */
  via(): string | undefined;
  /** What this provider instance learned; shared by its calls. */
  readonly memory: { keyWorked: boolean };
}

/** How the bytes of an answer ended. Whether the answer is complete, the decoder knows. */
export type StreamEnd =
  | { readonly kind: "end" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly failure: Failure };

const ERROR_BODY_BYTES = 4096;
const ERROR_BODY_MS = 10_000;
const DOCUMENT_BYTES = 32 * 1024 * 1024;
const ANSWER_CHARS = 64 * 1024 * 1024;
/** After a finish reason only usage and the end mark may follow; nobody waits long for those. */
const TAIL_MS = 2_000;
/** How long the end of the response is waited for after the end mark, so that its connection can serve again. */
const DRAIN_MS = 100;

/** Why a fetch that is done with is aborted. Made once: without one the engine makes an exception for every answer. */
const OVER = new Error("nobody reads this answer any more");

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

export class Attempt {
  readonly #context: AttemptContext;
  readonly #signal: AbortSignal;
  readonly #abort = new AbortController();
  readonly #watchdog: Watchdog;
  #reader: Reader | undefined;
  #ended = false;
  #closed = false;
  /** `fetch` forgets its signal once the answer has begun and memory was tidied, so the body is ended as well. */
  readonly #stop = () => {
    this.#abort.abort(OVER);
    void this.#reader?.cancel().catch(() => {});
  };

  constructor(context: AttemptContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
    signal.addEventListener("abort", this.#stop, { once: true });
    this.#watchdog = startWatchdog(context.idleMs, this.#stop);
  }

  /** Up to the response headers. `end`: a success was answered and `read` may follow. */
  async open(request: WireRequest): Promise<StreamEnd> {
    const { endpoint, ports, memory } = this.#context;
    let response: Response;
    try {
      response = await ports.fetch(request.url, {
        method: "POST",
        headers: request.headers,
        body: request.body,
        signal: this.#abort.signal,
        // A redirect would carry the key to another host.
        redirect: "manual",
      });
    } catch (thrown) {
      return this.#broken(thrown, "silent", () => transportFailure(endpoint, thrown, this.#context.via()));
    }
    this.#reader = response.body?.getReader();
    this.#watchdog.life();
    if (response.ok) {
      memory.keyWorked = true;
      return { kind: "end" };
    }
    this.#watchdog.tighten(ERROR_BODY_MS);
    const body = await this.#readStart();
    if (this.#signal.aborted) return { kind: "cancelled" };
    const answer = { status: response.status, headers: response.headers, body };
    return failed(statusFailure(endpoint, answer, { keyWorked: memory.keyWorked, now: ports.now() }));
  }

  /** The answer's body. What one network read brought comes as few chunks. */
  async *read(decoder: StreamDecoder): AsyncGenerator<Chunk, StreamEnd, undefined> {
    let alive = false;
    let events = 0;
    const sse = createSseReader({
      onEvent(data, name, final) {
        events++;
        if (decoder.event(data, name, final)) alive = true;
      },
    });
    let head: Uint8Array | undefined;
    for (;;) {
      const bytes = await this.#next();
      if (bytes !== undefined && !(bytes instanceof Uint8Array)) return bytes;
      if (bytes && head === undefined && bytes.length > 0) {
        head = bytes;
        if (firstCharacter(bytes) === "{") return await this.#document(decoder, bytes);
      }
      alive = false;
      try {
        if (bytes) sse.feed(bytes);
        else sse.end();
      } catch (thrown) {
        if (thrown instanceof OversizedEvent) return failed(this.#badResponse(thrown.message));
        throw thrown;
      }
      for (const chunk of decoder.take()) yield chunk;
      if (bytes === undefined || decoder.progress === "marked") {
        return events === 0 && head !== undefined && isForeign(head) ? failed(this.#foreign(head)) : { kind: "end" };
      }
      if (decoder.outputChars > ANSWER_CHARS) return failed(this.#badResponse("its answer is too large"));
      if (alive) this.#watchdog.life();
      else this.#watchdog.keepAlive();
      if (decoder.progress === "finished") this.#watchdog.tighten(TAIL_MS);
    }
  }

  /** What the network brought; undefined at the end of the body. */
  async #next(): Promise<Uint8Array | undefined | StreamEnd> {
    if (!this.#reader) return undefined;
    try {
      const { done, value } = await this.#reader.read();
      if (!done) return value;
      if (this.#abort.signal.aborted) return this.#broken(undefined, "stall", () => this.#cut());
      this.#ended = true;
      return undefined;
    } catch (thrown) {
      return this.#broken(thrown, "stall", () => this.#cut());
    }
  }

  /** Idempotent. `drain`: the answer was complete, its connection is worth keeping. */
  async close(options: { readonly drain: boolean } = { drain: false }): Promise<void> {
    this.#signal.removeEventListener("abort", this.#stop);
    const reader = this.#reader;
    if (reader && !this.#closed) {
      this.#closed = true;
      if (options.drain && !this.#ended) {
        this.#watchdog.tighten(DRAIN_MS);
        await readAway(reader);
      }
      this.#watchdog.stop();
      await reader.cancel().catch(() => {});
    }
    this.#watchdog.stop();
    this.#abort.abort(OVER);
  }

  /** A connection that ended by an exception: the person, the watchdog or the network did it. */
  #broken(thrown: unknown, silence: "silent" | "stall", failure: () => Failure): StreamEnd {
    if (this.#signal.aborted) return { kind: "cancelled" };
    if (this.#watchdog.expired) return failed(this.#silence(silence));
    if (thrown instanceof ReasonixError) throw thrown;
    return failed(failure());
  }

  #silence(phase: "silent" | "stall"): Failure {
    const seconds = this.#context.idleMs / 1000;
    const what = phase === "silent" ? "no response headers" : "the stream fell silent: nothing of an answer";
    return {
      class: phase,
      cause: phase === "silent" ? "timeout" : "stream_idle",
      error: new ReasonixError("provider.stalled", `${nameOf(this.#context.endpoint)}: ${what} for ${seconds} s`, {
        retry: true,
        remedy:
          `Try again; for a slow model raise idle_timeout_seconds of provider ${this.#context.endpoint.provider}.`,
      }),
    };
  }

  #cut(): Failure {
    return {
      class: "cut",
      cause: "connection_closed",
      error: new ReasonixError(
        "provider.interrupted",
        `${nameOf(this.#context.endpoint)}: the stream was cut before the answer was complete`,
        {
          retry: true,
        },
      ),
    };
  }

  #foreign(head: Uint8Array): Failure {
    const text = new TextDecoder().decode(head.subarray(0, 300));
    const what = isMarkup(text) ? "an HTML page" : `something else: ${this.#context.endpoint.redact(text, 120)}`;
    return this.#badResponse(`expected an event stream and got ${what}`);
  }

  #badResponse(what: string): Failure {
    return {
      class: "final",
      cause: "upstream_error",
      error: new ReasonixError("provider.bad_response", `${nameOf(this.#context.endpoint)}: ${what}`, {
        remedy:
          `Check base_url of provider ${this.#context.endpoint.provider}, and whether a proxy answers in its place.`,
      }),
    };
  }

  /** Some endpoints answer with one document although a stream was asked for. */
  async #document(decoder: StreamDecoder, first: Uint8Array): Promise<StreamEnd> {
    const parts = [first];
    let size = first.length;
    for (;;) {
      const bytes = await this.#next();
      if (bytes === undefined) break;
      if (!(bytes instanceof Uint8Array)) return bytes;
      this.#watchdog.life();
      parts.push(bytes);
      size += bytes.length;
      if (size > DOCUMENT_BYTES) return failed(this.#badResponse("its answer is too large"));
    }
    const text = await new Blob(parts as BlobPart[]).text();
    const document = parseJson(text);
    if (document === undefined) return failed(this.#cut());
    decoder.document(document);
    return { kind: "end" };
  }

  /** The start of an error's body; what cannot be read is left out. */
  async #readStart(): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    let size = 0;
    try {
      while (this.#reader && size < ERROR_BODY_BYTES) {
        const { done, value } = await this.#reader.read();
        if (done) {
          this.#ended = true;
          break;
        }
        text += decoder.decode(value.subarray(0, ERROR_BODY_BYTES - size), { stream: true });
        size += value.length;
      }
    } catch {
      // The status alone has to do.
    }
    return text;
  }
}

const failed = (failure: Failure): StreamEnd => ({ kind: "failed", failure });

async function readAway(reader: Reader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The connection is not kept then.
  }
}

function firstCharacter(bytes: Uint8Array): string {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && (bytes[at] === 0x20 || (bytes[at]! >= 0x09 && bytes[at]! <= 0x0d))) at++;
  return String.fromCharCode(bytes[at] ?? 0);
}

/** Not a single event came, and it does not look like the beginning of one either. */
function isForeign(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head.subarray(0, 64)).trimStart();
  return text !== "" && !/^(?::|data\b|event\b|id\b|retry\b)/.test(text);
}
