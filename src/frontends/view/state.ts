/** Everything a screen shows, as one value. Only `fold` makes new ones. */
import type {
  ApprovalRequest,
  AskRequest,
  CollaborationMode,
  PlanRequest,
  Posture,
  WorkPreset,
} from "../../contract/decision.ts";
import type { InboxEntry, InboxPause } from "../../contract/inbox.ts";
import type { TodoItem } from "../../contract/tool.ts";
import type { Item, OpenItem } from "./item.ts";

export type Activity =
  | "idle"
  | "queued"
  /** A request is out and nothing has come back. */
  | "waiting"
  | "thinking"
  | "writing"
  | "tools"
  | "checking"
  | "verifying"
  | "retrying"
  /** A question waits for the person. */
  | "asking";

/** Something only the person can answer. Ids are unique across kinds. */
export type OpenQuestion =
  | { readonly kind: "approval"; readonly request: ApprovalRequest }
  | { readonly kind: "ask"; readonly request: AskRequest }
  | { readonly kind: "plan"; readonly request: PlanRequest };

export interface ModelFacts {
  readonly ref: string;
  /** Tokens; 0 unknown. */
  readonly contextWindow: number;
  readonly effort?: string;
}

export interface UsageTotals {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Input tokens of requests whose provider tells about its cache, and how many of them were read from it. */
  readonly cacheKnownTokens: number;
  readonly cacheHitTokens: number;
  /** Sums by currency. */
  readonly cost: Readonly<Record<string, number>>;
  /** Requests without a price: the sums are then a lower bound. */
  readonly unpriced: number;
  readonly requests: number;
}

export interface RunningJob {
  readonly id: string;
  /** One line for people. */
  readonly label: string;
}

export interface ViewState {
  readonly sessionId: string;
  readonly model: ModelFacts;
  readonly posture: Posture;
  /** Lies over the posture. */
  readonly mode: CollaborationMode;
  readonly preset: WorkPreset;
  readonly activity: Activity;
  /** Id of the turn that runs, or undefined between turns. */
  readonly turnId?: string;
  /** Something of this turn's answer is on the screen, or a call has run: it cannot be taken back unseen any more. */
  readonly turnVisible: boolean;
  /** Finished, oldest first. Only ever grows. */
  readonly items: readonly Item[];
  /** Still changing, in their order. */
  readonly open: readonly OpenItem[];
  readonly todos: readonly TodoItem[];
  /** Work that runs in the background, oldest first. */
  readonly jobs: readonly RunningJob[];
  /** Messages that wait for the running turn, in the order they go out. */
  readonly inbox: { readonly items: readonly InboxEntry[]; readonly paused?: InboxPause };
  /** Oldest first. */
  readonly questions: readonly OpenQuestion[];
  readonly contextTokens: number;
  /** What is left on the account; empty: not shown, or not known. */
  readonly balance: readonly { readonly amount: number; readonly currency?: string }[];
  readonly usage: UsageTotals;
  /** Prompt prefix differed from the one before in the newest request. */
  readonly prefixChanged: boolean;
}

export interface ViewStart {
  readonly sessionId: string;
  readonly model: ModelFacts;
  readonly posture: Posture;
  readonly mode?: CollaborationMode;
  readonly preset?: WorkPreset;
}

const NO_USAGE: UsageTotals = {
  promptTokens: 0,
  completionTokens: 0,
  cacheKnownTokens: 0,
  cacheHitTokens: 0,
  cost: {},
  unpriced: 0,
  requests: 0,
};

export function createViewState(start: ViewStart, items: readonly Item[] = []): ViewState {
  return {
    mode: "normal",
    preset: "balanced",
    ...start,
    activity: "idle",
    turnVisible: false,
    items,
    open: [],
    todos: [],
    inbox: { items: [] },
    jobs: [],
    questions: [],
    contextTokens: 0,
    balance: [],
    usage: NO_USAGE,
    prefixChanged: false,
  };
}
