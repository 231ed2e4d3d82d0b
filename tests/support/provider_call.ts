/** What tests of providers share: settings to start from, ports that do not wait, and one call gathered into a value. */
import type { ReasonixError } from "../../src/contract/errors.ts";
import type {
  Chunk,
  ModelAnswer,
  ModelRequest,
  Provider,
  ProviderPorts,
  ProviderSettings,
} from "../../src/contract/provider.ts";

export function providerSettings(changes: Partial<ProviderSettings> = {}): ProviderSettings {
  return {
    name: "acme",
    kind: "openai",
    model: "m-1",
    baseUrl: "http://127.0.0.1:1/v1",
    apiKey: "sk-test-key-0123456789",
    apiKeyEnv: "ACME_API_KEY",
    authHeader: false,
    headers: {},
    extraBody: {},
    contextWindow: 0,
    maxOutputTokens: 0,
    idleTimeoutSeconds: 300,
    vision: false,
    webSearch: false,
    proxy: { mode: "env" },
    ...changes,
  };
}

export interface TestPorts extends ProviderPorts {
  /** Milliseconds that were asked to be waited. */
  readonly waits: number[];
}

/** Time does not pass and there is no chance; `fetch` is the real one unless given. */
export function testPorts(changes: Partial<ProviderPorts> = {}): TestPorts {
  const waits: number[] = [];
  return {
    fetch,
    sleep: (ms, signal) => {
      waits.push(ms);
      return signal.aborted ? Promise.reject(new DOMException("aborted", "AbortError")) : Promise.resolve();
    },
    random: () => 0,
    now: () => Date.UTC(2030, 0, 1),
    ...changes,
    waits,
  };
}

/** A `fetch` whose answers come from a list; the last one answers for ever. Keeps the requests. */
export function scriptedFetch(
  answers: readonly (() => Response | Promise<Response>)[],
): { readonly fetch: typeof fetch; readonly bodies: Uint8Array[] } {
  const bodies: Uint8Array[] = [];
  const answer: typeof fetch = (_input, init) => {
    const next = answers[Math.min(bodies.length, answers.length - 1)]!;
    bodies.push(init?.body as Uint8Array);
    return Promise.resolve().then(next);
  };
  return { fetch: answer, bodies };
}

export function userRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return { system: "Be brief.", tools: [], messages: [{ role: "user", content: "hi" }], ...changes };
}

export interface GatheredCall {
  readonly chunks: readonly Chunk[];
  readonly answer?: ModelAnswer;
  readonly error?: ReasonixError;
  /** What is left on screen: text and reasoning of the attempt that was not discarded. */
  readonly shown: { readonly text: string; readonly reasoning: string };
}

/** Fails when the stream does not end with exactly one `done` or `error`. */
export async function gather(
  provider: Provider,
  request: ModelRequest = userRequest(),
  signal: AbortSignal = new AbortController().signal,
): Promise<GatheredCall> {
  const chunks: Chunk[] = [];
  const shown = { text: "", reasoning: "" };
  for await (const chunk of provider.stream(request, signal)) {
    const last = chunks.at(-1)?.type;
    if (last === "done" || last === "error") throw new Error(`a ${chunk.type} chunk follows ${last}`);
    chunks.push(chunk);
    if (chunk.type === "text" || chunk.type === "reasoning") shown[chunk.type] += chunk.text;
    if (chunk.type === "attempt" && chunk.action === "discard") shown.text = shown.reasoning = "";
  }
  const end = chunks.at(-1);
  if (end?.type === "done") return { chunks, answer: end.answer, shown };
  if (end?.type === "error") return { chunks, error: end.error, shown };
  throw new Error(`the stream ended with ${end?.type ?? "nothing"}`);
}

/** A stream of events, as its body arrives in `pieces`. */
export function eventStream(pieces: Iterable<Uint8Array | string>, headers: Record<string, string> = {}): Response {
  const encoder = new TextEncoder();
  const source = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = source.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", ...headers } });
}

/** One event of a chat completion. */
export const chatEvent = (choice: Record<string, unknown>, rest: Record<string, unknown> = {}): string =>
  `data: ${JSON.stringify({ id: "r", choices: [{ index: 0, ...choice }], ...rest })}\n\n`;
