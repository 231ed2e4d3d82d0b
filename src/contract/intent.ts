/** Everything a frontend may ask of the engine. A question goes out as an event with an id; its answer comes back here. */
import type { ApprovalAnswer, AskAnswer, CollaborationMode, PlanDecision, Posture, WorkPreset } from "./decision.ts";
import type { InboxOrder } from "./inbox.ts";

export type Intent =
  /** Starts a turn, or waits in the inbox behind what runs. */
  | { readonly kind: "prompt"; readonly text: string }
  /** Guidance for the running turn; becomes a follow-up turn when none takes it. */
  | { readonly kind: "steer"; readonly text: string }
  /** What the person does with the messages that wait. */
  | { readonly kind: "inbox"; readonly order: InboxOrder }
  /** Stops what runs. `unsend`: a message that nothing has answered leaves the conversation again. */
  | { readonly kind: "cancel"; readonly unsend?: true }
  /** Folds the older part of the conversation now; behind what runs. */
  | {
    readonly kind: "compact";
    readonly focus?: string;
    /** Only what comes before, or from, this turn. */
    readonly part?: { readonly turn: number; readonly direction: "before" | "after" };
  }
  /** Between turns only: back to before a turn, counted from 1 in the conversation in force. */
  | {
    readonly kind: "rewind";
    readonly turn: number;
    readonly scope: "code" | "conversation" | "both";
    /** Only this file or folder; with `code`. */
    readonly path?: string;
    /** Also files that were changed since. */
    readonly force?: boolean;
  }
  | { readonly kind: "undo_rewind" }
  /** Between turns only: the conversation up to before a turn, or all of it, goes on as another session. */
  | { readonly kind: "branch"; readonly turn?: number; readonly title?: string }
  /** Between turns only: removes this conversation and begins a new one. The person has confirmed it. */
  | { readonly kind: "discard_session" }
  /** The first answer to an id wins; later ones are told that they come too late. */
  | { readonly kind: "approve"; readonly id: string; readonly answer: ApprovalAnswer }
  | { readonly kind: "answer"; readonly id: string; readonly answer: AskAnswer }
  | { readonly kind: "decide_plan"; readonly id: string; readonly decision: PlanDecision }
  /** Holds from the next turn on; only the person turns plan mode on. */
  | { readonly kind: "set_mode"; readonly mode: CollaborationMode }
  | { readonly kind: "set_posture"; readonly posture: Posture }
  /** Between turns only. */
  | { readonly kind: "set_preset"; readonly preset: WorkPreset }
  /** Between turns only. Each part may be left as it is. */
  | {
    readonly kind: "set_model";
    readonly model?: string;
    /** `auto`: the provider's own default again. */
    readonly effort?: string;
    /** Longest answer of a turn in tokens: 0 as the settings say, negative no limit of ours. */
    readonly maxOutputTokens?: number;
  }
  /** Reads the settings again, behind what runs; the conversation goes on with them, or as it was when they cannot be used. */
  | { readonly kind: "reload" }
  /** Saves a key of a provider, by the name of its variable, and reads the settings again. */
  | { readonly kind: "save_key"; readonly name: string; readonly value: string }
  /** Between turns only: leaves this conversation, saved, and goes to another. */
  | {
    readonly kind: "open_session";
    readonly session: "new" | "latest" | { readonly ref: string };
    readonly copy?: boolean;
  };
