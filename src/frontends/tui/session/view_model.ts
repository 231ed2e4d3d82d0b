/** The view with what the terminal adds to it: lines of its own and commands of the person, as events of their own. */
import type { Event, EventBody } from "../../../contract/event.ts";
import type { Message } from "../../../contract/message.ts";
import { type Controller, toInboxEntry } from "../../../controller/mod.ts";
import { contextTokensOf, createViewState, fold, itemsOf, todosOf, type ViewState } from "../../view/mod.ts";

/** Turns of a stored conversation that are written when it opens. */
const SHOWN_TURNS = 100;

export class ViewModel {
  #state: ViewState;
  #seq = 0;
  /** Earlier turns of the opened conversation that are not shown. */
  readonly omittedTurns: number;

  constructor(controller: Controller) {
    const { sessionId, model, posture, mode, preset, messages, inbox } = controller;
    const { items, omittedTurns } = itemsOf(messages, { turns: SHOWN_TURNS });
    this.omittedTurns = omittedTurns;
    this.#state = {
      ...createViewState({ sessionId, model, posture, mode, preset }, items),
      todos: todosOf(messages),
      contextTokens: contextTokensOf(messages),
      inbox: { ...inbox, items: inbox.items.map(toInboxEntry) },
    };
  }

  get state(): ViewState {
    return this.#state;
  }

  apply(event: Event): void {
    this.#seq = Math.max(this.#seq, event.seq);
    this.#state = fold(this.#state, event);
  }

  /** Shows something that is no event of the session. Keys lie between those of events. */
  local(body: EventBody): void {
    this.#seq += 1 / 4096;
    const { sessionId, turnId = "t0" } = this.#state;
    this.#state = fold(this.#state, { sessionId, turnId, seq: this.#seq, ...body });
  }

  /** What a conversation that was opened in the middle of the program holds. */
  open(messages: readonly Message[]): void {
    const { items } = itemsOf(messages, { turns: SHOWN_TURNS });
    this.#state = {
      ...this.#state,
      items: [...this.#state.items, ...items],
      todos: todosOf(messages),
      contextTokens: contextTokensOf(messages),
    };
  }
}
