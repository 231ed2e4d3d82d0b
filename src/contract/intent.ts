/** Everything a frontend may ask of the engine. A question goes out as an event with an id; its answer comes back here. */
import type { ApprovalAnswer } from "./decision.ts";

export type Intent =
  /** Starts a turn, or queues one behind the running turn. */
  | { readonly kind: "prompt"; readonly text: string }
  /** Guidance for the running turn; becomes a follow-up turn when none takes it. */
  | { readonly kind: "steer"; readonly text: string }
  | { readonly kind: "cancel" }
  /** The first answer to an id wins; later ones are told `answered: false`. */
  | { readonly kind: "approve"; readonly id: string; readonly answer: ApprovalAnswer };
