/**
 * The reference MCP server, without a transport: messages in, messages out. Shows what a server is made of: tools that
 * say what they are, a tool that takes long, tells how far it is and can be stopped, one that changes something, a
 * prompt and a resource.
 */

const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

type Fields = Record<string, unknown>;
type Id = string | number;

/** Sends one message to the client. */
export type Say = (message: Fields) => void;

/** An answer with an `error` member; the code is one of JSON-RPC's own. */
class Failure extends Error {
  constructor(readonly code: number, message: string) {
    super(message);
  }
}
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** What runs a tool: its arguments, when to stop, and how to tell how far it is. */
interface Call {
  readonly args: Fields;
  readonly signal: AbortSignal;
  progress(done: number, total: number, message: string): void;
}

interface Tool {
  /** As `tools/list` tells it. */
  readonly about: Fields & { readonly name: string };
  run(call: Call): Fields | Promise<Fields>;
}

const text = { type: "string", description: "Any text" };
const textOnly = { type: "object", properties: { text }, required: ["text"], additionalProperties: false };
/** Hints are promises: a client lets readers run side by side and without a question. */
const reader = { readOnlyHint: true, openWorldHint: false };

const STYLE_GUIDE = "example://style-guide";
const RESOURCES = [{
  uri: STYLE_GUIDE,
  name: "style-guide",
  description: "How this example likes prose to be written.",
  mimeType: "text/markdown",
}];
const PROMPTS = [{
  name: "review",
  description: "Asks for a review in the house style.",
  arguments: [{ name: "focus", description: "What to look at first", required: false }],
}];

/** One connection. Keeps what the client may change: a list of notes, gone with the process. */
export class ExampleServer {
  readonly #say: Say;
  readonly #running = new Map<Id, AbortController>();
  readonly #notes: string[] = [];
  readonly #tools: readonly Tool[];

  constructor(say: Say) {
    this.#say = say;
    this.#tools = [echo, wordcount, countdown, this.#addNote(), this.#clearNotes()];
  }

  /** Takes one line as read. Never throws. Answers a promise for a call that takes its time, and then never rejects. */
  take(line: string): Promise<void> | void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#refuse(null, PARSE_ERROR, "The line is not JSON");
    }
    if (!isFields(message) || message.jsonrpc !== "2.0") {
      return this.#refuse(null, INVALID_REQUEST, "Not a JSON-RPC 2.0 message");
    }
    const { id, method } = message;
    // Answers to requests of ours: this server sends none.
    if (method === undefined && ("result" in message || "error" in message)) return;
    if (id !== undefined && typeof id !== "string" && typeof id !== "number") {
      return this.#refuse(null, INVALID_REQUEST, "An id is a string or a number");
    }
    if (typeof method !== "string") return this.#refuse(id ?? null, INVALID_REQUEST, "A request names its method");
    const params = isFields(message.params) ? message.params : {};
    if (id === undefined) return this.#hear(method, params);
    return this.#answer(id, method, params);
  }

  /** Stops what runs: the client has gone. */
  close(): void {
    for (const call of this.#running.values()) call.abort();
  }

  #hear(method: string, params: Fields): void {
    if (method === "notifications/cancelled") this.#running.get(params.requestId as Id)?.abort();
  }

  /** What is answered at once is answered in order. */
  #answer(id: Id, method: string, params: Fields): Promise<void> | void {
    const stop = new AbortController();
    try {
      const result = this.#handle(method, params, stop.signal);
      if (result instanceof Promise) return this.#finish(id, result, stop);
      this.#say({ jsonrpc: "2.0", id, result });
    } catch (error) {
      this.#fail(id, error);
    }
  }

  async #finish(id: Id, work: Promise<Fields>, stop: AbortController): Promise<void> {
    this.#running.set(id, stop);
    try {
      const result = await work;
      // A request that was cancelled is not answered.
      if (!stop.signal.aborted) this.#say({ jsonrpc: "2.0", id, result });
    } catch (error) {
      if (!stop.signal.aborted) this.#fail(id, error);
    } finally {
      this.#running.delete(id);
    }
  }

  #fail(id: Id, error: unknown): void {
    if (error instanceof Failure) this.#refuse(id, error.code, error.message);
    else this.#refuse(id, INTERNAL_ERROR, "Internal error");
  }

  #handle(method: string, params: Fields, signal: AbortSignal): Fields | Promise<Fields> {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: PROTOCOL_VERSIONS.find((one) => one === params.protocolVersion) ?? PROTOCOL_VERSIONS[0],
          capabilities: { tools: {}, prompts: {}, resources: {} },
          serverInfo: { name: "reasonix-plugin-example", version: "1.1.0" },
        };
      case "ping":
        return {};
      case "tools/list":
        return { tools: this.#tools.map(({ about }) => about) };
      case "tools/call":
        return this.#call(params, signal);
      case "prompts/list":
        return { prompts: PROMPTS };
      case "prompts/get":
        return prompt(params);
      case "resources/list":
        return { resources: RESOURCES };
      case "resources/read":
        return read(params);
      default:
        throw new Failure(UNKNOWN_METHOD, `No method "${method}"`);
    }
  }

  #call(params: Fields, signal: AbortSignal): Fields | Promise<Fields> {
    const tool = this.#tools.find(({ about }) => about.name === params.name);
    if (tool === undefined) throw new Failure(INVALID_PARAMS, `No tool "${String(params.name)}"`);
    const meta = isFields(params._meta) ? params._meta : {};
    const progressToken = meta.progressToken;
    return tool.run({
      args: isFields(params.arguments) ? params.arguments : {},
      signal,
      progress: (progress, total, message) => {
        if (progressToken === undefined || signal.aborted) return;
        this.#say({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken, progress, total, message },
        });
      },
    });
  }

  #addNote(): Tool {
    return {
      about: {
        name: "add_note",
        description: "Keeps a note until this server ends, and answers all notes.",
        inputSchema: textOnly,
        annotations: { title: "Add a note", readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      },
      run: ({ args }) => {
        if (typeof args.text !== "string") return wrong(`"text" is missing or not a string`);
        this.#notes.push(args.text);
        return content(this.#notes.map((note, at) => `${at + 1}. ${note}`).join("\n"));
      },
    };
  }

  #clearNotes(): Tool {
    return {
      about: {
        name: "clear_notes",
        description: "Forgets all notes.",
        inputSchema: { type: "object", properties: {}, additionalProperties: false },
        annotations: {
          title: "Clear notes",
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      run: () => content(`${this.#notes.splice(0).length} notes forgotten`),
    };
  }

  #refuse(id: Id | null, code: number, message: string): void {
    this.#say({ jsonrpc: "2.0", id, error: { code, message } });
  }
}

const echo: Tool = {
  about: {
    name: "echo",
    description: "Answers with the text it was given.",
    inputSchema: textOnly,
    annotations: { title: "Echo", ...reader },
  },
  run: ({ args }) => typeof args.text === "string" ? content(args.text) : wrong(`"text" is missing or not a string`),
};

const wordcount: Tool = {
  about: {
    name: "wordcount",
    description: "Counts the words, characters and lines of a text, in any language.",
    inputSchema: textOnly,
    outputSchema: {
      type: "object",
      properties: { words: { type: "integer" }, characters: { type: "integer" }, lines: { type: "integer" } },
      required: ["words", "characters", "lines"],
    },
    annotations: { title: "Word count", ...reader },
  },
  run: ({ args }) => {
    // What the model can mend is a result it reads, not a protocol error.
    if (typeof args.text !== "string") return wrong(`"text" is missing or not a string`);
    const counted = count(args.text);
    // Structured for clients that read it, and as text for those that do not.
    return { ...content(JSON.stringify(counted)), structuredContent: counted };
  },
};

const STEPS = 100;

const countdown: Tool = {
  about: {
    name: "countdown",
    description: "Counts down, telling how far it is, until it is done or stopped. For trying out long calls.",
    inputSchema: {
      type: "object",
      properties: {
        steps: { type: "integer", minimum: 1, maximum: STEPS, description: "How many steps" },
        milliseconds: {
          type: "integer",
          minimum: 0,
          maximum: 10_000,
          description: "Between two steps; 100 when left out",
        },
      },
      required: ["steps"],
      additionalProperties: false,
    },
    annotations: { title: "Countdown", ...reader, idempotentHint: true },
  },
  run: ({ args, signal, progress }) => {
    const { steps, milliseconds = 100 } = args;
    if (!isWhole(steps, STEPS) || steps === 0) return wrong(`"steps" is a whole number from 1 to ${STEPS}`);
    if (!isWhole(milliseconds, 10_000)) return wrong(`"milliseconds" is a whole number up to 10000`);
    return countDown(steps, milliseconds, { signal, progress });
  },
};

async function countDown(
  steps: number,
  milliseconds: number,
  { signal, progress }: Omit<Call, "args">,
): Promise<Fields> {
  for (let step = 1; step <= steps && !signal.aborted; step++) {
    await pause(milliseconds, signal);
    progress(step, steps, `${steps - step} to go`);
  }
  return content(`counted ${steps} steps`);
}

/** Ends early when the call is stopped. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    }, { once: true });
  });
}

function count(given: string): { words: number; characters: number; lines: number } {
  let words = 0;
  for (const segment of new Intl.Segmenter(undefined, { granularity: "word" }).segment(given)) {
    if (segment.isWordLike) words++;
  }
  const lines = given === "" ? 0 : given.replace(/\n$/, "").split("\n").length;
  return { words, characters: [...given].length, lines };
}

function prompt(params: Fields): Fields {
  if (params.name !== "review") throw new Failure(INVALID_PARAMS, `No prompt "${String(params.name)}"`);
  const focus = isFields(params.arguments) && typeof params.arguments.focus === "string" ? params.arguments.focus : "";
  const request = `Review the change at hand${
    focus === "" ? "" : `, ${focus} first`
  }. Name file and line of each finding.`;
  return {
    description: PROMPTS[0]?.description,
    messages: [{ role: "user", content: { type: "text", text: request } }],
  };
}

function read(params: Fields): Fields {
  if (params.uri !== STYLE_GUIDE) throw new Failure(INVALID_PARAMS, `No resource "${String(params.uri)}"`);
  const guide = "# Style guide\n\nShort sentences. The subject first. One idea each.\n";
  return { contents: [{ uri: STYLE_GUIDE, mimeType: "text/markdown", text: guide }] };
}

function content(said: string): Fields {
  return { content: [{ type: "text", text: said }] };
}

function wrong(said: string): Fields {
  return { ...content(said), isError: true };
}

function isWhole(value: unknown, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
