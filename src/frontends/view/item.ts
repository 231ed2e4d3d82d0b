/**
 * What a conversation looks like to people: a list of items, each of one kind. A finished item never changes again, so
 * a terminal writes it once and a page draws it once.
 */
import type { ToolView, TurnFailure, TurnOutcome, UsageView } from "../../contract/event.ts";
import type { OpenQuestion } from "./state.ts";

interface ItemBase {
  /** Sequence number of the event that opened it; unique and rising within one run of the program. */
  readonly key: number;
  /** Of a child run: the call that started it. */
  readonly parentCallId?: string;
}

export type Item =
  | ItemBase & { readonly kind: "user"; readonly text: string; readonly steer: boolean }
  | ItemBase & { readonly kind: "thinking"; readonly text: string }
  | ItemBase & {
    readonly kind: "answer";
    readonly text: string;
    /** Its stream broke off. */
    readonly void?: true;
  }
  | ItemBase & {
    readonly kind: "tool";
    readonly tool: ToolView;
    /** Live output so far, its end only. Empty once the result is there. */
    readonly progress: string;
  }
  | ItemBase & {
    readonly kind: "notice";
    readonly level: "info" | "warning" | "error";
    readonly text: string;
    readonly code?: string;
  }
  | ItemBase & {
    readonly kind: "retry";
    readonly attempt: number;
    readonly max: number;
    readonly delayMs: number;
    readonly reason: string;
  }
  | ItemBase & { readonly kind: "decision"; readonly question: OpenQuestion; readonly answer: string }
  | ItemBase & { readonly kind: "usage"; readonly usage: UsageView }
  | ItemBase & { readonly kind: "job"; readonly job: string; readonly status: string }
  | ItemBase & {
    readonly kind: "turn_end";
    readonly outcome: TurnOutcome;
    readonly rounds: number;
    readonly failure?: TurnFailure;
  }
  | ItemBase & {
    readonly kind: "session";
    readonly sessionId: string;
    readonly resumed: boolean;
    readonly model: string;
  };

export type ItemKind = Item["kind"];
export type ItemOf<K extends ItemKind> = Extract<Item, { kind: K }>;

/** An item that may still change. `done` ones wait for those before them, so that order is kept. */
export interface OpenItem {
  readonly item: Item;
  readonly done: boolean;
}
