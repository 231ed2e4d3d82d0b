/** A server that writes what a test tells it, byte by byte if need be: for answers no HTTP library would send. */

export interface RawExchange {
  /** Request line and headers as they came. */
  readonly head: string;
  /** Up to `content-length`. */
  readonly body: string;
  /** Number of the request on this server, from 1. */
  readonly number: number;
  send(...parts: readonly (string | Uint8Array)[]): Promise<void>;
  /** Status line and headers of a stream of events; the body is closed by the connection's end. */
  stream(headers?: string): Promise<void>;
  /** Settles when the other side has closed, or the server ends. */
  gone(): Promise<void>;
}

/** The connection is closed when the promise settles. */
export type RawHandler = (exchange: RawExchange) => Promise<void> | void;

export class RawServer implements AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly bodies: string[] = [];
  readonly heads: string[] = [];
  readonly #listener: Deno.Listener;
  readonly #running = new Set<Promise<void>>();
  readonly #open = new Set<Deno.Conn>();
  readonly #accepting: Promise<void>;

  constructor(handler: RawHandler, options: { readonly tls?: { readonly cert: string; readonly key: string } } = {}) {
    const listener = options.tls
      ? Deno.listenTls({ port: 0, hostname: "127.0.0.1", ...options.tls })
      : Deno.listen({ port: 0, hostname: "127.0.0.1" });
    this.#listener = listener;
    this.port = (listener.addr as Deno.NetAddr).port;
    this.url = `${options.tls ? "https" : "http"}://127.0.0.1:${this.port}`;
    this.#accepting = this.#accept(handler);
  }

  async #accept(handler: RawHandler): Promise<void> {
    for (;;) {
      let connection: Deno.Conn;
      try {
        connection = await this.#listener.accept();
      } catch (error) {
        // A client may break a TLS handshake; the closed listener ends the loop.
        if (error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted) return;
        continue;
      }
      const run = this.#serve(connection, handler).catch(() => {});
      this.#running.add(run);
      run.finally(() => this.#running.delete(run));
    }
  }

  async #serve(connection: Deno.Conn, handler: RawHandler): Promise<void> {
    this.#open.add(connection);
    try {
      const request = await readRequest(connection);
      if (request === undefined) return;
      const number = this.bodies.push(request.body);
      this.heads.push(request.head);
      const encoder = new TextEncoder();
      const send = async (...parts: readonly (string | Uint8Array)[]) => {
        for (const part of parts) {
          let bytes = typeof part === "string" ? encoder.encode(part) : part;
          while (bytes.length > 0) bytes = bytes.subarray(await connection.write(bytes));
        }
      };
      await handler({
        ...request,
        number,
        send,
        stream: (headers = "") =>
          send(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n${headers}\r\n`),
        gone: async () => {
          const rest = new Uint8Array(1024);
          while (await connection.read(rest).catch(() => null) !== null);
        },
      });
    } finally {
      this.#close(connection);
    }
  }

  #close(connection: Deno.Conn): void {
    if (!this.#open.delete(connection)) return;
    connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#open) this.#close(connection);
    await Promise.all([this.#accepting, ...this.#running]);
  }
}

async function readRequest(connection: Deno.Conn): Promise<{ head: string; body: string } | undefined> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(64 * 1024);
  let text = "";
  for (;;) {
    const read = await connection.read(buffer).catch(() => null);
    if (read === null) return undefined;
    text += decoder.decode(buffer.subarray(0, read), { stream: true });
    const end = text.indexOf("\r\n\r\n");
    if (end < 0) continue;
    const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
    const body = text.slice(end + 4);
    if (new TextEncoder().encode(body).length >= length) return { head: text.slice(0, end), body };
  }
}
