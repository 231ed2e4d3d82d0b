/**
 * The one door for frontends: intents in, events out. Owns the order of turns; knows nothing of screens. Whatever
 * hangs, `cancel` and `close` give control back within five seconds.
 */
import type { Agent, TurnSummary } from "../agent/mod.ts";
import type { EventListener } from "../contract/event.ts";
import type { Intent } from "../contract/intent.ts";
import type { Transcript } from "../contract/session.ts";
import type { Approvals } from "./approvals.ts";
import type { EventLog } from "./event_log.ts";

export type Receipt =
  /** `turn` settles when the turn that the prompt starts has ended; it never rejects but for a defect. */
  | { readonly accepted: true; readonly turn?: Promise<TurnSummary> }
  | { readonly accepted: false; readonly reason: string };

export interface Controller {
  readonly sessionId: string;
  /** Where the conversation is stored. */
  readonly sessionPath: string;
  /** A turn runs or waits. */
  readonly busy: boolean;
  subscribe(listener: EventListener): () => void;
  send(intent: Intent): Receipt;
  /** Stops what runs, ends what was started, gives the session back. Idempotent; settles within five seconds. */
  close(): Promise<void>;
}

export interface ControllerPorts {
  readonly agent: Agent;
  readonly log: EventLog;
  readonly approvals: Approvals;
  readonly transcript: Transcript;
  /** Ends background jobs, servers and the like. */
  readonly closers: readonly (() => Promise<void>)[];
}

/** How long `close` waits for a turn, and then for the closers. Milliseconds. */
const TURN_GRACE = 3_000;
const CLOSER_GRACE = 1_500;

export function createController(ports: ControllerPorts): Controller {
  return new Door(ports);
}

class Door implements Controller {
  readonly #ports: ControllerPorts;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #stop: AbortController | undefined;
  #closed: Promise<void> | undefined;

  constructor(ports: ControllerPorts) {
    this.#ports = ports;
  }

  get sessionId(): string {
    return this.#ports.transcript.id;
  }

  get sessionPath(): string {
    return this.#ports.transcript.path;
  }

  get busy(): boolean {
    return this.#waiting > 0;
  }

  subscribe(listener: EventListener): () => void {
    return this.#ports.log.subscribe(listener);
  }

  send(intent: Intent): Receipt {
    if (this.#closed) return { accepted: false, reason: "the session is closed" };
    switch (intent.kind) {
      case "prompt":
        return { accepted: true, turn: this.#enqueue(intent.text) };
      case "steer":
        if (this.#ports.agent.steer(intent.text)) return { accepted: true };
        return { accepted: true, turn: this.#enqueue(intent.text) };
      case "cancel":
        if (!this.#stop) return { accepted: false, reason: "no turn is running" };
        this.#stop.abort();
        return { accepted: true };
      case "approve":
        if (this.#ports.approvals.settle(intent.id, intent.answer)) return { accepted: true };
        return { accepted: false, reason: "this question was answered already" };
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  async #shutDown(): Promise<void> {
    const { closers, transcript } = this.#ports;
    this.#stop?.abort();
    await within(TURN_GRACE, this.#last);
    await within(CLOSER_GRACE, Promise.allSettled(closers.map((close) => close())));
    await transcript.close();
  }

  #enqueue(text: string): Promise<TurnSummary> {
    const { agent, log } = this.#ports;
    this.#waiting++;
    const turn = this.#last.then(async () => {
      log.nextTurn();
      log.emit({ kind: "turn_status", status: "queued" });
      this.#stop = new AbortController();
      if (this.#closed) this.#stop.abort();
      try {
        return await agent.runTurn(text, this.#stop.signal);
      } finally {
        this.#stop = undefined;
        this.#waiting--;
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((settle) => timer = setTimeout(settle, ms));
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
