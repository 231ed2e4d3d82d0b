/**
 * The reference MCP server as a function: one JSON-RPC message in, one answer out, or none for a notification. It
 * shows the least a server needs, and holds no state, so the transport in main.ts is only about lines.
 */

const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

export interface Answer {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

type Fields = Record<string, unknown>;

/** An answer with an `error` member; the code is one of JSON-RPC's own. */
class Failure extends Error {
  constructor(readonly code: number, message: string) {
    super(message);
  }
}
const INVALID_REQUEST = -32600;
const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;

const text = { type: "string", description: "Any text" };
const reader = { readOnlyHint: true, openWorldHint: false };

const TOOLS = [
  {
    name: "echo",
    description: "Answers with the text it was given.",
    inputSchema: { type: "object", properties: { text }, required: ["text"], additionalProperties: false },
    annotations: { title: "Echo", ...reader },
  },
  {
    name: "wordcount",
    description: "Counts the words, characters and lines of a text, in any language.",
    inputSchema: { type: "object", properties: { text }, required: ["text"], additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: {
        words: { type: "integer" },
        characters: { type: "integer" },
        lines: { type: "integer" },
      },
      required: ["words", "characters", "lines"],
    },
    annotations: { title: "Word count", ...reader },
  },
];

const PROMPTS = [{
  name: "review",
  description: "Asks for a review in the house style.",
  arguments: [{ name: "focus", description: "What to look at first", required: false }],
}];

const STYLE_GUIDE = "example://style-guide";
const RESOURCES = [{
  uri: STYLE_GUIDE,
  name: "style-guide",
  description: "How this example likes prose to be written.",
  mimeType: "text/markdown",
}];

/** Takes one line as read. Never throws. */
export function answer(line: string): Answer | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { jsonrpc: "2.0", id: null, error: { code: -32700, message: "The line is not JSON" } };
  }
  if (!isFields(message) || message.jsonrpc !== "2.0") {
    return refuse(null, INVALID_REQUEST, "Not a JSON-RPC 2.0 message");
  }
  const { id, method } = message;
  // Answers to requests of ours: this server sends none.
  if (method === undefined && ("result" in message || "error" in message)) return undefined;
  if (id !== undefined && typeof id !== "string" && typeof id !== "number") {
    return refuse(null, INVALID_REQUEST, "An id is a string or a number");
  }
  if (typeof method !== "string") return refuse(id ?? null, INVALID_REQUEST, "A request names its method");
  if (id === undefined) return undefined;
  try {
    return { jsonrpc: "2.0", id, result: handle(method, isFields(message.params) ? message.params : {}) };
  } catch (error) {
    if (error instanceof Failure) return refuse(id, error.code, error.message);
    return refuse(id, -32603, "Internal error");
  }
}

function handle(method: string, params: Fields): unknown {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: PROTOCOL_VERSIONS.find((one) => one === params.protocolVersion) ?? PROTOCOL_VERSIONS[0],
        capabilities: { tools: {}, prompts: {}, resources: {} },
        serverInfo: { name: "reasonix-plugin-example", version: "1.0.0" },
      };
    case "ping":
      return {};
    case "tools/list":
      return { tools: TOOLS };
    case "tools/call":
      return call(params);
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

function call(params: Fields): unknown {
  if (!TOOLS.some((tool) => tool.name === params.name)) {
    throw new Failure(INVALID_PARAMS, `No tool "${String(params.name)}"`);
  }
  const given = isFields(params.arguments) ? params.arguments : {};
  // What the model can mend is a result it reads, not a protocol error.
  if (typeof given.text !== "string") return { ...content(`"text" is missing or not a string`), isError: true };
  if (params.name === "echo") return content(given.text);
  const counted = count(given.text);
  return { ...content(JSON.stringify(counted)), structuredContent: counted };
}

function count(given: string): { words: number; characters: number; lines: number } {
  let words = 0;
  for (const segment of new Intl.Segmenter(undefined, { granularity: "word" }).segment(given)) {
    if (segment.isWordLike) words++;
  }
  const lines = given === "" ? 0 : given.replace(/\n$/, "").split("\n").length;
  return { words, characters: [...given].length, lines };
}

function prompt(params: Fields): unknown {
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

function read(params: Fields): unknown {
  if (params.uri !== STYLE_GUIDE) throw new Failure(INVALID_PARAMS, `No resource "${String(params.uri)}"`);
  const guide = "# Style guide\n\nShort sentences. The subject first. One idea each.\n";
  return { contents: [{ uri: STYLE_GUIDE, mimeType: "text/markdown", text: guide }] };
}

function content(said: string) {
  return { content: [{ type: "text", text: said }] };
}

function refuse(id: Answer["id"], code: number, message: string): Answer {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
