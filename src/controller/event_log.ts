/**
 * Gives each event its place (session, turn, sequence number) and hands it to everyone who listens. Delivery is
 * synchronous and in order. A listener that throws is dropped and named once: the screen may fail, the work goes on.
 * Whoever listens before the first turn is told all there was so far: things happen while the parts are put together.
 */
import type { Event, EventBody, EventListener } from "../contract/event.ts";
import { errorText } from "../lib/error_text.ts";
import { SecretFilter } from "../lib/secret_filter.ts";
import { EventRedaction } from "./event_redaction.ts";

export class EventLog {
  readonly #sessionId: () => string;
  readonly #listeners = new Set<EventListener>();
  /** Undefined once the first turn has begun. */
  #early: Event[] | undefined = [];
  #seq = 0;
  #turn = 0;
  #secrets = new SecretFilter([]);
  #redaction = new EventRedaction(this.#secrets);

  constructor(sessionId: () => string) {
    this.#sessionId = sessionId;
  }

  /** From here on, events belong to a new turn. */
  nextTurn(): void {
    this.#early = undefined;
    this.#turn++;
  }

  /** From here on, nothing that is told holds one of these. */
  hide(secrets: Iterable<string>): void {
    this.#secrets = new SecretFilter(secrets);
    this.#redaction = new EventRedaction(this.#secrets);
  }

  /** For what is told beside the events. */
  redact<T>(value: T): T {
    return this.#secrets.value(value);
  }

  readonly emit = (body: EventBody): void => {
    for (const told of this.#redaction.toTold(body)) this.#tell(told);
  };

  #tell(body: EventBody): void {
    const event: Event = { sessionId: this.#sessionId(), turnId: `t${this.#turn}`, seq: ++this.#seq, ...body };
    this.#early?.push(event);
    const broken = [...this.#listeners].flatMap((listener) => this.#deliver(listener, event) ?? []);
    for (const error of broken) this.#drop(error);
  }

  /** Answers the error of a listener that listens no longer. */
  #deliver(listener: EventListener, event: Event): { readonly error: unknown } | undefined {
    try {
      listener(event);
    } catch (error) {
      this.#listeners.delete(listener);
      return { error };
    }
  }

  #drop({ error }: { readonly error: unknown }): void {
    const text = `an output stopped listening: ${errorText(error)}`;
    this.emit({ kind: "notice", level: "error", code: "internal.bug", text });
  }

  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    for (const early of this.#early ?? []) {
      // The session may have had no name yet.
      const broken = this.#deliver(listener, { ...early, sessionId: early.sessionId || this.#sessionId() });
      if (broken === undefined) continue;
      this.#drop(broken);
      break;
    }
    return () => this.#listeners.delete(listener);
  }
}
