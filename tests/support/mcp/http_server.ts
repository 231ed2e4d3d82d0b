/** A remote server on loopback that does as it is told, and keeps every request it got. */

export interface HttpServerOptions {
  /** `stream`: answers come as events. */
  readonly answers?: "json" | "stream";
  readonly session?: boolean;
  /** Looks at each request first; an answer given here is the answer. */
  intercept?(request: Request, body: Message | undefined): Response | undefined | Promise<Response | undefined>;
  readonly tools?: readonly Record<string, unknown>[];
  /** Sent before the answer of a call, when answers are streams. */
  readonly before?: (call: Message) => readonly Record<string, unknown>[];
}

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  // deno-lint-ignore no-explicit-any
  readonly params?: any;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: Message;
}

export class HttpMcpServer implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly url: string;
  readonly origin: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #options: HttpServerOptions;
  readonly #streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  /** Session ids that are known now; forgetting them is what a restart does. */
  session = 0;

  constructor(options: HttpServerOptions = {}) {
    this.#options = options;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#answer(request),
    );
    this.origin = `http://127.0.0.1:${this.#server.addr.port}`;
    this.url = `${this.origin}/mcp`;
  }

  /** Requests by JSON-RPC method. */
  of(method: string): Seen[] {
    return this.seen.filter(({ body }) => body?.method === method);
  }

  async #answer(request: Request): Promise<Response> {
    const text = await request.text();
    const body = text === "" ? undefined : JSON.parse(text) as Message;
    const path = new URL(request.url).pathname;
    this.seen.push({ method: request.method, path, headers: request.headers, ...(body ? { body } : {}) });
    const given = await this.#options.intercept?.(request, body);
    if (given) return given;
    if (request.method === "GET") return new Response(null, { status: 405 });
    if (request.method === "DELETE") return new Response(null, { status: 200 });
    if (body?.id === undefined || body.method === undefined) return new Response(null, { status: 202 });
    const known = request.headers.get("mcp-session-id");
    if (this.#options.session && body.method !== "initialize" && known !== `s${this.session}`) {
      return new Response("unknown session", { status: 404 });
    }
    const headers: Record<string, string> = {};
    if (this.#options.session && body.method === "initialize") headers["mcp-session-id"] = `s${++this.session}`;
    const answer = { jsonrpc: "2.0", id: body.id, result: this.#result(body) };
    if (this.#options.answers !== "stream") return Response.json(answer, { headers });
    const messages = [...(body.method === "tools/call" ? this.#options.before?.(body) ?? [] : []), answer];
    const events = messages.map((message) => `event: message\r\ndata: ${JSON.stringify(message)}\r\n\r\n`).join("");
    return new Response(`: hello\r\n\r\n${events}`, { headers: { ...headers, "content-type": "text/event-stream" } });
  }

  #result({ method, params }: Message): unknown {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "remote", version: "1" },
        };
      case "tools/list":
        return { tools: this.#options.tools ?? [{ name: "echo", inputSchema: { type: "object" } }] };
      default:
        return { content: [{ type: "text", text: JSON.stringify(params) }] };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of this.#streams) stream.close();
    await this.#server.shutdown();
  }
}

/** The older transport: one stream of events, and another address to post to. */
export class SseMcpServer implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly url: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #encoder = new TextEncoder();
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `endpoint` is announced; relative to the stream's own address when it is a path. */
  constructor(endpoint = "/messages") {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
      const text = await request.text();
      const body = text === "" ? undefined : JSON.parse(text) as Message;
      const path = new URL(request.url).pathname;
      this.seen.push({ method: request.method, path, headers: request.headers, ...(body ? { body } : {}) });
      if (request.method === "GET") return this.#open(endpoint);
      if (body?.id !== undefined && body.method) this.#say("message", JSON.stringify(this.#reply(body)));
      return new Response(null, { status: 202 });
    });
    this.url = `http://127.0.0.1:${this.#server.addr.port}/sse`;
  }

  #open(endpoint: string): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller;
        this.#say("endpoint", endpoint);
      },
      cancel: () => this.#stream = undefined,
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  #reply({ id, method, params }: Message) {
    const result = method === "initialize"
      ? { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo: { name: "old", version: "1" } }
      : method === "tools/list"
      ? { tools: [{ name: "echo", inputSchema: { type: "object" } }] }
      : { content: [{ type: "text", text: JSON.stringify(params) }] };
    return { jsonrpc: "2.0", id, result };
  }

  #say(event: string, data: string): void {
    this.#stream?.enqueue(this.#encoder.encode(`event: ${event}\ndata: ${data}\n\n`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#stream?.close();
    } catch {
      // The client has gone already.
    }
    await this.#server.shutdown();
  }
}
