/**
 * A model behind real HTTP: speaks OpenAI chat completions on loopback, answers from a script, keeps every request
 * body as it came, and fails the test when a body does not extend the one before it byte for byte.
 */
import assert from "node:assert/strict";
import type { EventBody } from "../../src/contract/event.ts";

// deno-lint-ignore no-explicit-any
export type WireBody = any;

export interface WireAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly args: unknown; readonly id?: string }[];
  readonly finish?: string;
  /** Answered as it is, in place of a stream. */
  readonly response?: () => Response | Promise<Response>;
}

export type WireStep = WireAnswer | ((body: WireBody) => WireAnswer);

export interface RecordedRequest {
  readonly path: string;
  readonly headers: Headers;
  readonly text: string;
  readonly body: WireBody;
}

export class ModelServer implements AsyncDisposable {
  /** Of the conversation. */
  readonly requests: RecordedRequest[] = [];
  /** For a summary: requests without tools, beside the conversation. They extend nothing. */
  readonly summaryRequests: RecordedRequest[] = [];
  /** A fold that was applied is the one event that may rewrite the prefix, once: `watch` listens for it. */
  allowNextReset = false;
  readonly url: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #script: WireStep[];
  #failure: unknown;
  #calls = 0;

  readonly #summarize: ((body: WireBody) => WireAnswer) | undefined;

  /** `summarize` answers requests for a summary; without it there must be none. */
  constructor(script: readonly WireStep[], options: { readonly summarize?: (body: WireBody) => WireAnswer } = {}) {
    this.#script = [...script];
    this.#summarize = options.summarize;
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => this.#answer(request),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async #answer(request: Request): Promise<Response> {
    const text = await request.text();
    const recorded: RecordedRequest = {
      path: new URL(request.url).pathname,
      headers: request.headers,
      text,
      body: text ? JSON.parse(text) : {},
    };
    const isSummary = this.#summarize !== undefined && recorded.body.messages !== undefined && !recorded.body.tools;
    const last = this.requests.findLast((earlier) => earlier.path === recorded.path);
    (isSummary ? this.summaryRequests : this.requests).push(recorded);
    try {
      if (last && !isSummary && !this.allowNextReset) assertExtends(recorded.text, last.text);
      if (!isSummary) this.allowNextReset = false;
      const step = isSummary ? this.#summarize : this.#script.shift();
      if (step === undefined) throw new Error("the script is at its end, yet the model was asked once more");
      const answer = typeof step === "function" ? step(recorded.body) : step;
      return answer.response ? await answer.response() : this.#stream(answer, text);
    } catch (error) {
      this.#failure ??= error;
      return new Response(`the test's model failed: ${error instanceof Error ? error.message : error}`, {
        status: 400,
      });
    }
  }

  #stream(answer: WireAnswer, asked: string): Response {
    const deltas: unknown[] = [];
    if (answer.reasoning) deltas.push({ reasoning_content: answer.reasoning });
    for (const piece of answer.text?.match(/[\s\S]{1,7}/gu) ?? []) deltas.push({ content: piece });
    for (const [index, call] of (answer.calls ?? []).entries()) {
      const id = call.id ?? `call_${++this.#calls}`;
      const args = typeof call.args === "string" ? call.args : JSON.stringify(call.args);
      deltas.push({ tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" } }] });
      for (const piece of args.match(/[\s\S]{1,40}/gu) ?? []) {
        deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
      }
    }
    const finish = answer.finish ?? (answer.calls?.length ? "tool_calls" : "stop");
    const prompt = Math.ceil(asked.length / 4);
    const lines = [
      ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
      { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
      { choices: [], usage: { prompt_tokens: prompt, completion_tokens: 10, total_tokens: prompt + 10 } },
    ];
    const body = lines.map((line) => `data: ${JSON.stringify({ id: "r", ...line })}\n\n`).join("") + "data: [DONE]\n\n";
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  /** Give it every event. */
  readonly watch = (event: EventBody): void => {
    if (event.kind === "compaction_done" && event.outcome === "applied") this.allowNextReset = true;
    if (event.kind === "rewound" && event.scope !== "code") this.allowNextReset = true;
  };

  /** Ends the server, and the test if the model saw something it must not see. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
    if (this.#failure) throw this.#failure;
  }
}

/** The earlier body without its closing brackets is the start of the later one. */
export function assertExtends(later: string, earlier: string): void {
  const open = earlier.replace(/[\]}]+$/, "");
  assert.ok(later.startsWith(open), `a request does not extend the one before it:\n${firstDifference(later, open)}`);
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `at ${at}: …${b.slice(at, at + 80)}… became …${a.slice(at, at + 80)}…`;
}
