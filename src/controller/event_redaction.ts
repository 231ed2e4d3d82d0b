/**
 * Keeps saved secrets out of every event, so that no screen, log or file made from events can show one. A secret that
 * arrives in pieces is caught as well: the end of a piece that may be its start waits for the next.
 */
import type { EventBody } from "../contract/event.ts";
import type { SecretFilter, SecretStream } from "../lib/secret_filter.ts";

type Piece = Extract<EventBody, { readonly kind: "text" | "reasoning" | "tool_progress" }>;

interface Channel {
  readonly stream: SecretStream;
  /** The piece it was made for; what waits is told in its form. */
  readonly form: Piece;
}

export class EventRedaction {
  readonly #secrets: SecretFilter;
  readonly #channels = new Map<string, Channel>();

  constructor(secrets: SecretFilter) {
    this.#secrets = secrets;
  }

  /** What is told in place of `body`: often itself, sometimes what waited before it, sometimes nothing yet. */
  *toTold(body: EventBody): Generator<EventBody> {
    if (this.#secrets.isEmpty) {
      yield body;
      return;
    }
    if (body.kind !== "text" && body.kind !== "reasoning" && body.kind !== "tool_progress") {
      yield* this.#end((form) => form.kind !== "tool_progress" || isEndOf(form, body));
      yield this.#secrets.value(body);
      return;
    }
    const name = channelOf(body);
    // Words and thoughts follow each other; what tools print goes on beside them.
    if (body.kind !== "tool_progress") {
      yield* this.#end((form) => form.kind !== "tool_progress" && form.kind !== body.kind && sameRun(form, body));
    }
    const channel = this.#channels.get(name) ?? { stream: this.#secrets.stream(), form: body };
    this.#channels.set(name, channel);
    const text = channel.stream.push(body.text);
    if (text !== "") yield { ...body, text };
  }

  *#end(isMeant: (form: Piece) => boolean): Generator<EventBody> {
    for (const [name, { stream, form }] of this.#channels) {
      if (!isMeant(form)) continue;
      this.#channels.delete(name);
      const text = stream.end();
      if (text !== "") yield { ...form, text };
    }
  }
}

function channelOf(body: Piece): string {
  return [runOf(body), body.kind, body.kind === "tool_progress" ? body.tool.id : ""].join("\n");
}

function isEndOf(form: Piece, body: EventBody): boolean {
  if (body.kind === "turn_done") return true;
  return body.kind === "tool_result" && form.kind === "tool_progress" && form.tool.id === body.tool.id;
}

/** Events of a child run carry the call that started it. */
function runOf(body: EventBody): string {
  return (body as { readonly parentCallId?: string }).parentCallId ?? "";
}

function sameRun(a: EventBody, b: EventBody): boolean {
  return runOf(a) === runOf(b);
}
