/** What an endpoint can do wrong with one request, in the words of each wire kind. */
import type { RawExchange } from "../../../tests/support/raw_server.ts";
import type { WireSpeech } from "../../../tests/support/wire_speech.ts";

export interface FaultContext {
  readonly speech: WireSpeech;
  /** The key of the request, for endpoints that repeat it where they must not. */
  readonly key: string;
  /** The stream a healthy endpoint would send, from its first byte to its last. */
  readonly healthy: string;
  /** Calls of the healthy answer; empty when it only speaks. */
  readonly hasCalls: boolean;
}

type Misbehave = (exchange: RawExchange, context: FaultContext) => Promise<void>;

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

const answer =
  (line: string, { headers = "", body = "" }: { headers?: string; body?: string } = {}): Misbehave => (exchange) =>
    exchange.send(
      `HTTP/1.1 ${line}\r\n${headers}content-length: ${new TextEncoder().encode(body).length}\r\n` +
        `connection: close\r\n\r\n${body}`,
    );

const HTML = "<!doctype html><html><head><title>Sign in</title></head><body>Welcome to the hotel network</body></html>";
const MIB = 1024 * 1024;

/** Name -> what happens. `drip` and `garbage` are healthy in the end. */
const FAULTS = {
  too_many: answer("429 Too Many Requests", { headers: "retry-after: 1\r\n" }),
  too_many_no_hint: answer("429 Too Many Requests"),
  broken: answer("500 Internal Server Error", { body: `{"error":{"message":"oops"}}` }),
  overloaded_page: answer("503 Service Unavailable", { headers: "content-type: text/html\r\n", body: HTML }),
  page: answer("200 OK", { headers: "content-type: text/html\r\n", body: HTML }),
  not_the_protocol: answer("200 OK", { headers: "content-type: application/json\r\n", body: `{"hello":"world"}` }),
  elsewhere: answer("302 Found", { headers: "location: http://127.0.0.1:9/v1/other\r\n" }),
  no_answer: () => Promise.resolve(),
  nothing: (exchange) => exchange.stream(),
  empty_answer: async (exchange, { speech }) => {
    await exchange.stream();
    await exchange.send(speech.open, speech.finish("stop", { input: 10, output: 0 }), speech.mark);
  },
  cut_text: async (exchange, { speech }) => {
    await exchange.stream();
    await exchange.send(speech.open, speech.text("This answer will nev"));
  },
  cut_call: async (exchange, { speech }) => {
    await exchange.stream();
    await exchange.send(speech.open, speech.halfCall(0, "cut", "write_file", '{"path":"cut.txt","content":"ha'));
  },
  cut_anywhere: async (exchange, { healthy }) => {
    await exchange.stream();
    await exchange.send(healthy.slice(0, Math.floor(healthy.length * 0.6)));
  },
  silent: (exchange) => exchange.gone(),
  falls_silent: async (exchange, { speech }) => {
    await exchange.stream();
    await exchange.send(speech.open, speech.text("Well, "));
    await exchange.gone();
  },
  keeps_alive: async (exchange, { speech }) => {
    await exchange.stream();
    await exchange.send(speech.open);
    for (let i = 0; i < 40; i++) {
      await exchange.send(": still here\n\n");
      await pause(250);
    }
  },
  drip: async (exchange, { healthy }) => {
    await exchange.stream();
    const pieces = healthy.match(/[\s\S]{1,97}/g) ?? [];
    for (const [at, piece] of pieces.entries()) {
      await exchange.send(piece);
      if (at < 40) await pause(25);
    }
  },
  garbage: async (exchange, { healthy, hasCalls }) => {
    await exchange.stream();
    // Among calls it would be a damaged answer.
    if (!hasCalls) {
      await exchange.send("data: {garb\n\n", "event: unheard-of\ndata: 7\n\n", "\u0000\u0001 no field\n\n");
    }
    await exchange.send(healthy);
  },
  garbage_call: async (exchange, { speech }) => {
    await exchange.stream();
    await exchange.send(
      speech.open,
      "data: {garb\n\n",
      speech.call(0, "odd", "write_file", ['{"path":"odd.txt"']),
      speech.finish("tools", { input: 10, output: 5 }),
      speech.mark,
    );
  },
  bad_zip: async (exchange) => {
    await exchange.stream("content-encoding: gzip\r\n");
    await exchange.send(new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
  },
  too_many_lines: async (exchange, { speech }) => {
    await exchange.stream();
    await exchange.send(speech.open, "data:\n".repeat(250_000));
  },
  too_large: async (exchange, { speech }) => {
    await exchange.stream();
    await exchange.send(speech.open, 'data: {"choices":[{"index":0,"delta":{"content":"');
    const piece = "x".repeat(MIB);
    for (let i = 0; i < 66; i++) await exchange.send(piece);
  },
  key_refused: (exchange, context) =>
    answer("401 Unauthorized", {
      headers: `x-request-id: ${context.key}\r\n`,
      body: JSON.stringify({ error: { message: `Incorrect key ${context.key} for ?key=${context.key}` } }),
    })(exchange, context),
  key_in_error: (exchange, context) =>
    answer("500 Internal Server Error", {
      body: JSON.stringify({ error: { message: `upstream refused Bearer ${context.key}`, type: "server_error" } }),
    })(exchange, context),
  key_in_stream: async (exchange, { speech, key }) => {
    await exchange.stream();
    const message = `authorization: Bearer ${key} was not accepted by the upstream`;
    await exchange.send(
      speech.open,
      `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "server_error", message } })}\n\n`,
    );
  },
} as const satisfies Readonly<Record<string, Misbehave>>;

export type WireFault = keyof typeof FAULTS;

export const WIRE_FAULTS = Object.keys(FAULTS) as readonly WireFault[];

export const misbehave = (fault: WireFault, exchange: RawExchange, context: FaultContext): Promise<void> =>
  FAULTS[fault](exchange, context);

/** Those after which the answer has been given all the same. */
export const HEALTHY_IN_THE_END: readonly WireFault[] = ["drip", "garbage"];
