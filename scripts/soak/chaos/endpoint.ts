/**
 * A model endpoint that answers each step from its plan, in the words of all three wire kinds, and keeps every request.
 * Which step a request belongs to stands in its address.
 */
import { type RawExchange, RawServer } from "../../../tests/support/raw_server.ts";
import { type KindName, speechOf, type WireSpeech } from "../../../tests/support/wire_speech.ts";
import type { Round } from "./rounds.ts";
import { HEALTHY_IN_THE_END, misbehave, type WireFault } from "./wire_faults.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

export interface Seen {
  readonly wire: KindName;
  readonly head: string;
  readonly text: string;
  readonly body: Json;
  /** For a summary of the conversation, beside it. */
  readonly isSummary: boolean;
}

/** One program's conversation with the endpoint. */
export class Served {
  readonly seen: Seen[] = [];
  /** How often each fault was done. */
  readonly faults: WireFault[] = [];
  #rounds: { readonly round: Round; faults: WireFault[] }[] = [];
  readonly #waiting: { readonly count: number; readonly tell: () => void }[] = [];

  constructor(rounds: readonly Round[]) {
    this.next(rounds);
  }

  /** Answers to the next prompt, in place of what is left of those before. */
  next(rounds: readonly Round[]): void {
    this.#rounds = rounds.map((round) => ({ round, faults: [...round.faults] }));
  }

  /** Settles when the n-th request of the conversation has come. */
  request(count: number): Promise<void> {
    return new Promise((tell) => {
      this.#waiting.push({ count, tell });
      this.#tell();
    });
  }

  take(seen: Seen): { readonly fault?: WireFault; readonly round: Round } {
    this.seen.push(seen);
    this.#tell();
    if (seen.isSummary) return { round: SUMMARY };
    const next = this.#rounds[0];
    if (next === undefined) return { round: NO_MORE };
    const fault = next.faults.shift();
    if (fault !== undefined) this.faults.push(fault);
    const isGiven = fault === undefined ? !neverComes(next.round) : HEALTHY_IN_THE_END.includes(fault);
    if (isGiven) this.#rounds.shift();
    return { ...(fault === undefined ? {} : { fault }), round: next.round };
  }

  get conversation(): readonly Seen[] {
    return this.seen.filter(({ isSummary }) => !isSummary);
  }

  #tell(): void {
    const there = this.conversation.length;
    for (const { count, tell } of this.#waiting) if (there >= count) tell();
  }
}

/** The answer itself hangs, however often it is asked for. */
const neverComes = ({ hangs, calls }: Round): boolean => hangs && calls.length === 0;

const silent: Round = { faults: [], text: "", reasoning: "", calls: [], sameIds: false, hangs: false };
const NO_MORE: Round = { ...silent, text: "There is nothing more to say." };
const SUMMARY: Round = { ...silent, text: "## Goal\nThe work goes on.\n## Done\nSome of it." };

export class Endpoint implements AsyncDisposable {
  readonly #server: RawServer;
  readonly #key: string;
  readonly #served = new Map<string, Served>();
  #calls = 0;
  /** Requests to an address no step has. */
  readonly strays: string[] = [];

  constructor(key: string) {
    this.#key = key;
    this.#server = new RawServer((exchange) => this.#answer(exchange));
  }

  /** Base address of what a step asks. */
  url(name: string): string {
    return `${this.#server.url}/${name}/v1`;
  }

  serve(name: string, rounds: readonly Round[]): Served {
    const served = new Served(rounds);
    this.#served.set(name, served);
    return served;
  }

  async #answer(exchange: RawExchange): Promise<void> {
    const path = /^POST (\S+)/.exec(exchange.head)?.[1] ?? "";
    const served = this.#served.get(path.split("/")[1] ?? "");
    const wire: KindName = path.endsWith("/messages")
      ? "anthropic"
      : path.endsWith("/responses")
      ? "responses"
      : "openai";
    if (served === undefined) {
      this.strays.push(exchange.head.split("\r\n", 1)[0]!);
      return await exchange.send("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    }
    const body = JSON.parse(exchange.body);
    const isSummary = body.tools === undefined;
    const { fault, round } = served.take({ wire, head: exchange.head, text: exchange.body, body, isSummary });
    const speech = speechOf(wire);
    if (neverComes(round)) {
      await exchange.stream();
      await exchange.send(speech.open, speech.text("Let me think"));
      return await exchange.gone();
    }
    const healthy = this.#healthy(round, speech, exchange.body.length);
    if (fault !== undefined) {
      return await misbehave(fault, exchange, { speech, key: this.#key, healthy, hasCalls: round.calls.length > 0 });
    }
    await exchange.stream();
    await exchange.send(healthy);
  }

  #healthy(round: Round, speech: WireSpeech, size: number): string {
    const parts = [speech.open];
    if (round.reasoning) parts.push(speech.reasoning(round.reasoning));
    if (round.text) parts.push(speech.text(round.text));
    const first = this.#calls + 1;
    for (const [at, call] of round.calls.entries()) {
      const args = typeof call.args === "string" ? call.args : JSON.stringify(call.args);
      const id = `call_${round.sameIds ? first : ++this.#calls}`;
      parts.push(speech.call(at, id, call.name, args.match(/[\s\S]{1,4000}/gu) ?? []));
    }
    if (round.sameIds) this.#calls++;
    const usage = { input: Math.ceil(size / 4), output: 20 };
    parts.push(speech.finish(round.calls.length > 0 ? "tools" : "stop", usage), speech.mark);
    return parts.join("");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}
